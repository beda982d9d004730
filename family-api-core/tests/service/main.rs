//! Tests of the service through its Rust API.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod audit;
mod documents;
mod entity_tags;
mod expiry;
mod feeds;
mod fixture;
mod grants;
mod last_use;
mod purge;
mod queries;
mod rate_limits;
mod records;
mod test_storage;
mod value_limits;
