//! The tools that read.

pub(crate) mod get_note;
pub(crate) mod get_overview;
pub(crate) mod get_task;
pub(crate) mod list_events;
pub(crate) mod list_shopping;
pub(crate) mod list_tasks;
mod page;
pub(crate) mod search_notes;
mod text_part;
