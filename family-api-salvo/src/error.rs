//! Renders a core [`Error`] as `problem+json` with the headers that its status needs (HTTP reference, "Errors").

use std::error::Error as StdError;
use std::time::Duration;

use family_api_core::storage::StorageError;
use family_api_core::{Error, Problem};
use salvo::http::header::{ALLOW, CONTENT_ENCODING, CONTENT_TYPE, ETAG, RETRY_AFTER, WWW_AUTHENTICATE};
use salvo::http::{HeaderMap, HeaderName, HeaderValue, ResBody, StatusCode};
use salvo::{Response, Scribe};

use crate::guard::request_id;

const CHALLENGE: &str = r#"Bearer realm="family-api""#;

/// Default `Retry-After` of a 503.
const DEFAULT_RETRY_AFTER: Duration = Duration::from_secs(1);

/// Renders an error as the response. Every failure of this API is rendered here.
///
/// Replaces the body of the response. The cause of an internal error is not sent to the client. It is logged with the
/// request id.
#[derive(Debug)]
pub struct Failure(pub Error);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

/// Converts storage errors in the host's own handlers.
impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        Self(error.into())
    }
}

impl Scribe for Failure {
    fn render(self, res: &mut Response) {
        let request_id = request_id::ensure(res);
        log(&self.0, &request_id);
        let problem = Problem::new(&self.0, &request_id);
        res.status_code(StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
        remove_headers(res.headers_mut());
        insert_headers(&self.0, res.headers_mut());
        let body = serde_json::to_vec(&problem).unwrap_or_default();
        res.replace_body(ResBody::Once(body.into()));
    }
}

/// Removes the headers of the replaced body.
fn remove_headers(headers: &mut HeaderMap) {
    for name in [CONTENT_ENCODING, ETAG] {
        headers.remove(name);
    }
}

fn insert_headers(error: &Error, headers: &mut HeaderMap) {
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(Problem::MEDIA_TYPE));
    if let Some((name, value)) = specific_header(error)
        && let Ok(value) = HeaderValue::try_from(value)
    {
        headers.insert(name, value);
    }
}

/// Returns the header that is specific to this error.
fn specific_header(error: &Error) -> Option<(HeaderName, String)> {
    match error {
        Error::MissingToken => Some((WWW_AUTHENTICATE, CHALLENGE.to_owned())),
        Error::InvalidToken | Error::ApiDisabled | Error::NoFamily => {
            Some((WWW_AUTHENTICATE, format!(r#"{CHALLENGE}, error="invalid_token""#)))
        }
        Error::InsufficientScope(scope) => {
            Some((WWW_AUTHENTICATE, format!(r#"{CHALLENGE}, error="insufficient_scope", scope="{scope}""#)))
        }
        Error::MethodNotAllowed { allow } => Some((ALLOW, allow.clone())),
        Error::RateLimited { retry_after } => Some((RETRY_AFTER, seconds(*retry_after))),
        Error::Unavailable(_) | Error::Overloaded => Some((RETRY_AFTER, seconds(DEFAULT_RETRY_AFTER))),
        _ => None,
    }
}

/// Rounds up to whole seconds. Returns at least 1.
fn seconds(wait: Duration) -> String {
    let rounding = u64::from(wait.subsec_nanos() > 0);
    wait.as_secs().saturating_add(rounding).max(1).to_string()
}

fn log(error: &Error, request_id: &str) {
    match error {
        Error::Internal(_) => tracing::error!(request_id, cause = chain(error), "request failed"),
        Error::Unavailable(_) => tracing::warn!(request_id, cause = chain(error), "request could not be served"),
        _ => {}
    }
}

/// Returns the messages of an error and its sources, joined with `: `.
fn chain(error: &Error) -> String {
    let mut chain = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        chain.extend([": ", &error.to_string()]);
        source = error.source();
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(error: Error) -> Response {
        let mut res = Response::new();
        res.render(Failure(error));
        res
    }

    #[test]
    fn retry_after_rounds_up_to_whole_seconds() {
        for (wait, expected) in [(0, "1"), (1, "1"), (1_000, "1"), (1_001, "2"), (59_999, "60")] {
            let res = rendered(Error::RateLimited { retry_after: Duration::from_millis(wait) });
            assert_eq!(res.status_code, Some(StatusCode::TOO_MANY_REQUESTS));
            assert_eq!(res.headers()[RETRY_AFTER], expected, "{wait} ms");
        }
    }

    #[test]
    fn failed_precondition_has_no_specific_header() {
        let res = rendered(Error::PreconditionFailed);
        assert_eq!(res.status_code, Some(StatusCode::PRECONDITION_FAILED));
        assert_eq!(res.headers()[CONTENT_TYPE], "application/problem+json");
        for name in [WWW_AUTHENTICATE, ALLOW, RETRY_AFTER] {
            assert!(!res.headers().contains_key(&name), "{name}");
        }
    }

    #[test]
    fn storage_error_maps_to_its_status() {
        for (fault, status) in [(StorageError::unavailable("gone"), 503), (StorageError::corrupt("odd"), 500)] {
            let mut res = Response::new();
            res.render(Failure::from(fault));
            assert_eq!(res.status_code.map(|status| status.as_u16()), Some(status));
        }
    }

    #[test]
    fn log_contains_the_whole_error_chain() {
        let error = Error::from(StorageError::backend("disk full"));
        assert_eq!(chain(&error), "something went wrong inside the service: the storage failed: disk full");
    }
}
