//! JSON responses that are not part of the API's own contract.

use salvo::Response;
use salvo::http::header::{CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use salvo::http::{HeaderValue, ResBody, StatusCode};
use serde_json::Value;

/// Renders a document with status 200.
pub(super) fn render(document: &Value, res: &mut Response) {
    res.status_code(StatusCode::OK);
    let headers = res.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    res.replace_body(ResBody::Once(document.to_string().into()));
}
