//! A failure that somebody answered with: the service, or what stands before it.

use std::time::Duration;

use family_api_core::Problem;
use reqwest::Response;

use crate::answer::request_id;
use crate::retry_after::retry_after;
use crate::secrets::Secrets;

/// A failure longer than that is none of the service's.
const MAX_BYTES: usize = 256 * 1024;
/// The status of a failure is known, and another try may be due: its body is not waited for long.
#[cfg(not(target_arch = "wasm32"))]
const MAX_WAIT: Duration = Duration::from_secs(1);
const MAX_CHARACTERS: usize = 1_024;

/// What is known of it; no secret is.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) request_id: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) said: Said,
}

/// What its body says.
#[derive(Debug)]
pub(crate) enum Said {
    /// What the service says.
    Problem(Problem),
    /// What anybody else says: the first part of the text.
    Text(String),
}

impl Refusal {
    /// Receives the answer, and takes the secrets out before anything is made of it.
    pub(crate) async fn of(response: Response, secrets: &Secrets<'_>) -> Self {
        let status = response.status().as_u16();
        let (request_id, retry_after) = (request_id(response.headers(), secrets), retry_after(response.headers()));
        let text = secrets.redact(&String::from_utf8_lossy(&body(response).await));
        let said = match serde_json::from_str(&text) {
            Ok(problem) => Said::Problem(problem),
            Err(_) => Said::Text(text.chars().take(MAX_CHARACTERS).collect()),
        };
        Self { status, request_id, retry_after, said }
    }

    /// What it says, on one line.
    pub(crate) fn said(&self) -> String {
        match &self.said {
            Said::Problem(problem) => one_line(&format!("{} ({})", problem.detail, problem.code)),
            Said::Text(text) if text.trim().is_empty() => "nothing else".to_owned(),
            Said::Text(text) => one_line(text),
        }
    }
}

/// A text of somebody else's, as it may stand in a log or on a terminal.
fn one_line(text: &str) -> String {
    let steers = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let words = text.split(|c: char| c.is_whitespace() || steers(c)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").chars().take(MAX_CHARACTERS).collect()
}

/// What there is of the body: the status counts, also where the rest is lost or late.
#[cfg(not(target_arch = "wasm32"))]
async fn body(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    let receive = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_BYTES {
                break;
            }
        }
    };
    // What came by then is said, as if it were all.
    let _ = tokio::time::timeout(MAX_WAIT, receive).await;
    body
}

/// A browser hands out whole bodies.
#[cfg(target_arch = "wasm32")]
async fn body(response: Response) -> Vec<u8> {
    let mut body: Vec<u8> = response.bytes().await.map(Into::into).unwrap_or_default();
    body.truncate(MAX_BYTES);
    body
}
