//! A write whose server may be killed meanwhile.

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE};
use serde_json::Value;
use tokio::sync::watch;

use crate::client::{Answer, request};
use crate::sandbox::Server;

/// As whom a writer comes.
#[derive(Debug, Clone)]
pub(crate) enum Writer {
    Token(String),
    Session(String),
}

impl Writer {
    /// Sends a write. There is no answer where the server was gone before it came, or where it had lost its database:
    /// what has become of the write is in doubt.
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

/// How many writes were acknowledged.
#[derive(Default)]
pub(crate) struct Tally(watch::Sender<u64>);

impl Tally {
    /// Makes a step again and again, until there is no answer.
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

/// What has become of writes that nobody acknowledged: each of them may have been done or not, as a whole.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    pub(crate) done: u32,
    pub(crate) undone: u32,
}

impl Doubts {
    pub(crate) fn count(&mut self, is_done: bool) {
        *if is_done { &mut self.done } else { &mut self.undone } += 1;
    }
}
