//! The only table of codes and statuses (HTTP reference, "Codes").

/// A row of the table of errors: an HTTP status and a `code` (HTTP reference, "Codes").
///
/// `api_disabled` has two rows: 401 on a bearer route, 403 when a key is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// 400 `invalid_json`: the body is not a single JSON value of the accepted form.
    InvalidJson,
    /// 400 `invalid_query`: a query parameter has an invalid value.
    InvalidQuery,
    /// 400 `invalid_request`: the request violates HTTP.
    InvalidRequest,
    /// 400 `invalid_idempotency_key`: the idempotency key is not 1 to 255 characters of visible ASCII, or there is more
    /// than one.
    InvalidIdempotencyKey,
    /// 401 `missing_token`: a bearer route was called without a bearer token.
    MissingToken,
    /// 401 `invalid_token`: the token is unknown, revoked, expired or malformed.
    InvalidToken,
    /// 401 `api_disabled`: the token's user has not switched the personal API on.
    ApiDisabled,
    /// 401 `no_family`: the token's user has no family.
    NoFamily,
    /// 401 `insufficient_scope`: the token lacks a scope.
    InsufficientScope,
    /// 401 `not_signed_in`: no user is signed in, or a sign-in failed.
    NotSignedIn,
    /// 403 `api_disabled`: a key for the personal API cannot be created while the personal API is switched off.
    ApiDisabledForKey,
    /// 403 `cross_site_request`: a session route that writes, or an MCP endpoint, was called from another site.
    CrossSiteRequest,
    /// 404 `not_found`: the record or path does not exist, or the caller cannot see it.
    NotFound,
    /// 405 `method_not_allowed`: the path exists, but does not support the method.
    MethodNotAllowed,
    /// 409 `key_limit_reached`: the user has the maximum number of active keys.
    KeyLimitReached,
    /// 409 `connection_limit_reached`: the user has the maximum number of live connections.
    ConnectionLimitReached,
    /// 409 `consent_used`: the consent form was submitted before.
    ConsentUsed,
    /// 409 `not_empty`: the record contains other records.
    NotEmpty,
    /// 409 `record_limit_reached`: the family has the maximum number of records of this kind.
    RecordLimitReached,
    /// 409 `idempotency_running`: an earlier request with the same idempotency key is still running.
    IdempotencyRunning,
    /// 412 `precondition_failed`: no entity tag in `If-Match` matches the current version of the record.
    PreconditionFailed,
    /// 413 `payload_too_large`: the body is larger than the limit.
    PayloadTooLarge,
    /// 415 `unsupported_media_type`: the route does not accept the media type of the body.
    UnsupportedMediaType,
    /// 422 `idempotency_mismatch`: the idempotency key was used for another request.
    IdempotencyMismatch,
    /// 422 `invalid_field`: fields of the body are invalid.
    InvalidField,
    /// 429 `rate_limited`: the caller has exceeded a rate limit.
    RateLimited,
    /// 503 `unavailable`: the service is temporarily unavailable, or sheds load.
    Unavailable,
    /// 500 `internal`: any other error.
    Internal,
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
