//! A flood of invalid tokens and of unknown secrets of calendar feeds: each is refused, requests with valid keys succeed,
//! and neither memory nor the database grows.

use std::cell::Cell;
use std::iter;
use std::time::{Duration, Instant};

use family_api_core::key::{KeyPrefix, KeySecret};
use futures_util::future::join_all;
use tokio::join;
use tokio::sync::watch;

use crate::answers::{is_retry_later, is_token_refusal};
use crate::client::{Response, request, send, with_token};
use crate::figures::Figures;
use crate::latencies::Latencies;
use crate::process::{mebibytes, memory};
use crate::rows::rows;
use crate::sandbox::{Sandbox, Server};
use crate::session::{Key, create_key, session_cookie};
use crate::{seeded_rng, short_or_long};

/// The number of concurrent connections that send invalid tokens.
const ATTACKERS: usize = 16;
/// The number of valid keys. They are used in turn, so that no key reaches its rate limit.
const VALID_KEYS: usize = 10;
/// The number of requests with an invalid token per request with a valid key.
const RATIO: u32 = 500;
/// The maximum growth of memory by the flood, in KiB.
const MAX_GROWTH: u64 = 16 * 1024;

/// The paths of all requests.
const PATHS: [&str; 2] = ["/api/v1/me", "/api/mcp/read/notes"];

#[tokio::test]
async fn invalid_credentials_are_refused_and_nothing_grows() {
    let sandbox = Sandbox::on_sqlite().import_families();
    let server = sandbox.serve_with(&[], &[("FAMILY_API_LOG", "error")]);
    let mut flood = Flood::new(&server).await;
    // Warm up: the memory that the first requests allocate is not released.
    flood.run(&server, short_or_long(1_000, 5_000)).await;
    let (before, rows_before) = (memory(server.id()), rows(&sandbox).await);
    let began = Instant::now();
    flood.run(&server, short_or_long(6_000, 1_000_000)).await;
    let took = began.elapsed();
    flood.print(&server, before, took);
    assert_eq!(rows(&sandbox).await, rows_before);
    if let (Some([before, _]), Some([after, _])) = (before, memory(server.id())) {
        assert!(
            after.saturating_sub(before) < MAX_GROWTH,
            "memory: {before} KiB before the flood, {after} KiB after it"
        );
    }
}

struct Flood {
    keys: Vec<Key>,
    /// The number of credentials refused at once, and with 429.
    refused: [Cell<u32>; 2],
    valid_latencies: Latencies,
    rng: fastrand::Rng,
}

impl Flood {
    async fn new(server: &Server) -> Self {
        let cookie = session_cookie(server, "ana").await;
        let mut keys = Vec::new();
        for _ in 0..VALID_KEYS {
            keys.push(create_key(server, &cookie).await);
        }
        Self { keys, refused: Default::default(), valid_latencies: Latencies::default(), rng: seeded_rng() }
    }

    /// Sends invalid credentials, and requests with valid keys in between.
    async fn run(&mut self, server: &Server, number: u32) {
        let left = Cell::new(number);
        let sent = watch::Sender::new(0);
        let forks: Vec<_> = iter::repeat_with(|| self.rng.fork()).take(ATTACKERS).collect();
        let refused = &self.refused;
        let attackers = forks.into_iter().map(|mut rng| {
            let (left, sent) = (&left, &sent);
            async move {
                while let Some(remaining) = left.get().checked_sub(1) {
                    left.set(remaining);
                    sent.send_modify(|sent| *sent += 1);
                    let answer = present_invalid(server, remaining, &mut rng).await;
                    let count = &refused[usize::from(answer.status == 429)];
                    count.set(count.get() + 1);
                }
            }
        });
        let (keys, valid_latencies) = (&self.keys, &mut self.valid_latencies);
        let valid = async {
            for turn in 0..number / RATIO {
                sent.subscribe().wait_for(|sent| *sent >= turn * RATIO).await.unwrap();
                let (key, path) = (&keys[turn as usize % VALID_KEYS], PATHS[turn as usize % PATHS.len()]);
                let began = Instant::now();
                let answer = with_token(server, &key.token, "GET", path, None).await;
                assert_eq!(answer.status, 200, "{answer:?}");
                valid_latencies.push(began.elapsed());
            }
        };
        join!(join_all(attackers), valid);
    }

    fn print(&self, server: &Server, before: Option<[u64; 2]>, took: Duration) {
        let mut figures = Figures::new(
            "Invalid credentials, one fourth of each kind: wrong checksum, unknown, random characters, feed",
        );
        figures.add(
            "refused with 401 or 404 / with 429",
            format!("{} / {}", self.refused[0].get(), self.refused[1].get()),
        );
        figures.add("requests with valid keys, all answered with 200", &self.valid_latencies);
        figures.add("the flood took", format!("{:.1} s", took.as_secs_f64()));
        if let (Some([before, _]), Some([after, peak])) = (before, memory(server.id())) {
            figures.add("memory before / after", format!("{} / {}", mebibytes(before), mebibytes(after)));
            figures.add("peak memory", mebibytes(peak));
        }
        figures.print();
    }
}

/// Presents an invalid token, or each fourth time the secret of a feed that does not exist.
async fn present_invalid(server: &Server, index: u32, rng: &mut fastrand::Rng) -> Response {
    if index.is_multiple_of(4) {
        let path = format!("/calendar/{}.ics", unknown_secret("famcal_"));
        let answer = send(request(server, "GET", &path)).await;
        assert!((answer.status == 404 && answer.text.is_empty()) || is_retry_later(&answer), "{answer:?}");
        return answer;
    }
    let path = PATHS[rng.usize(0..PATHS.len())];
    let answer = with_token(server, &invalid_token(index / 4, rng), "GET", path, None).await;
    assert!(is_token_refusal(&answer), "{answer:?}");
    answer
}

/// Returns a secret with this prefix and the right checksum, which does not depend on the prefix.
pub(crate) fn unknown_secret(prefix: &str) -> String {
    // A key cannot have the prefix of a feed, or of a token of a grant.
    let replaced = "made-up-".parse::<KeyPrefix>().unwrap();
    KeySecret::generate(&replaced).unwrap().expose().replacen("made-up-", prefix, 1)
}

/// Returns an invalid token, whose kind depends on the index: a token with a wrong checksum, an unknown token, or
/// random characters that are valid in a header.
pub(crate) fn invalid_token(index: u32, rng: &mut fastrand::Rng) -> String {
    let mut token = KeySecret::generate(&KeyPrefix::default()).unwrap().expose().to_owned();
    match index % 3 {
        0 => {
            let last = token.pop();
            token.push(if last == Some('2') { '3' } else { '2' });
            token
        }
        1 => token,
        _ => {
            let length = rng.usize(1..=512);
            iter::repeat_with(|| char::from(rng.u8(b'!'..=b'~'))).take(length).collect()
        }
    }
}
