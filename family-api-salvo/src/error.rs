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

/// How long a caller shall wait when the service cannot say better.
const PAUSE: Duration = Duration::from_secs(1);

/// Answers a request with an error: every failure of this API leaves through here.
///
/// It takes the place of whatever body was there. What the caller is not told, the log is: the source of a fault is
/// written there under the request's id.
#[derive(Debug)]
pub struct Failure(pub Error);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

/// A fault of the storage, for a host's own handlers.
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

/// Takes away what describes the body that was there before.
fn remove_headers(headers: &mut HeaderMap) {
    for name in [CONTENT_ENCODING, ETAG] {
        headers.remove(name);
    }
}

fn insert_headers(error: &Error, headers: &mut HeaderMap) {
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(Problem::MEDIA_TYPE));
    if let Some((name, value)) = own_header(error)
        && let Ok(value) = HeaderValue::try_from(value)
    {
        headers.insert(name, value);
    }
}

/// The header that belongs to this error and no other.
fn own_header(error: &Error) -> Option<(HeaderName, String)> {
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
        Error::Unavailable(_) | Error::Overloaded => Some((RETRY_AFTER, seconds(PAUSE))),
        _ => None,
    }
}

/// Whole seconds, at least one, and never too early.
fn seconds(wait: Duration) -> String {
    let started = u64::from(wait.subsec_nanos() > 0);
    wait.as_secs().saturating_add(started).max(1).to_string()
}

fn log(error: &Error, request_id: &str) {
    match error {
        Error::Internal(_) => tracing::error!(request_id, cause = chain(error), "request failed"),
        Error::Unavailable(_) => tracing::warn!(request_id, cause = chain(error), "request could not be served"),
        _ => {}
    }
}

/// An error and everything beneath it, the nearest first.
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
    fn a_wait_is_told_in_whole_seconds_and_never_too_early() {
        for (wait, told) in [(0, "1"), (1, "1"), (1_000, "1"), (1_001, "2"), (59_999, "60")] {
            let res = rendered(Error::RateLimited { retry_after: Duration::from_millis(wait) });
            assert_eq!(res.status_code, Some(StatusCode::TOO_MANY_REQUESTS));
            assert_eq!(res.headers()[RETRY_AFTER], told, "{wait} ms");
        }
    }

    #[test]
    fn a_failed_precondition_is_a_problem_without_a_header_of_its_own() {
        let res = rendered(Error::PreconditionFailed);
        assert_eq!(res.status_code, Some(StatusCode::PRECONDITION_FAILED));
        assert_eq!(res.headers()[CONTENT_TYPE], "application/problem+json");
        for name in [WWW_AUTHENTICATE, ALLOW, RETRY_AFTER] {
            assert!(!res.headers().contains_key(&name), "{name}");
        }
    }

    #[test]
    fn a_fault_of_the_storage_answers_by_its_meaning() {
        for (fault, status) in [(StorageError::unavailable("gone"), 503), (StorageError::corrupt("odd"), 500)] {
            let mut res = Response::new();
            res.render(Failure::from(fault));
            assert_eq!(res.status_code.map(|status| status.as_u16()), Some(status));
        }
    }

    #[test]
    fn the_log_has_the_whole_chain() {
        let error = Error::from(StorageError::backend("disk full"));
        assert_eq!(chain(&error), "something went wrong inside the service: the storage failed: disk full");
    }
}
