//! Tests of the real binary, over a real socket, on an SQLite file or PostgreSQL.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::env;

mod answers;
mod audit;
mod backend;
mod canaries;
mod client;
mod connections;
mod curl;
mod demo;
mod documentation;
mod family;
mod import;
mod import_faults;
mod late_bodies;
mod life_of_a_key;
mod limits;
mod load;
mod operators_page;
mod purge;
mod raw_requests;
mod restarts;
mod round_trip;
mod sandbox;
mod service_routes;
mod set_password;
mod shutdown;
mod sign_in;
mod start;
#[cfg(target_os = "linux")]
mod terminal;
mod throttle;
mod two_nodes;

/// Returns the number of repetitions of a test: the default, or the value of an environment variable.
fn times(variable: &str, times: u32) -> u32 {
    env::var(variable).map_or(times, |text| text.parse().unwrap())
}
