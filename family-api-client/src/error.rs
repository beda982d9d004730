//! The error of a call.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use family_api_types::validation::FieldFault;
use family_api_types::{ErrorCode, Problem};

use crate::error_response::{ErrorBody, ErrorResponse};

/// The error of a call. It contains no secret and no URL.
///
/// Its methods classify the failure, such as [`is_not_found`](Self::is_not_found). `Debug` contains the message,
/// because a `main` that returns this error prints `Debug`.
pub struct Error {
    kind: Box<Kind>,
    is_in_doubt: bool,
}

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error("invalid client configuration: {0}")]
    Configuration(&'static str),
    #[error("{}", transport_message(.0))]
    Transport(#[source] reqwest::Error),
    #[error("the response cannot be decoded: {fault}")]
    Unreadable { status: u16, request_id: Option<String>, fault: String },
    #[error("the service returned {}: {}", .0.status, .0.summary())]
    ErrorResponse(ErrorResponse),
}

/// Describes the failure of a request without a complete response.
fn transport_message(source: &reqwest::Error) -> &'static str {
    if source.is_timeout() {
        "the service did not respond in time"
    } else if was_not_sent(source) {
        "could not connect to the service"
    } else {
        "the connection was lost before the response was complete"
    }
}

/// Returns whether a retry would fail in the same way: a redirect loop, or a request that cannot be built.
fn is_permanent(source: &reqwest::Error) -> bool {
    #[cfg(target_arch = "wasm32")]
    return source.is_builder();
    #[cfg(not(target_arch = "wasm32"))]
    return source.is_builder() || source.is_redirect();
}

fn was_not_sent(source: &reqwest::Error) -> bool {
    #[cfg(target_arch = "wasm32")]
    return source.is_builder();
    #[cfg(not(target_arch = "wasm32"))]
    return source.is_builder() || source.is_connect();
}

impl Error {
    pub(crate) fn configuration(fault: &'static str) -> Self {
        Self::new(Kind::Configuration(fault))
    }

    pub(crate) fn transport(source: reqwest::Error) -> Self {
        Self::new(Kind::Transport(source.without_url()))
    }

    pub(crate) fn unreadable(status: u16, request_id: Option<String>, fault: String) -> Self {
        Self::new(Kind::Unreadable { status, request_id, fault })
    }

    pub(crate) fn from_response(response: ErrorResponse) -> Self {
        Self::new(Kind::ErrorResponse(response))
    }

    fn new(kind: Kind) -> Self {
        Self { kind: Box::new(kind), is_in_doubt: false }
    }

    /// Marks the call as in doubt if `is_in_doubt` is set. Never removes the mark.
    pub(crate) fn with_doubt(self, is_in_doubt: bool) -> Self {
        Self { is_in_doubt: self.is_in_doubt || is_in_doubt, ..self }
    }

    fn error_response(&self) -> Option<&ErrorResponse> {
        match &*self.kind {
            Kind::ErrorResponse(response) => Some(response),
            _ => None,
        }
    }

    fn problem(&self) -> Option<&Problem> {
        match &self.error_response()?.body {
            ErrorBody::Problem(problem) => Some(problem),
            ErrorBody::Text(_) => None,
        }
    }

