//! Tests of the real binary, over a real socket, on an SQLite file or PostgreSQL.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::env;

mod administration;
mod assistant;
mod audit;
mod backend;
#[cfg(unix)]
mod backup;
#[cfg(target_os = "linux")]
mod behind_a_proxy;
mod client;
#[cfg(feature = "otel")]
mod collector;
mod connection_secrets;
mod curl;
mod database_connections;
mod demo;
mod deploy;
mod environment_tokens;
mod export;
mod family;
mod health;
mod home_automation;
mod import;
mod import_faults;
mod import_update;
mod limits;
mod load;
mod mcp_client;
mod metrics;
mod metrics_files;
#[cfg(target_os = "linux")]
mod nginx_nodes;
mod oauth;
mod openapi;
#[cfg(target_os = "linux")]
mod proxied_requests;
#[cfg(target_os = "linux")]
mod proxies;
mod raw_requests;
mod readme;
mod response_headers;
mod restarts;
mod restored;
mod sandbox;
mod secrets;
mod service_routes;
mod session;
mod session_limits;
mod set_password;
mod shutdown;
mod sign_in;
mod sign_in_limits;
mod sign_in_pages;
mod start;
mod tables;
#[cfg(target_os = "linux")]
mod terminal;
mod three_nodes;
#[cfg(feature = "otel")]
mod traces;
mod trash;
mod two_nodes;
mod typed_client;
mod typed_writes;

/// Returns the number of repetitions of a test: the default, or the value of an environment variable.
fn times(variable: &str, times: u32) -> u32 {
    env::var(variable).map_or(times, |text| text.parse().unwrap())
}
