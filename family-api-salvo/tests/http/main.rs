//! HTTP responses of the mounted routes, on every storage.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod bad_input;
mod batch;
mod body_length;
mod calendar_feeds;
mod capabilities;
mod changes;
mod compression;
mod conditional_requests;
mod connections;
mod cors;
mod deleted_records;
mod error_table;
mod every_route;
mod fault_sweep;
mod header_limit;
#[path = "../held_back_body/mod.rs"]
mod held_back_body;
mod host_router;
#[cfg(feature = "mcp")]
mod json_lines;
mod load_shed;
mod log;
mod methods;
mod occurrences;
mod one_occurrence;
mod openapi;
mod openapi_conformance;
mod order_of_checks;
mod overview;
#[cfg(all(feature = "pages", feature = "oauth"))]
mod pages_of_smaller_apps;
mod path_spelling;
mod rate_limit;
mod records;
mod recurring_tasks;
mod request_bodies;
mod request_id;
mod revoked_access;
mod same_site;
mod smaller_reads;
#[cfg(feature = "mcp")]
mod snapshot;
#[path = "../storages/mod.rs"]
mod storages;
mod success;
mod support;
mod timeouts;
mod token_checksum;
mod unread_responses;
mod unused_options;