    /// Returns the HTTP status, if there was a response.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match &*self.kind {
            Kind::ErrorResponse(response) => Some(response.status),
            Kind::Unreadable { status, .. } => Some(*status),
            Kind::Configuration(_) | Kind::Transport(_) => None,
        }
    }

    /// Returns the stable error code (HTTP reference, "Codes"), including codes that this version does not know.
    ///
    /// `None` if the response is not from the service but, for example, from a proxy. [`ErrorCode`] lists the known
    /// codes.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.problem().map(|problem| problem.code.as_str())
    }

    /// Returns whether the service returned this error code, such as [`ErrorCode::IdempotencyMismatch`].
    #[must_use]
    pub fn is_code(&self, code: ErrorCode) -> bool {
        self.code() == Some(code.as_str())
    }

    /// Returns the service's description of the error, for people.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        self.problem().map(|problem| problem.detail.as_str())
    }

    /// Returns the first 1,024 characters of a response that is not from the service, such as a proxy's error page.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.error_response()?.body {
            ErrorBody::Text(text) => Some(text),
            ErrorBody::Problem(_) => None,
        }
    }

    /// Returns the request id, by which the operators of the service can find the request in their logs.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        match &*self.kind {
            Kind::ErrorResponse(ErrorResponse { request_id, .. }) | Kind::Unreadable { request_id, .. } => {
                request_id.as_deref()
            }
            Kind::Configuration(_) | Kind::Transport(_) => None,
        }
    }

    /// Returns the invalid fields of the request. The service lists at most 50 of them.
    #[must_use]
    pub fn field_errors(&self) -> &[FieldFault] {
        self.problem().map_or(&[], |problem| &problem.errors)
    }

    /// Returns the number of invalid fields, including those that [`field_errors`](Self::field_errors) omits.
    #[must_use]
    pub fn field_error_count(&self) -> usize {
        self.problem().map_or(0, |problem| problem.error_count.unwrap_or(problem.errors.len()))
    }

    /// Returns the pause that the service requires before a retry (`Retry-After`).
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.error_response()?.retry_after
    }

    /// Returns whether the record does not exist or is not visible to the caller (404).
    ///
    /// If there is no [`code`](Self::code), the 404 is not from the service: the base URL is probably wrong.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.status() == Some(404)
    }

    /// Returns whether the token or the session is not accepted (401). [`code`](Self::code) gives the reason.
    #[must_use]
    pub fn is_unauthorized(&self) -> bool {
        self.status() == Some(401)
    }

    /// Returns whether the call failed because the user's personal API is off.
    ///
    /// The status is 401 for a call with a token, and 403 for the creation of a key.
    #[must_use]
    pub fn is_api_disabled(&self) -> bool {
        self.is_code(ErrorCode::ApiDisabled)
    }

    /// Returns whether the record is at another version than [`if_match`](crate::Call::if_match) requires, so that
    /// nothing was changed (412).
    ///
    /// Read the record again before another write. Returns `false` for a 412 if the call
    /// [is in doubt](Self::is_in_doubt): an earlier attempt of the same call may have changed the record.
    #[must_use]
    pub fn is_precondition_failed(&self) -> bool {
        self.status() == Some(412) && !self.is_in_doubt
    }

    /// Returns whether a board, column, list or category was not deleted because it is not empty (409).
    #[must_use]
    pub fn is_not_empty(&self) -> bool {
        self.is_code(ErrorCode::NotEmpty)
    }

    /// Returns whether the service does not know all [changes](crate::api::ReadApi::changes) since the state of the call
    /// (410). Read everything again, and continue with the state of the first read.
    #[must_use]
    pub fn is_sync_expired(&self) -> bool {
        self.is_code(ErrorCode::SyncExpired)
    }

    /// Returns whether a write may have taken effect although the call failed. Always `false` for a read.
    ///
    /// This is the case if, for any attempt of the call:
    ///
    /// - the request was sent and no complete response came,
    /// - the response is a 5xx,
    /// - the response cannot be decoded, or
    /// - another creation with the same idempotency key was still running.
    ///
    /// A later attempt of the same call never resets the result to `false`. Read the record before you repeat the call.
    #[must_use]
    pub fn is_in_doubt(&self) -> bool {
        self.is_in_doubt
    }

    /// Returns whether the configuration of the client is invalid. Nothing was sent.
    #[must_use]
    pub fn is_configuration(&self) -> bool {
        matches!(&*self.kind, Kind::Configuration(_))
    }

    /// Returns whether the call timed out.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        matches!(&*self.kind, Kind::Transport(source) if source.is_timeout())
    }

    /// Returns whether the same call may succeed later.
    ///
    /// If the call [is in doubt](Self::is_in_doubt), read the record before you repeat the call.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        matches!(self.status(), Some(429 | 502 | 503 | 504))
            || self.is_code(ErrorCode::IdempotencyRunning)
            || matches!(&*self.kind, Kind::Transport(source) if !is_permanent(source))
    }

    /// Returns whether nothing was sent, so that the call had no effect: the configuration is invalid, or no connection
    /// could be established.
    #[must_use]
    pub fn was_not_sent(&self) -> bool {
        let was_not_sent = match &*self.kind {
            Kind::Configuration(_) => true,
            Kind::Transport(source) => was_not_sent(source),
            Kind::Unreadable { .. } | Kind::ErrorResponse(_) => false,
        };
        was_not_sent && !self.is_in_doubt
    }

    /// Returns whether the connection failed or was lost. A timeout does not count: no time is left for a retry.
    pub(crate) fn is_broken_connection(&self) -> bool {
        matches!(&*self.kind, Kind::Transport(source) if !source.is_timeout() && !is_permanent(source))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        if self.is_in_doubt { f.write_str("; the call may have taken effect") } else { Ok(()) }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("message", &self.to_string())
            .field("kind", &self.kind)
            .field("is_in_doubt", &self.is_in_doubt)
            .finish()
    }
}

/// Returns the source of the inner kind, because `Display` already shows the kind itself.
impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.kind.source()
    }
}
