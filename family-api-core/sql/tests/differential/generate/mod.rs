//! Generators for the steps of a sequence.

mod change;
mod id;
pub(crate) mod instant;
mod occurrence;
pub(crate) mod record;
mod secret;
pub(crate) mod step;
mod text;
