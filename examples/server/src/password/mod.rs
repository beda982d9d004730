//! Passwords: Argon2id with the parameters recommended by OWASP.

mod hasher;
mod queue;

pub(crate) use hasher::{HashError, check, hash};
pub(crate) use queue::PasswordQueue;
