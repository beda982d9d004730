//! Runs the conformance suite for the built-in storages, and proves that each case can fail.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod broken;
#[cfg(feature = "sqlite")]
mod broken_updates;
#[cfg(feature = "postgres")]
mod citus;
mod memory;
mod mutation;
#[cfg(feature = "postgres")]
mod one_shard;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "sqlite")]
mod update_mutation;
