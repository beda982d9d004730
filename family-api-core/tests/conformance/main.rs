//! The conformance suite, held against our own storages, and the proof that it can fail.

mod broken;
mod memory;
mod proof;
#[cfg(feature = "sqlite")]
mod sqlite;
