//! What sequences are made of.

mod change;
mod id;
pub(crate) mod instant;
pub(crate) mod record;
mod secret;
pub(crate) mod step;
mod text;
