//! The request id of a response.

use reqwest::header::{HeaderMap, HeaderName};

use crate::secrets::Secrets;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Returns the request id, by which operators find the request in their logs.
pub(crate) fn request_id(headers: &HeaderMap, secrets: &Secrets<'_>) -> Option<String> {
    headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).map(|id| secrets.redact(id))
}
