//! Trials of a running server: kills, invalid tokens, made-up credentials, half bodies, registrations, overload, slow
//! clients, a full family, nodes that restart behind a balancer, and a load over hours.
//!
//! `cargo test` leaves the trials out. `cargo test -p family-api-server --test trials` runs their short form. The long
//! form prints its figures:
//!
//! ```console
//! $ FAMILY_API_TRIALS=long cargo test --release -p family-api-server --test trials -- --nocapture --test-threads=1
//! ```
//!
//! `FAMILY_API_TRIALS_SOAK=8h` makes the soak trial run for this time: see [`soak`].
//!
//! `FAMILY_API_SERVER_BIN` selects another binary. `FAMILY_API_TRIALS_SEED` sets the seed of the random numbers, to
//! repeat a run.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot continue fails")]

mod answers;
#[expect(dead_code, reason = "the tests in tests/server use all of it")]
#[path = "../server/assistant.rs"]
mod assistant;
#[path = "../server/backend.rs"]
mod backend;
#[expect(dead_code, reason = "the tests in tests/server use all of it")]
#[path = "../server/client.rs"]
mod client;
mod credential;
#[expect(dead_code, reason = "the tests in tests/server use all of it")]
#[path = "../server/family.rs"]
mod family;
mod figures;
mod flood;
mod kill;
mod latencies;
mod made_up;
#[cfg(target_os = "linux")]
mod nodes;
mod one_family;
mod overload;
mod process;
#[cfg(target_os = "linux")]
#[expect(dead_code, reason = "the tests in tests/server use all of it")]
#[path = "../server/proxies/mod.rs"]
mod proxies;
mod registrations;
mod rows;
#[expect(dead_code, reason = "the tests in tests/server use all of it")]
#[path = "../server/sandbox.rs"]
mod sandbox;
#[path = "../server/session.rs"]
mod session;
mod slow;
mod soak;
#[expect(dead_code, reason = "the tests in tests/server use all of it")]
#[path = "../server/tables.rs"]
mod tables;
mod unread;

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
