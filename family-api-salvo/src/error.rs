//! The errors of handlers, rendered as `problem+json` (HTTP reference, "Errors").

use std::borrow::Cow;
use std::error::Error as StdError;
use std::time::Duration;

use family_api_core::key::Scope;
#[cfg(feature = "mcp")]
use family_api_core::key::ScopeSet;
use family_api_core::storage::StorageError;
use family_api_core::{Error, ErrorCode, Problem};
use salvo::http::header::{ALLOW, CONTENT_ENCODING, CONTENT_TYPE, ETAG, RETRY_AFTER, WWW_AUTHENTICATE};
use salvo::http::{HeaderMap, HeaderName, HeaderValue, ResBody, StatusCode};
use salvo::{Response, Scribe};

use crate::guard::RequestIdGuard;
use crate::overload::Overload;

/// The beginning of every `WWW-Authenticate` value (RFC 6750, section 3).
const CHALLENGE: &str = r#"Bearer realm="family-api""#;

/// The `Retry-After` of every 503.
const UNAVAILABLE_RETRY_AFTER: Duration = Duration::from_secs(1);

/// The `Retry-After` of a request for which its batch had no time.
const BATCH_RETRY_AFTER: Duration = Duration::from_secs(1);

/// An error of a handler: an error of core, or an error of the HTTP layer such as 405.
///
/// `res.render(error)` replaces the body with the problem. The cause of an internal error is logged with the request id
/// and not sent to the client.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// An error of core.
    #[error(transparent)]
    Api(#[from] Error),
    /// The token lacks a scope for a message on an MCP endpoint.
    #[cfg(feature = "mcp")]
    #[error("{}", Error::InsufficientScope(missing.clone()))]
    McpScope {
        /// The missing scope.
        missing: Scope,
        /// The scopes to ask for: those that the token has on the surface, and the missing one.
        wanted: ScopeSet,
    },
    /// A tool that writes was called on the MCP endpoint of the read path, where no scope permits it.
    #[cfg(feature = "mcp")]
    #[error("this endpoint only reads: use {} with a token that may write", family_api_core::paths::V1_MCP)]
    ReadOnlyEndpoint,
    /// The request violates HTTP. The text is the reason.
    #[error("the request is not valid HTTP: {0}")]
    InvalidRequest(&'static str),
    /// A page of another site called a session route that writes, or an MCP endpoint.
    #[error("requests from another site are not allowed")]
    CrossSiteRequest,
    /// No route has this path.
    #[error("no route has this path. {hint}")]
    UnknownPath {
        /// What the client may have meant.
        hint: Cow<'static, str>,
    },
    /// The path exists, but does not support the method.
    #[error("this path does not support this method")]
    MethodNotAllowed {
        /// The supported methods, in the format of the `Allow` header.
        allow: String,
    },
    /// The body is larger than the limit.
    #[error("the request body is larger than {limit} bytes")]
    PayloadTooLarge {
        /// Maximum size of a body, in bytes.
        limit: usize,
    },
    /// The responses of a batch are larger than the limit, so that its next request was not made.
    #[error("the responses to the requests before have more than {limit} bytes: send this request in another batch")]
    BatchTooLarge {
        /// Size of the responses above which no further request of the batch is made, in bytes.
        limit: usize,
    },
    /// The time of a batch has passed, so that its next request was not made.
    #[error("the requests before have taken the time of a batch: this one was not made, send it in another batch")]
    BatchTimedOut,
    /// The route does not accept the media type of the body.
    #[error("the request body must be {expected}")]
    UnsupportedMediaType {
        /// The accepted media types.
        expected: &'static str,
    },
}

impl HttpError {
    /// Returns the error code, which determines the status and title of the response.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Api(error) => error.code(),
            #[cfg(feature = "mcp")]
            Self::McpScope { .. } | Self::ReadOnlyEndpoint => ErrorCode::McpScope,
            Self::InvalidRequest(_) => ErrorCode::InvalidRequest,
            Self::CrossSiteRequest => ErrorCode::CrossSiteRequest,
            Self::UnknownPath { .. } => ErrorCode::NotFound,
            Self::MethodNotAllowed { .. } => ErrorCode::MethodNotAllowed,
            Self::PayloadTooLarge { .. } | Self::BatchTooLarge { .. } => ErrorCode::PayloadTooLarge,
            Self::BatchTimedOut => ErrorCode::RateLimited,
            Self::UnsupportedMediaType { .. } => ErrorCode::UnsupportedMediaType,
        }
    }

    fn problem(&self, request_id: &str) -> Problem {
        match self {
            Self::Api(error) => error.problem(request_id),
            _ => Problem::new(self.code(), &self.to_string(), request_id),
        }
    }
}

