//! The running server under what happens to servers: it is killed, attacked, overloaded, kept waiting.
//!
//! Each trial has a short form among the tests, and a long one that prints its figures:
//!
//! ```console
//! $ FAMILY_API_TRIALS=long cargo test --release -p family-api-server --test trials -- --nocapture --test-threads=1
//! ```
//!
//! `FAMILY_API_SERVER_BIN` names another binary to try, `FAMILY_API_TRIALS_SEED` repeats what chance has chosen.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

#[path = "../server/backend.rs"]
mod backend;
#[expect(dead_code, reason = "the other tests use all of it")]
#[path = "../server/client.rs"]
mod client;
#[expect(dead_code, reason = "the other tests use all of it")]
#[path = "../server/family.rs"]
mod family;
mod figures;
mod flood;
mod kill;
mod latencies;
mod overload;
mod process;
mod revocation;
#[expect(dead_code, reason = "the other tests use all of it")]
#[path = "../server/sandbox.rs"]
mod sandbox;
mod session;
mod slow;
mod unread;
mod wire;

use std::env;

/// How much of something a trial takes: `short` among other tests, `long` where that form was asked for.
fn size<T>(short: T, long: T) -> T {
    if is_long() { long } else { short }
}

fn is_long() -> bool {
    env::var("FAMILY_API_TRIALS").is_ok_and(|form| form == "long")
}

/// Chance, which can be repeated.
fn chance() -> fastrand::Rng {
    let seed = env::var("FAMILY_API_TRIALS_SEED").map_or_else(|_| fastrand::u64(..), |text| text.parse().unwrap());
    figures::say(&format!("FAMILY_API_TRIALS_SEED={seed}"));
    fastrand::Rng::with_seed(seed)
}
