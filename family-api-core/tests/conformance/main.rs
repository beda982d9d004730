//! Runs the conformance suite for the built-in storages, and proves that each case can fail.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(feature = "postgres")]
mod citus;
#[cfg(feature = "sqlite")]
mod commits_each_record;
mod keeps_less;
mod memory;
#[cfg(feature = "sqlite")]
mod mutation;
#[cfg(feature = "postgres")]
mod one_shard;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;
mod subject;
