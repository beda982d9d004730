//! The app, and the API over its tables.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod conformance;
mod http;
mod keys_in_ours;
mod support;
