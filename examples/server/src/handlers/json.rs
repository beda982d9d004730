//! JSON responses.

use family_api_core::Error;
use salvo::Response;
use salvo::http::header::CONTENT_TYPE;
use salvo::http::{HeaderValue, ResBody, StatusCode};
use serde::Serialize;

/// Writes a 200 response with the value as JSON.
pub(super) fn render(res: &mut Response, value: &impl Serialize) -> Result<(), Error> {
    let json = serde_json::to_vec(value).map_err(|error| Error::Internal(Box::new(error)))?;
    res.status_code(StatusCode::OK);
    res.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    res.replace_body(ResBody::Once(json.into()));
    Ok(())
}
