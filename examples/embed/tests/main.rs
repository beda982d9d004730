//! Tests of the app and of the API over its tables.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod conformance;
mod faults;
mod http;
mod keys_in_ours;
mod program;
mod sign_in;
mod support;
