//! JSON responses that are not part of the API's own contract.

use salvo::Response;
use salvo::http::header::{CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use salvo::http::{HeaderValue, ResBody, StatusCode};
use serde_json::Value;

/// Renders a document. Keeps the headers that the response has.
pub(super) fn render(status: StatusCode, document: &Value, res: &mut Response) {
    res.status_code(status);
    let headers = res.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    res.replace_body(ResBody::Once(document.to_string().into()));
}
