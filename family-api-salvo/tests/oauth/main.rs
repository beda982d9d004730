//! Connecting without a key: the authorization server, in front of the MCP endpoints.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod attacks_on_codes;
mod attacks_on_consent;
mod attacks_on_redirects;
mod attacks_on_tokens;
mod challenge;
mod clients;
mod consent;
mod faults;
mod flow;
mod harness;
#[path = "../held_back_body/mod.rs"]
mod held_back_body;
mod log;
mod metadata;
mod mounted;
#[path = "../storages/mod.rs"]
mod storages;
#[path = "../http/support/mod.rs"]
#[expect(dead_code, unused_imports, reason = "the tests of the REST routes use the other helpers")]
mod support;
mod token;
mod unknown_credentials;
