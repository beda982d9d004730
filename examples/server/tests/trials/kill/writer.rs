//! What writers expect to be stored. The server can be killed during each of their writes.

use std::fmt::Debug;

use reqwest::RequestBuilder;
use tokio::sync::watch;

use crate::client::{Response, try_send};

/// What must be stored: the state after the last acknowledged write, or after the write in doubt.
#[derive(Debug)]
pub(crate) struct Expected<S> {
    pub(crate) state: S,
    /// The state after the write in doubt. It is unknown whether the server applied it.
    next: Option<S>,
}

impl<S: Debug + PartialEq> Expected<S> {
    pub(crate) fn new(state: S) -> Self {
        Self { state, next: None }
    }

    /// Sends a write that leads to a state. Its response must have this status. Returns `None` if the write is in doubt:
    /// the server was killed before it responded, or responded with 503 because its database was stopped.
    pub(crate) async fn write(&mut self, next: S, request: RequestBuilder, status: u16) -> Option<Response> {
        self.next = Some(next);
        let answer = try_send(request).await.ok().filter(|answer| answer.status != 503)?;
        assert_eq!(answer.status, status, "{answer:?}");
        self.state = self.next.take().unwrap();
        Some(answer)
    }

    /// Asserts that the stored state is one of the expected ones, and takes it over. Returns whether the write in doubt
    /// was applied, if there was one. No write is applied in part.
    pub(crate) fn check(&mut self, stored: S) -> Option<bool> {
        let next = self.next.take();
        let is_expected = stored == self.state || Some(&stored) == next.as_ref();
        assert!(is_expected, "{stored:?}, expected {:?} or {next:?}", self.state);
        let is_applied = next.map(|_| stored != self.state);
        self.state = stored;
        is_applied
    }
}

/// The number of acknowledged writes.
#[derive(Default)]
pub(crate) struct WriteCounter(watch::Sender<u64>);

impl WriteCounter {
    /// Repeats a step until it returns `false`, and counts how often it returned `true`.
    pub(crate) async fn count_while(&self, mut step: impl AsyncFnMut() -> bool) {
        while step().await {
            self.0.send_modify(|count| *count += 1);
        }
    }

    pub(crate) async fn wait_until(&self, count: u64) {
        self.0.subscribe().wait_for(|acknowledged| *acknowledged >= count).await.unwrap();
    }

    pub(crate) fn count(&self) -> u64 {
        *self.0.borrow()
    }
}
