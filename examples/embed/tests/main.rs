//! Tests of the app and of the API over its tables.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod conformance;
mod database_faults;
mod http;
mod keys_in_library_storage;
mod oauth;
mod program;
mod sign_in;
mod support;
