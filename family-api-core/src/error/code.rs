//! The only table of codes and statuses (HTTP reference, "Codes").

use crate::error::Error;

/// A row of the table of errors: an HTTP status and a `code` (HTTP reference, "Codes").
///
/// `api_disabled` has two rows: 401 on a bearer route, 403 when a key is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// 400 `invalid_json`: [`Error::InvalidJson`].
    InvalidJson,
    /// 400 `invalid_query`: [`Error::InvalidQuery`].
    InvalidQuery,
    /// 400 `invalid_request`: the request violates HTTP.
    InvalidRequest,
    /// 400 `invalid_idempotency_key`: [`Error::InvalidIdempotencyKey`].
    InvalidIdempotencyKey,
    /// 401 `missing_token`: [`Error::MissingToken`].
    MissingToken,
    /// 401 `invalid_token`: [`Error::InvalidToken`].
    InvalidToken,
    /// 401 `api_disabled`: [`Error::ApiDisabled`].
    ApiDisabled,
    /// 401 `no_family`: [`Error::NoFamily`].
    NoFamily,
    /// 401 `insufficient_scope`: [`Error::InsufficientScope`].
    InsufficientScope,
    /// 401 `not_signed_in`: [`Error::NotSignedIn`] and [`Error::WrongPassword`].
    NotSignedIn,
    /// 403 `api_disabled`: [`Error::ApiDisabledForKey`].
    ApiDisabledForKey,
    /// 403 `cross_site_request`: a session route that writes, or an MCP endpoint, was called from another site.
    CrossSiteRequest,
    /// 404 `not_found`: [`Error::NotFound`].
    NotFound,
    /// 405 `method_not_allowed`: the path exists, but does not support the method.
    MethodNotAllowed,
    /// 409 `key_limit_reached`: [`Error::KeyLimitReached`].
    KeyLimitReached,
    /// 409 `connection_limit_reached`: [`Error::ConnectionLimitReached`].
    ConnectionLimitReached,
    /// 409 `consent_used`: [`Error::ConsentUsed`].
    ConsentUsed,
    /// 409 `not_empty`: [`Error::NotEmpty`].
    NotEmpty,
    /// 409 `record_limit_reached`: [`Error::RecordLimitReached`].
    RecordLimitReached,
    /// 409 `idempotency_running`: [`Error::IdempotencyRunning`].
    IdempotencyRunning,
    /// 412 `precondition_failed`: [`Error::PreconditionFailed`].
    PreconditionFailed,
    /// 413 `payload_too_large`: the body is larger than the limit.
    PayloadTooLarge,
    /// 415 `unsupported_media_type`: the route does not accept the media type of the body.
    UnsupportedMediaType,
    /// 422 `idempotency_mismatch`: [`Error::IdempotencyMismatch`].
    IdempotencyMismatch,
    /// 422 `invalid_field`: [`Error::InvalidField`].
    InvalidField,
    /// 429 `rate_limited`: [`Error::RateLimited`].
    RateLimited,
    /// 503 `unavailable`: [`Error::Unavailable`] and [`Error::Overloaded`].
    Unavailable,
    /// 500 `internal`: [`Error::Internal`].
    Internal,
}

impl Error {
    /// Returns the row of the error table that determines the response.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::InvalidJson(_) => ErrorCode::InvalidJson,
            Self::InvalidQuery(_) => ErrorCode::InvalidQuery,
            Self::InvalidIdempotencyKey => ErrorCode::InvalidIdempotencyKey,
            Self::MissingToken => ErrorCode::MissingToken,
            Self::InvalidToken => ErrorCode::InvalidToken,
            Self::ApiDisabled => ErrorCode::ApiDisabled,
            Self::NoFamily => ErrorCode::NoFamily,
            Self::InsufficientScope(_) => ErrorCode::InsufficientScope,
            Self::NotSignedIn | Self::WrongPassword => ErrorCode::NotSignedIn,
            Self::ApiDisabledForKey => ErrorCode::ApiDisabledForKey,
            Self::NotFound => ErrorCode::NotFound,
            Self::KeyLimitReached { .. } => ErrorCode::KeyLimitReached,
            Self::ConnectionLimitReached { .. } => ErrorCode::ConnectionLimitReached,
            Self::ConsentUsed => ErrorCode::ConsentUsed,
            Self::NotEmpty => ErrorCode::NotEmpty,
            Self::RecordLimitReached { .. } => ErrorCode::RecordLimitReached,
            Self::IdempotencyRunning => ErrorCode::IdempotencyRunning,
            Self::PreconditionFailed => ErrorCode::PreconditionFailed,
            Self::IdempotencyMismatch => ErrorCode::IdempotencyMismatch,
            Self::InvalidField(_) => ErrorCode::InvalidField,
            Self::RateLimited { .. } => ErrorCode::RateLimited,
            Self::Unavailable(_) | Self::Overloaded => ErrorCode::Unavailable,
            Self::Internal(_) => ErrorCode::Internal,
        }
    }
}

