//! Trials of a running server: kills, invalid tokens, registrations, overload, slow clients, and revocation under load.
//!
//! Each trial has a short form, which runs with the other tests. The long form prints its figures:
//!
//! ```console
//! $ FAMILY_API_TRIALS=long cargo test --release -p family-api-server --test trials -- --nocapture --test-threads=1
//! ```
//!
//! `FAMILY_API_SERVER_BIN` selects another binary. `FAMILY_API_TRIALS_SEED` sets the seed of the random numbers, to
//! repeat a run.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot continue fails")]

#[path = "../server/backend.rs"]
mod backend;
#[expect(dead_code, reason = "the tests in tests/server use all of it")]
#[path = "../server/client.rs"]
mod client;
#[expect(dead_code, reason = "the tests in tests/server use all of it")]
#[path = "../server/family.rs"]
mod family;
mod figures;
mod flood;
mod kill;
mod latencies;
mod overload;
mod process;
mod registrations;
mod revocation;
#[expect(dead_code, reason = "the tests in tests/server use all of it")]
#[path = "../server/sandbox.rs"]
mod sandbox;
#[path = "../server/session.rs"]
mod session;
mod slow;
mod unread;
mod wire;

use std::env;

/// Returns `long` in the long form of the trials, otherwise `short`.
fn short_or_long<T>(short: T, long: T) -> T {
    if is_long() { long } else { short }
}

fn is_long() -> bool {
    env::var("FAMILY_API_TRIALS").is_ok_and(|form| form == "long")
}

/// Returns a random number generator and prints its seed. Default seed: random.
fn seeded_rng() -> fastrand::Rng {
    let seed = env::var("FAMILY_API_TRIALS_SEED").map_or_else(|_| fastrand::u64(..), |text| text.parse().unwrap());
    figures::print_line(&format!("FAMILY_API_TRIALS_SEED={seed}"));
    fastrand::Rng::with_seed(seed)
}
