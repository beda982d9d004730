//! Sends the requests of the checks: without a key, without redirects, with bounds.

use std::error::Error;
use std::iter::successors;
use std::time::Duration;

use family_api_client::reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName};
use family_api_client::reqwest::redirect::Policy;
use family_api_client::reqwest::{self, Client, RequestBuilder};
use serde_json::Value;

use crate::failure::Failure;

/// The timeout of a request.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum number of bytes of a body that are read. The largest document is the OpenAPI document.
const MAX_BODY: usize = 1 << 20;

/// Sends requests from this machine, without a proxy.
pub(crate) struct Probe(Client);

/// A response with the beginning of its body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Probe {
    pub(crate) fn new() -> Result<Self, Failure> {
        let client = Client::builder()
            .user_agent(concat!("family-doctor/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .no_proxy()
            .timeout(TIMEOUT)
            .build();
        client.map(Self).map_err(|error| Failure::Usage(format!("cannot create an HTTP client: {}", innermost(&error))))
    }

    pub(crate) async fn get(&self, url: &str) -> Result<Answer, String> {
        self.send(self.0.get(url)).await
    }

    /// Sends a POST request with a body of this media type.
    pub(crate) async fn post(&self, url: &str, media_type: &str, body: &'static str) -> Result<Answer, String> {
        self.send(self.0.post(url).header(CONTENT_TYPE, media_type).body(body)).await
    }

    /// Returns the response, or the cause of the failure.
    async fn send(&self, request: RequestBuilder) -> Result<Answer, String> {
        let request = request.header(ACCEPT, "application/json, text/event-stream, text/html");
        let mut response = request.send().await.map_err(|error| innermost(&error))?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| innermost(&error))? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_BODY {
                break;
            }
        }
        Ok(Answer { status: response.status().as_u16(), headers: response.headers().clone(), body })
    }
}

impl Answer {
    pub(crate) fn header(&self, name: HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub(crate) fn headers(&self, name: HeaderName) -> impl Iterator<Item = &str> {
        self.headers.get_all(name).iter().filter_map(|value| value.to_str().ok())
    }

    /// Returns the body if it is JSON, otherwise `null`.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// Returns the innermost cause. The outer causes only name layers of the HTTP client.
fn innermost(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return format!("no answer within {} seconds", TIMEOUT.as_secs());
    }
    let error: &dyn Error = error;
    successors(error.source(), |source| (*source).source()).last().unwrap_or(error).to_string()
}
