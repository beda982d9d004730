//! Tests of the server.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod cleanup;
mod collation;
