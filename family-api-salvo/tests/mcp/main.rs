//! The MCP endpoints: the protocol, the tools and their limits.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod client;
mod definitions;
mod protocol;
#[path = "../storages/mod.rs"]
mod storages;
#[path = "../http/support/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the tests of the REST routes use the other helpers")]
mod support;
mod tools;