/// Lets the host's own handlers return storage errors with `?`.
impl From<StorageError> for HttpError {
    fn from(error: StorageError) -> Self {
        Self::Api(error.into())
    }
}

impl Scribe for HttpError {
    fn render(self, res: &mut Response) {
        let request_id = RequestIdGuard::ensure(res);
        if let Self::Api(error) = &self {
            log(error, &request_id);
        }
        if matches!(self, Self::Api(Error::Overloaded)) {
            Overload::mark(res);
        }
        let problem = self.problem(&request_id);
        res.status_code(StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
        remove_body_headers(res.headers_mut());
        insert_headers(&self, res.headers_mut());
        let body = serde_json::to_vec(&problem).unwrap_or_default();
        res.replace_body(ResBody::Once(body.into()));
    }
}

/// Removes the headers that describe the replaced body.
fn remove_body_headers(headers: &mut HeaderMap) {
    for name in [CONTENT_ENCODING, ETAG] {
        headers.remove(name);
    }
}

fn insert_headers(error: &HttpError, headers: &mut HeaderMap) {
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(Problem::MEDIA_TYPE));
    if let Some((name, value)) = error_header(error)
        && let Ok(value) = HeaderValue::try_from(value)
    {
        headers.insert(name, value);
    }
}

/// Returns the header that only this error adds: `Allow`, `WWW-Authenticate` or `Retry-After`.
fn error_header(error: &HttpError) -> Option<(HeaderName, String)> {
    let error = match error {
        HttpError::Api(error) => error,
        #[cfg(feature = "mcp")]
        HttpError::McpScope { wanted, .. } => return Some((WWW_AUTHENTICATE, scope_challenge(wanted.iter()))),
        HttpError::MethodNotAllowed { allow } => return Some((ALLOW, allow.clone())),
        HttpError::BatchTimedOut => return Some((RETRY_AFTER, whole_seconds(BATCH_RETRY_AFTER))),
        _ => return None,
    };
    match error {
        Error::MissingToken => Some((WWW_AUTHENTICATE, CHALLENGE.to_owned())),
        Error::InvalidToken | Error::ApiDisabled | Error::NoFamily => {
            Some((WWW_AUTHENTICATE, format!(r#"{CHALLENGE}, error="invalid_token""#)))
        }
        Error::InsufficientScope(scope) => Some((WWW_AUTHENTICATE, scope_challenge([scope]))),
        Error::RateLimited { retry_after } => Some((RETRY_AFTER, whole_seconds(*retry_after))),
        Error::Unavailable(_) | Error::Overloaded => Some((RETRY_AFTER, whole_seconds(UNAVAILABLE_RETRY_AFTER))),
        _ => None,
    }
}

/// Returns the challenge that names the scopes to ask for.
fn scope_challenge<'a>(scopes: impl IntoIterator<Item = &'a Scope>) -> String {
    let names: Vec<&str> = scopes.into_iter().map(Scope::as_str).collect();
    format!(r#"{CHALLENGE}, error="insufficient_scope", scope="{}""#, names.join(" "))
}

/// Rounds up to whole seconds, at least 1.
fn whole_seconds(wait: Duration) -> String {
    let rounding = u64::from(wait.subsec_nanos() > 0);
    wait.as_secs().saturating_add(rounding).max(1).to_string()
}

/// Logs the cause of an internal error or of an unavailable service.
pub(crate) fn log(error: &Error, request_id: &str) {
    match error {
        Error::Internal(_) => tracing::error!(request_id, cause = error_chain(error), "request failed"),
        Error::Unavailable(_) => tracing::warn!(request_id, cause = error_chain(error), "request could not be served"),
        _ => {}
    }
}

/// Returns the messages of an error and its sources, joined with `: `.
fn error_chain(error: &Error) -> String {
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

    fn render(error: Error) -> Response {
        let mut res = Response::new();
        res.render(HttpError::Api(error));
        res
    }

    #[test]
    fn retry_after_rounds_up_to_whole_seconds() {
        for (wait, expected) in [(0, "1"), (1, "1"), (1_000, "1"), (1_001, "2"), (59_999, "60")] {
            let res = render(Error::RateLimited { retry_after: Duration::from_millis(wait) });
            assert_eq!(res.status_code, Some(StatusCode::TOO_MANY_REQUESTS));
            assert_eq!(res.headers()[RETRY_AFTER], expected, "{wait} ms");
        }
    }

    #[test]
    fn failed_precondition_adds_no_error_header() {
        let res = render(Error::PreconditionFailed);
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
            res.render(HttpError::from(fault));
            assert_eq!(res.status_code.map(|status| status.as_u16()), Some(status));
        }
    }

    #[test]
    fn log_contains_the_whole_error_chain() {
        let error = Error::from(StorageError::backend("disk full"));
        assert_eq!(error_chain(&error), "something went wrong inside the service: the storage failed: disk full");
    }
}
