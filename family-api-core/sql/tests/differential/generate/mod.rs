//! Generators for the steps of a sequence.

mod change;
mod id;
pub(crate) mod instant;
pub(crate) mod record;
mod secret;
pub(crate) mod step;
mod text;
