//! Passwords: Argon2id, with the parameters that OWASP recommends.

mod hasher;
mod queue;

pub(crate) use hasher::{HashError, Hasher};
pub(crate) use queue::Passwords;
