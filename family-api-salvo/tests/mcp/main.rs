//! The MCP endpoints: the protocol, the tools and their limits.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod cached_answers;
mod capabilities;
mod changes;
mod clashes;
mod client;
mod containers;
mod dropped_requests;
#[path = "../http/fault_sweep/fault_injection.rs"]
#[expect(dead_code, reason = "the fault sweep of the REST routes uses all faults")]
mod fault_injection;
#[path = "../http/json_lines.rs"]
mod json_lines;
mod limits;
mod occurrences;
mod participants;
mod protocol;
mod same_facts;
mod several;
mod shopping;
mod snapshot;
mod storage;
#[path = "../storages/mod.rs"]
mod storages;
#[path = "../http/support/mod.rs"]
#[expect(dead_code, unused_imports, reason = "the tests of the REST routes use the other helpers")]
mod support;
mod tools;
mod writes;
