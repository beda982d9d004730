//! The conformance suite, held against our own storages, and the proof that it can fail.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod broken;
mod memory;
#[cfg(feature = "postgres")]
mod postgres;
mod proof;
#[cfg(feature = "sqlite")]
mod sqlite;