impl ErrorCode {
    /// Every row, in the order of the table.
    pub const ALL: [Self; 28] = [
        Self::InvalidJson,
        Self::InvalidQuery,
        Self::InvalidRequest,
        Self::InvalidIdempotencyKey,
        Self::MissingToken,
        Self::InvalidToken,
        Self::ApiDisabled,
        Self::NoFamily,
        Self::InsufficientScope,
        Self::NotSignedIn,
        Self::ApiDisabledForKey,
        Self::CrossSiteRequest,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::KeyLimitReached,
        Self::ConnectionLimitReached,
        Self::ConsentUsed,
        Self::NotEmpty,
        Self::RecordLimitReached,
        Self::IdempotencyRunning,
        Self::PreconditionFailed,
        Self::PayloadTooLarge,
        Self::UnsupportedMediaType,
        Self::IdempotencyMismatch,
        Self::InvalidField,
        Self::RateLimited,
        Self::Unavailable,
        Self::Internal,
    ];

    /// Returns the HTTP status and the `code` member of the problem body.
    #[must_use]
    pub const fn row(self) -> (u16, &'static str) {
        match self {
            Self::InvalidJson => (400, "invalid_json"),
            Self::InvalidQuery => (400, "invalid_query"),
            Self::InvalidRequest => (400, "invalid_request"),
            Self::InvalidIdempotencyKey => (400, "invalid_idempotency_key"),
            Self::MissingToken => (401, "missing_token"),
            Self::InvalidToken => (401, "invalid_token"),
            Self::ApiDisabled => (401, "api_disabled"),
            Self::NoFamily => (401, "no_family"),
            Self::InsufficientScope => (401, "insufficient_scope"),
            Self::NotSignedIn => (401, "not_signed_in"),
            Self::ApiDisabledForKey => (403, "api_disabled"),
            Self::CrossSiteRequest => (403, "cross_site_request"),
            Self::NotFound => (404, "not_found"),
            Self::MethodNotAllowed => (405, "method_not_allowed"),
            Self::KeyLimitReached => (409, "key_limit_reached"),
            Self::ConnectionLimitReached => (409, "connection_limit_reached"),
            Self::ConsentUsed => (409, "consent_used"),
            Self::NotEmpty => (409, "not_empty"),
            Self::RecordLimitReached => (409, "record_limit_reached"),
            Self::IdempotencyRunning => (409, "idempotency_running"),
            Self::PreconditionFailed => (412, "precondition_failed"),
            Self::PayloadTooLarge => (413, "payload_too_large"),
            Self::UnsupportedMediaType => (415, "unsupported_media_type"),
            Self::IdempotencyMismatch => (422, "idempotency_mismatch"),
            Self::InvalidField => (422, "invalid_field"),
            Self::RateLimited => (429, "rate_limited"),
            Self::Unavailable => (503, "unavailable"),
            Self::Internal => (500, "internal"),
        }
    }

    /// Returns the HTTP status.
    #[must_use]
    pub const fn status(self) -> u16 {
        self.row().0
    }

    /// Returns the `code` member of the problem body.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.row().1
    }

    /// Returns the `title` member of the problem body: the name of the status (RFC 9110).
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self.status() {
            400 => "Bad Request",
            401 => "Unauthorized",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            409 => "Conflict",
            412 => "Precondition Failed",
            413 => "Content Too Large",
            415 => "Unsupported Media Type",
            422 => "Unprocessable Content",
            429 => "Too Many Requests",
            503 => "Service Unavailable",
            _ => "Internal Server Error",
        }
    }
}
