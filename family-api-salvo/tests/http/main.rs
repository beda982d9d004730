//! What the mounted routes answer over HTTP, on every storage.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod bad_input;
mod bodies;
mod cors;
mod credentials;
mod documented;
mod embedding;
mod errors;
mod faults;
mod header_limit;
mod load_shed;
mod lengths;
mod log;
mod methods;
mod openapi;
mod order;
mod request_id;
mod same_site;
#[path = "../storages/mod.rs"]
mod storages;
mod success;
mod support;
mod timeouts;
