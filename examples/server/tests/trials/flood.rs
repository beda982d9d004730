//! A flood of invalid tokens: each is refused, requests with valid keys succeed, and memory does not grow.

use std::cell::Cell;
use std::iter;
use std::time::{Duration, Instant};

use family_api_core::key::{KeyPrefix, KeySecret};
use futures_util::future::join_all;
use tokio::join;
use tokio::sync::watch;

use crate::answers::is_token_refusal;
use crate::client::with_token;
use crate::figures::Figures;
use crate::latencies::Latencies;
use crate::process::{mebibytes, memory};
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
async fn invalid_tokens_are_refused_without_growing_memory() {
    let sandbox = Sandbox::on_sqlite().import_families();
    let server = sandbox.serve_with(&[], &[("FAMILY_API_LOG", "error")]);
    let mut flood = Flood::new(&server).await;
    // Warm up: the memory that the first requests allocate is not released.
    flood.run(&server, short_or_long(1_000, 5_000)).await;
    let before = memory(server.id());
    let began = Instant::now();
    flood.run(&server, short_or_long(6_000, 1_000_000)).await;
    let took = began.elapsed();
    flood.print(&server, before, took);
    if let (Some([before, _]), Some([after, _])) = (before, memory(server.id())) {
        assert!(
            after.saturating_sub(before) < MAX_GROWTH,
            "memory: {before} KiB before the flood, {after} KiB after it"
        );
    }
}

struct Flood {
    keys: Vec<Key>,
    /// The number of invalid tokens refused with 401, and with 429.
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

    /// Sends `tokens` invalid tokens, and requests with valid keys in between.
    async fn run(&mut self, server: &Server, tokens: u32) {
        let left = Cell::new(tokens);
        let sent = watch::Sender::new(0);
        let forks: Vec<_> = iter::repeat_with(|| self.rng.fork()).take(ATTACKERS).collect();
        let refused = &self.refused;
        let attackers = forks.into_iter().map(|mut rng| {
            let (left, sent) = (&left, &sent);
            async move {
                while let Some(remaining) = left.get().checked_sub(1) {
                    left.set(remaining);
                    sent.send_modify(|sent| *sent += 1);
                    let path = PATHS[rng.usize(0..PATHS.len())];
                    let token = invalid_token(remaining, &mut rng);
                    let answer = with_token(server, &token, "GET", path, None).await;
                    assert!(is_token_refusal(&answer), "{answer:?}");
                    let count = &refused[usize::from(answer.status == 429)];
                    count.set(count.get() + 1);
                }
            }
        });
        let (keys, valid_latencies) = (&self.keys, &mut self.valid_latencies);
        let valid = async {
            for turn in 0..tokens / RATIO {
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
        let mut figures =
            Figures::new("Invalid tokens, one third of each kind: wrong checksum, unknown, random characters");
        figures.add("refused with 401 / with 429", format!("{} / {}", self.refused[0].get(), self.refused[1].get()));
        figures.add("requests with valid keys, all answered with 200", &self.valid_latencies);
        figures.add("the flood took", format!("{:.1} s", took.as_secs_f64()));
        if let (Some([before, _]), Some([after, peak])) = (before, memory(server.id())) {
            figures.add("memory before / after", format!("{} / {}", mebibytes(before), mebibytes(after)));
            figures.add("peak memory", mebibytes(peak));
        }
        figures.print();
    }
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
