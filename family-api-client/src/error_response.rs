//! Error responses: from the service, or from a proxy in front of it.

use std::time::Duration;

use family_api_types::Problem;
use reqwest::Response;

use crate::request_id::request_id;
use crate::retry_after::retry_after;
use crate::secrets::Secrets;

/// The maximum size of an error body in bytes. The service never sends a longer error body.
const MAX_BYTES: usize = 256 * 1024;
/// The maximum time to wait for an error body. The decision on a retry needs only the head.
#[cfg(not(target_arch = "wasm32"))]
const BODY_TIMEOUT: Duration = Duration::from_secs(1);
/// The maximum number of characters of a body that an [`Error`](crate::Error) contains.
const MAX_CHARACTERS: usize = 1_024;

/// An error response, with all secrets redacted.
#[derive(Debug)]
pub(crate) struct ErrorResponse {
    pub(crate) status: u16,
    pub(crate) request_id: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) body: ErrorBody,
}

/// The body of an error response.
#[derive(Debug)]
pub(crate) enum ErrorBody {
    /// A problem document from the service.
    Problem(Problem),
    /// The first part of any other body, such as a proxy's page.
    Text(String),
}

impl ErrorResponse {
    /// Receives the response and redacts the secrets before the body is parsed.
    pub(crate) async fn receive(response: Response, secrets: &Secrets<'_>) -> Self {
        let status = response.status().as_u16();
        let request_id = request_id(response.headers(), secrets);
        let retry_after = retry_after(response.headers());
        let text = secrets.redact(&String::from_utf8_lossy(&receive_body(response).await));
        Self { status, request_id, retry_after, body: ErrorBody::parse(&text) }
    }

    /// Returns the content of the body on one line.
    pub(crate) fn summary(&self) -> String {
        match &self.body {
            ErrorBody::Problem(problem) => one_line(&format!("{} ({})", problem.detail, problem.code)),
            ErrorBody::Text(text) if text.trim().is_empty() => "empty body".to_owned(),
            ErrorBody::Text(text) => one_line(text),
        }
    }
}

impl ErrorBody {
    /// Parses a body in which all secrets are redacted.
    pub(crate) fn parse(text: &str) -> Self {
        match serde_json::from_str(text) {
            Ok(problem) => Self::Problem(problem),
            Err(_) => Self::Text(text.chars().take(MAX_CHARACTERS).collect()),
        }
    }
}

/// Makes untrusted text safe for logs and terminals: one line, no control or bidirectional formatting characters.
fn one_line(text: &str) -> String {
    let is_control = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let words = text.split(|c: char| c.is_whitespace() || is_control(c)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").chars().take(MAX_CHARACTERS).collect()
}

/// Receives the part of the body that arrives within [`BODY_TIMEOUT`]. Ignores a lost or late rest.
#[cfg(not(target_arch = "wasm32"))]
async fn receive_body(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    let receive = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_BYTES {
                break;
            }
        }
    };
    // After a timeout, `body` holds the part that arrived.
    let _ = tokio::time::timeout(BODY_TIMEOUT, receive).await;
    body
}

/// Receives the body at once: in a browser, reqwest does not return chunks.
#[cfg(target_arch = "wasm32")]
async fn receive_body(response: Response) -> Vec<u8> {
    let mut body: Vec<u8> = response.bytes().await.map(Into::into).unwrap_or_default();
    body.truncate(MAX_BYTES);
    body
}
