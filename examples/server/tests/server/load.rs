//! Callers that send requests in a loop and record which writes the server acknowledged.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::client::{Response, with_token};
use crate::sandbox::Server;

/// Returns whether the response is the expected one. Otherwise it must be a 503 with `Retry-After`.
pub(crate) fn is_served(answer: &Response) -> bool {
    if answer.status == 503 {
        assert_eq!(answer.problem().1, "unavailable");
        assert!(answer.header("retry-after").is_some_and(|seconds| seconds.parse::<u64>().is_ok()), "{answer:?}");
        return false;
    }
    assert_eq!(answer.status, 200, "{answer:?}");
    true
}

/// A record whose title is a number. Its only writer increments it.
pub(crate) struct Counter {
    pub(crate) path: &'static str,
    pub(crate) resource: &'static str,
    /// Path of the title in the resource.
    pub(crate) title: &'static str,
    pub(crate) token: String,
    pub(crate) numbers: WriteNumbers,
}

/// The number of the last write that was sent, and of the last one that was acknowledged.
#[derive(Default)]
pub(crate) struct WriteNumbers {
    attempted: AtomicU64,
    acknowledged: AtomicU64,
}

impl Counter {
    /// Writes the next number. Returns whether the request succeeded.
    pub(crate) async fn write(&self, server: &Server) -> bool {
        let number = self.numbers.attempted.fetch_add(1, Ordering::SeqCst) + 1;
        let body = json!({ "title": number.to_string() });
        let answer = with_token(server, &self.token, "PATCH", self.path, Some(body)).await;
        if is_served(&answer) {
            assert_eq!(answer.json()["title"], number.to_string());
            self.numbers.acknowledged.store(number, Ordering::SeqCst);
        }
        is_served(&answer)
    }

    /// Reads the number, which must not be older than the last acknowledged one. Returns whether the request succeeded.
    pub(crate) async fn read(&self, server: &Server) -> bool {
        let least = self.numbers.acknowledged.load(Ordering::SeqCst);
        let answer = with_token(server, &self.token, "GET", self.resource, None).await;
        if is_served(&answer) {
            let document = answer.json();
            let title = document.pointer(self.title).unwrap_or_else(|| panic!("{document}")).as_str().unwrap();
            // Before the first write, the title is a word.
            let number = title.parse().unwrap_or(0);
            let most = self.numbers.attempted.load(Ordering::SeqCst);
            assert!((least..=most).contains(&number), "{} has {title}, expected {least}..={most}", self.path);
        }
        is_served(&answer)
    }
}

/// Counts the requests of `N` callers, which run until `stop` is called.
pub(crate) struct Callers<const N: usize> {
    /// Number of successful requests of each caller.
    served: [watch::Sender<u64>; N],
    unavailable: AtomicU64,
    is_stopped: AtomicBool,
}

impl<const N: usize> Callers<N> {
    pub(crate) fn new() -> Self {
        Self {
            served: std::array::from_fn(|_| watch::Sender::default()),
            unavailable: AtomicU64::new(0),
            is_stopped: AtomicBool::new(false),
        }
    }

    /// Repeats a step until `stop` is called.
    pub(crate) async fn repeat(&self, caller: usize, step: impl AsyncFn() -> bool) {
        while !self.is_stopped.load(Ordering::SeqCst) {
            if step().await {
                self.served[caller].send_modify(|times| *times += 1);
            } else {
                self.unavailable.fetch_add(1, Ordering::SeqCst);
            }
        }
    }

    /// Waits until each caller has `times` further successful requests.
    pub(crate) async fn wait_until_served(&self, times: u64, limit: Duration) {
        let goals = self.served.each_ref().map(|served| (served.subscribe(), *served.borrow() + times));
        let all = async {
            for (mut served, goal) in goals {
                served.wait_for(|times| *times >= goal).await.unwrap();
            }
        };
        timeout(limit, all).await.unwrap_or_else(|_| panic!("not every caller succeeded within {limit:?}"));
    }

    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
    }

    /// Number of 503 responses to all callers.
    pub(crate) fn unavailable(&self) -> u64 {
        self.unavailable.load(Ordering::SeqCst)
    }
}
