//! What the mounted routes answer over HTTP, on every storage.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod bad_input;
mod bodies;
mod checksum;
mod compression;
mod conditional;
mod cors;
mod credentials;
mod documented;
mod embedding;
mod errors;
mod fault_sweep;
mod faults;
mod header_limit;
mod last_use;
mod lengths;
mod load_shed;
mod log;
mod methods;
mod openapi;
mod order;
mod purge;
mod rate_limit;
mod request_id;
mod same_site;
mod spelling;
#[path = "../storages/mod.rs"]
mod storages;
mod success;
mod support;
mod timeouts;
mod unread_answers;
