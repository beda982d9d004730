//! Writers. The server can be killed during each of their writes.

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE};
use serde_json::Value;
use tokio::sync::watch;

use crate::client::{Response, request};
use crate::sandbox::Server;

/// A client that writes, with its credential.
#[derive(Debug, Clone)]
pub(crate) enum Writer {
    Token(String),
    Session(String),
}

impl Writer {
    /// Sends a request. Returns `None` if the server was killed before it responded, or responded with 503 because its
    /// database was stopped. A write is then in doubt: it is unknown whether the server applied it.
    pub(crate) async fn attempt(
        &self,
        server: &Server,
        method: &str,
        path: &str,
        body: Option<Value>,
    ) -> Option<Response> {
        self.attempt_with(server, method, path, &[], body).await
    }

    /// Sends a request with further headers.
    pub(crate) async fn attempt_with(
        &self,
        server: &Server,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Value>,
    ) -> Option<Response> {
        let request = request(server, method, path);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
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
        let answer = Response { status, headers, text: response.text().await.ok()? };
        (answer.status != 503).then_some(answer)
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

/// How many unacknowledged writes were applied, and how many were not. No write is applied in part.
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
