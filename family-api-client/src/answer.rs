//! What came back: a body to read, or a failure that says what it can.

use std::time::Duration;

use bytes::Bytes;
use family_api_core::Problem;
use jiff::fmt::rfc2822;
use reqwest::Response;
use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use serde_path_to_error::Path;

use crate::Error;
use crate::credential::Credential;
use crate::error::{Refusal, Said};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// A failure longer than that is none of the service's.
const MAX_FAILURE_BYTES: usize = 256 * 1024;
const NO_JSON: &str = "no JSON";
const MAX_TEXT_CHARACTERS: usize = 1_024;

/// A success.
pub(crate) struct Answer {
    status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    /// Receives the whole answer; what is no success is an error, with what its body says but the secret.
    pub(crate) async fn of(response: Response, credential: Option<&Credential>) -> Result<Self, Error> {
        if !response.status().is_success() {
            return Err(refusal(response, credential).await);
        }
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await.map_err(Error::transport)?;
        Ok(Self { status, headers, body })
    }

    /// What the service says has not changed.
    pub(crate) fn kept(response: &Response, body: Bytes) -> Self {
        Self { status: response.status().as_u16(), headers: response.headers().clone(), body }
    }

    /// Reads the body. An error names the place, and quotes nothing of what is the family's.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let mut input = serde_json::Deserializer::from_slice(&self.body);
        let read = serde_path_to_error::deserialize(&mut input);
        let value = read.map_err(|fault| self.unreadable(describe(fault.inner(), fault.path())))?;
        input.end().map_err(|_| self.unreadable(NO_JSON.to_owned()))?;
        Ok(value)
    }

    fn unreadable(&self, fault: String) -> Error {
        Error::unreadable(self.status, request_id(&self.headers), fault)
    }
}

fn describe(error: &serde_json::Error, place: &Path) -> String {
    match error.classify() {
        Category::Data => format!("another shape at {place}"),
        Category::Eof => "an early end".to_owned(),
        Category::Syntax | Category::Io => NO_JSON.to_owned(),
    }
}

async fn refusal(response: Response, credential: Option<&Credential>) -> Error {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let body = failure_body(response).await;
    let redacted = |text: &str| credential.map_or_else(|| text.to_owned(), |credential| credential.redact(text));
    let said = match serde_json::from_slice::<Problem>(&body) {
        Ok(problem) => Said::Problem(Problem { detail: redacted(&problem.detail), ..problem }),
        Err(_) => Said::Text(redacted(&String::from_utf8_lossy(&body)).chars().take(MAX_TEXT_CHARACTERS).collect()),
    };
    Error::refused(Refusal { status, request_id: request_id(&headers), retry_after: retry_after(&headers), said })
}

/// What there is of a failure's body: its status counts, also where the rest is lost.
#[cfg(not(target_arch = "wasm32"))]
async fn failure_body(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_FAILURE_BYTES {
            break;
        }
    }
    body
}

/// A browser hands out whole bodies.
#[cfg(target_arch = "wasm32")]
async fn failure_body(response: Response) -> Vec<u8> {
    let mut body: Vec<u8> = response.bytes().await.map(Into::into).unwrap_or_default();
    body.truncate(MAX_FAILURE_BYTES);
    body
}

fn request_id(headers: &HeaderMap) -> Option<String> {
    headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).map(str::to_owned)
}

/// Seconds, or a date, which counts from the answer's own (RFC 9110, section 10.2.3).
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let after = text(RETRY_AFTER)?;
    if let Ok(seconds) = after.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = |text| rfc2822::parse(text).ok();
    let pause = date(after)?.timestamp().duration_since(date(text(DATE)?)?.timestamp());
    Some(pause.try_into().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pause(headers: &[(HeaderName, &'static str)]) -> Option<u64> {
        let headers = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
        retry_after(&headers).map(|pause| pause.as_secs())
    }

    #[test]
    fn retry_after_is_read_in_both_forms_and_nonsense_is_none() {
        let date = (DATE, "Sat, 21 Nov 2026 10:00:00 GMT");
        assert_eq!(pause(&[(RETRY_AFTER, "7")]), Some(7));
        assert_eq!(pause(&[(RETRY_AFTER, "Sat, 21 Nov 2026 10:00:09 GMT"), date.clone()]), Some(9));
        assert_eq!(pause(&[(RETRY_AFTER, "Sat, 21 Nov 2026 09:00:00 GMT"), date.clone()]), Some(0));
        assert_eq!(pause(&[(RETRY_AFTER, "Sat, 21 Nov 2026 10:00:09 GMT")]), None);
        for nonsense in ["", "-1", "soon", "1.5"] {
            assert_eq!(pause(&[(RETRY_AFTER, nonsense), date.clone()]), None, "{nonsense}");
        }
    }
}
