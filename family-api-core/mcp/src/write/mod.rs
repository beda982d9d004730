//! The tools that write.

pub(crate) mod add;
mod addable_record;
mod changed;
mod container;
pub(crate) mod delete;
mod fields;
pub(crate) mod mark;
pub(crate) mod move_task;
mod outcomes;
pub(crate) mod restore;
mod tool_record;
pub(crate) mod update;
