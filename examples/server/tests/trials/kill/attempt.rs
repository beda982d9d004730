//! Writes during which the server may be killed.

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE};
use serde_json::Value;
use tokio::sync::watch;

use crate::client::{Answer, request};
use crate::sandbox::Server;

/// The credential of a writer.
#[derive(Debug, Clone)]
pub(crate) enum Writer {
    Token(String),
    Session(String),
}

impl Writer {
    /// Sends a write. Returns `None` if the server was killed before it responded, or responded with 503 because its
    /// database was stopped. The write is then in doubt: it may or may not be applied.
    pub(crate) async fn attempt(
        &self,
        server: &Server,
        method: &str,
        path: &str,
        body: Option<Value>,
    ) -> Option<Answer> {
        let request = request(server, method, path);
        let request = match self {
            Self::Token(token) => request.header(AUTHORIZATION, format!("Bearer {token}")),
            Self::Session(cookie) => request.header(COOKIE, cookie),
        };
        let request = match body {
            Some(body) => request.header(CONTENT_TYPE, "application/json").body(body.to_string()),
            None => request,
        };
        let response = request.send().await.ok()?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let answer = Answer { status, headers, text: response.text().await.ok()? };
        (answer.status != 503).then_some(answer)
    }
}

/// The number of acknowledged writes.
#[derive(Default)]
pub(crate) struct Tally(watch::Sender<u64>);

impl Tally {
    /// Repeats and counts a step until it returns `false`.
    pub(crate) async fn count_while(&self, mut step: impl AsyncFnMut() -> bool) {
        while step().await {
            self.0.send_modify(|count| *count += 1);
        }
    }

    pub(crate) async fn reaches(&self, count: u64) {
        self.0.subscribe().wait_for(|acknowledged| *acknowledged >= count).await.unwrap();
    }

    pub(crate) fn count(&self) -> u64 {
        *self.0.borrow()
    }
}

/// The numbers of unacknowledged writes that were applied, and that were not. No write may be applied in part.
#[derive(Debug, Default)]
pub(crate) struct InDoubtCounts {
    pub(crate) applied: u32,
    pub(crate) not_applied: u32,
}

impl InDoubtCounts {
    pub(crate) fn record(&mut self, is_applied: bool) {
        *if is_applied { &mut self.applied } else { &mut self.not_applied } += 1;
    }
}
