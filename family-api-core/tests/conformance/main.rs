//! Runs the conformance suite for our own storages, and proves that each case can fail.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod broken;
mod memory;
#[cfg(feature = "postgres")]
mod postgres;
mod proof;
#[cfg(feature = "sqlite")]
mod sqlite;
