//! What sequences are made of.

mod change;
mod id;
pub(crate) mod instant;
pub(crate) mod record;
pub(crate) mod step;

mod secret;
mod text;
