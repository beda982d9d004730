//! Very many tokens that open nothing: they are refused, honest keys are not, and nothing of them stays in memory.

use std::cell::Cell;
use std::iter;
use std::time::{Duration, Instant};

use family_api_core::key::{KeyPrefix, KeySecret};
use futures_util::future::join_all;
use tokio::join;
use tokio::sync::watch;

use crate::figures::Figures;
use crate::latencies::Latencies;
use crate::process::{mebibytes, memory};
use crate::sandbox::{Sandbox, Server};
use crate::session::{Key, cookie, create_key};
use crate::wire::{Connection, with_token};
use crate::{chance, size};

/// At once.
const STRANGERS: usize = 16;
/// Each of them makes fewer requests than one key may in a minute.
const HONEST: usize = 10;
/// How many strangers come for each honest request.
const RATIO: u32 = 500;
/// What the flood may leave, in KiB.
const LEFT: u64 = 16 * 1024;

/// The paths that tokens are tried on.
const PATHS: [&str; 2] = ["/api/v1/me", "/api/mcp/read/notes"];

#[tokio::test]
async fn unknown_tokens_are_refused_and_leave_nothing_behind() {
    let sandbox = Sandbox::on_sqlite().filled();
    let server = sandbox.serve_with(&[], &[("FAMILY_API_LOG", "error")]);
    let mut flood = Flood::new(&server).await;
    // What the first requests of all bring into memory stays there.
    flood.come(&server, size(1_000, 5_000)).await;
    let before = memory(server.id());
    let began = Instant::now();
    flood.come(&server, size(6_000, 1_000_000)).await;
    let took = began.elapsed();
    flood.print(&server, before, took);
    if let (Some([before, _]), Some([after, _])) = (before, memory(server.id())) {
        assert!(after.saturating_sub(before) < LEFT, "{before} KiB before, {after} KiB after");
    }
}

struct Flood {
    keys: Vec<Key>,
    /// How often strangers were refused: for their token, or for their failures.
    refused: [Cell<u32>; 2],
    honest: Latencies,
    chance: fastrand::Rng,
}

impl Flood {
    async fn new(server: &Server) -> Self {
        let cookie = cookie(server, "ana").await;
        let mut keys = Vec::new();
        for _ in 0..HONEST {
            keys.push(create_key(server, &cookie).await);
        }
        Self { keys, refused: Default::default(), honest: Latencies::default(), chance: chance() }
    }

    /// So many come at once, and honest callers in between.
    async fn come(&mut self, server: &Server, tokens: u32) {
        let left = Cell::new(tokens);
        let come = watch::Sender::new(0);
        let forks: Vec<_> = iter::repeat_with(|| self.chance.fork()).take(STRANGERS).collect();
        let refused = &self.refused;
        let strangers = forks.into_iter().map(|mut chance| {
            let (left, come) = (&left, &come);
            async move {
                let mut connection = Connection::open(server.address()).await.unwrap();
                while let Some(rest) = left.get().checked_sub(1) {
                    left.set(rest);
                    come.send_modify(|come| *come += 1);
                    let path = PATHS[chance.usize(0..PATHS.len())];
                    let reply = connection.ask(with_token(&token(rest, &mut chance), "GET", path, None)).await.unwrap();
                    assert!(reply.is_nobodys(), "{reply:?}");
                    let count = &refused[usize::from(reply.status == 429)];
                    count.set(count.get() + 1);
                }
            }
        });
        let (keys, honest) = (&self.keys, &mut self.honest);
        let own = async {
            let mut connection = Connection::open(server.address()).await.unwrap();
            for turn in 0..tokens / RATIO {
                come.subscribe().wait_for(|come| *come >= turn * RATIO).await.unwrap();
                let (key, path) = (&keys[turn as usize % HONEST], PATHS[turn as usize % PATHS.len()]);
                let began = Instant::now();
                let reply = connection.ask(with_token(&key.token, "GET", path, None)).await.unwrap();
                assert_eq!(reply.status, 200, "{reply:?}");
                honest.push(began.elapsed());
            }
        };
        join!(join_all(strangers), own);
    }

    fn print(&self, server: &Server, before: Option<[u64; 2]>, took: Duration) {
        let mut figures = Figures::of("Tokens that open nothing, in thirds: wrong checksum, unknown, no token of ours");
        figures.add("refused with 401 / with 429", format!("{} / {}", self.refused[0].get(), self.refused[1].get()));
        figures.add("honest requests, all answered with 200", &self.honest);
        figures.add("the flood took", format!("{:.1} s", took.as_secs_f64()));
        if let (Some([before, _]), Some([after, peak])) = (before, memory(server.id())) {
            figures.add("memory before / after", format!("{} / {}", mebibytes(before), mebibytes(after)));
            figures.add("most memory ever", mebibytes(peak));
        }
        figures.print();
    }
}

/// By turns one whose checksum is wrong, one of nobody's, and something else that fits into the header.
fn token(turn: u32, chance: &mut fastrand::Rng) -> String {
    let mut token = KeySecret::mint(&KeyPrefix::default()).unwrap().expose().to_owned();
    match turn % 3 {
        0 => {
            let last = token.pop();
            token.push(if last == Some('2') { '3' } else { '2' });
            token
        }
        1 => token,
        _ => {
            let length = chance.usize(1..=512);
            iter::repeat_with(|| char::from(chance.u8(b'!'..=b'~'))).take(length).collect()
        }
    }
}
