//! Those who call a server all the time, and keep a journal of what it acknowledged.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::client::{Answer, with_token};
use crate::sandbox::Server;

/// Whether an answer is what was asked for. If it is not, it asks to come again later: nothing else may happen.
pub(crate) fn is_served(answer: &Answer) -> bool {
    if answer.status == 503 {
        assert_eq!(answer.problem().1, "unavailable");
        assert!(answer.header("retry-after").is_some_and(|seconds| seconds.parse::<u64>().is_ok()), "{answer:?}");
        return false;
    }
    assert_eq!(answer.status, 200, "{answer:?}");
    true
}

/// A record whose title is a number that its only writer counts up.
pub(crate) struct Counter {
    pub(crate) path: &'static str,
    pub(crate) resource: &'static str,
    /// Where the title is in the resource.
    pub(crate) title: &'static str,
    pub(crate) token: String,
    pub(crate) journal: Journal,
}

/// The last number that was sent, and the last whose writing was acknowledged.
#[derive(Default)]
pub(crate) struct Journal {
    attempted: AtomicU64,
    acknowledged: AtomicU64,
}

impl Counter {
    /// Writes the next number; tells whether it was served.
    pub(crate) async fn write(&self, server: &Server) -> bool {
        let number = self.journal.attempted.fetch_add(1, Ordering::SeqCst) + 1;
        let body = json!({ "title": number.to_string() });
        let answer = with_token(server, &self.token, "PATCH", self.path, Some(body)).await;
        if is_served(&answer) {
            assert_eq!(answer.json()["title"], number.to_string());
            self.journal.acknowledged.store(number, Ordering::SeqCst);
        }
        is_served(&answer)
    }

    /// Reads the number, which is none before the last one that was acknowledged; tells whether it was served.
    pub(crate) async fn read(&self, server: &Server) -> bool {
        let least = self.journal.acknowledged.load(Ordering::SeqCst);
        let answer = with_token(server, &self.token, "GET", self.resource, None).await;
        if is_served(&answer) {
            let document = answer.json();
            let title = document.pointer(self.title).unwrap_or_else(|| panic!("{document}")).as_str().unwrap();
            // Before the first write, the title is a word.
            let number = title.parse().unwrap_or(0);
            let most = self.journal.attempted.load(Ordering::SeqCst);
            assert!((least..=most).contains(&number), "{} has {title}, not {least}..={most}", self.path);
        }
        is_served(&answer)
    }
}

/// So many callers, until it is over.
pub(crate) struct Callers<const N: usize> {
    /// How often each of them was served.
    served: [watch::Sender<u64>; N],
    unavailable: AtomicU64,
    is_over: AtomicBool,
}

impl<const N: usize> Callers<N> {
    pub(crate) fn new() -> Self {
        Self {
            served: std::array::from_fn(|_| watch::Sender::default()),
            unavailable: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        }
    }

    /// Makes a step again and again.
    pub(crate) async fn repeat(&self, caller: usize, step: impl AsyncFn() -> bool) {
        while !self.is_over.load(Ordering::SeqCst) {
            if step().await {
                self.served[caller].send_modify(|times| *times += 1);
            } else {
                self.unavailable.fetch_add(1, Ordering::SeqCst);
            }
        }
    }

    /// Waits until each of them was served so many times more.
    pub(crate) async fn are_served(&self, times: u64, limit: Duration) {
        let goals = self.served.each_ref().map(|served| (served.subscribe(), *served.borrow() + times));
        let all = async {
            for (mut served, goal) in goals {
                served.wait_for(|times| *times >= goal).await.unwrap();
            }
        };
        timeout(limit, all).await.unwrap_or_else(|_| panic!("not everybody is served within {limit:?}"));
    }

    pub(crate) fn stop(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// How often anybody was asked to come again later.
    pub(crate) fn unavailable(&self) -> u64 {
        self.unavailable.load(Ordering::SeqCst)
    }
}
