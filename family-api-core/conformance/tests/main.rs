//! Runs the conformance suite for the built-in storages, and proves that each case can fail.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod citus;
mod commits_each_record;
mod failure;
mod flat_flaws;
mod flawed;
mod flaws;
mod host_storage;
mod keeps_less;
mod memory;
mod mutation;
mod numeric_ids;
mod one_shard;
mod postgres;
mod sqlite;
mod subject;
