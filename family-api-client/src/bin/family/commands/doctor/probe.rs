//! Sends the requests of the checks: without a key, without redirects, with bounds.

use std::borrow::Cow;
use std::error::Error;
use std::iter::successors;
use std::time::Duration;

use family_api_client::reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, IF_NONE_MATCH};
use family_api_client::reqwest::redirect::Policy;
use family_api_client::reqwest::{self, Client, RequestBuilder};
use serde_json::Value;

use crate::failure::Failure;

/// The timeout of a request.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum number of bytes of a body that are read. The largest is a calendar feed of 4 MiB and its time zones.
const MAX_BODY: usize = 8 << 20;
/// The media types that assistants and browsers accept.
const ACCEPTED: &str = "application/json, text/event-stream, text/html";

/// Sends requests from this machine, without a proxy.
pub(crate) struct Probe(Client);

/// A response with the beginning of its body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
    /// Why the body is not complete.
    fault: Option<String>,
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
        self.send(self.0.get(url).header(ACCEPT, ACCEPTED)).await
    }

    /// Reads a calendar feed as a program does that accepts compressed answers.
    pub(crate) async fn get_feed(&self, url: &str) -> Result<Answer, String> {
        self.send(self.calendar_request(url)).await
    }

    /// Reads a calendar feed unless it has this entity tag.
    pub(crate) async fn get_feed_unless(&self, url: &str, tag: &str) -> Result<Answer, String> {
        self.send(self.calendar_request(url).header(IF_NONE_MATCH, tag)).await
    }

    pub(crate) async fn head(&self, url: &str) -> Result<Answer, String> {
        self.send(self.0.head(url)).await
    }

    fn calendar_request(&self, url: &str) -> RequestBuilder {
        self.0.get(url).header(ACCEPT, "text/calendar, */*").header(ACCEPT_ENCODING, "gzip, br")
    }

    /// Sends a POST request with a body of this media type.
    pub(crate) async fn post(&self, url: &str, media_type: &str, body: &'static str) -> Result<Answer, String> {
        let request = self.0.post(url).header(ACCEPT, ACCEPTED).header(CONTENT_TYPE, media_type);
        self.send(request.body(body)).await
    }

    /// Returns the response, or the cause of the failure.
    async fn send(&self, request: RequestBuilder) -> Result<Answer, String> {
        let mut response = request.send().await.map_err(|error| innermost(&error.without_url()))?;
        let mut body = Vec::new();
        let fault = loop {
            match response.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => break None,
                Err(error) => break Some(innermost(&error.without_url())),
            }
            if body.len() > MAX_BODY {
                break Some("it is too long".to_owned());
            }
        };
        Ok(Answer { status: response.status().as_u16(), headers: response.headers().clone(), body, fault })
    }
}

impl Answer {
    pub(crate) fn header(&self, name: HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub(crate) fn headers(&self, name: HeaderName) -> impl Iterator<Item = &str> {
        self.headers.get_all(name).iter().filter_map(|value| value.to_str().ok())
    }

    /// Returns the body, or its beginning if it is not complete.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.body
    }

    /// Returns the body as text. Characters that are not UTF-8 are replaced.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }

    /// Returns why the body is not complete.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
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
