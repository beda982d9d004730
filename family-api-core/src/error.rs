//! The errors of the API, and the only table of codes and statuses (HTTP reference, "Codes").

use std::error::Error as StdError;
use std::time::Duration;

use crate::change::Faults;
use crate::key::Scope;
#[cfg(feature = "service")]
use crate::storage::StorageError;

/// The reason why a request failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The body is not a single JSON value of the accepted form. Contains the reason.
    #[error("the request body is not valid JSON: {0}")]
    InvalidJson(String),
    /// A query parameter of the resource has an invalid value.
    #[error("the query parameter `{parameter}` is not valid: expected {expected}")]
    InvalidQuery {
        /// The name of the parameter.
        parameter: &'static str,
        /// The values that the parameter accepts.
        expected: &'static str,
    },
    /// The request violates HTTP. Contains the reason.
    #[error("the request is not valid HTTP: {0}")]
    InvalidRequest(&'static str),
    /// A bearer route was called without a bearer token.
    #[error("a bearer token is required")]
    MissingToken,
    /// The token is unknown, revoked, expired or malformed. The response does not reveal which.
    #[error("the bearer token is not valid")]
    InvalidToken,
    /// The token is valid, but its user has not switched the personal API on.
    #[error("the personal API of this user is switched off")]
    ApiDisabled,
    /// The token is valid, but its user has no family.
    #[error("this user has no family")]
    NoFamily,
    /// The token is valid, but lacks this scope.
    #[error("the bearer token lacks the scope {0}")]
    InsufficientScope(Scope),
    /// A session route was called without a valid session.
    #[error("no user is signed in")]
    NotSignedIn,
    /// A key for the personal API cannot be created while the personal API is switched off.
    #[error("a key of this mode can be created only while the personal API is switched on")]
    ApiDisabledForKey,
    /// A session route that writes was called from another site.
    #[error("requests from another site are not allowed")]
    CrossSiteRequest,
    /// The record or path does not exist, or the caller cannot see it.
    #[error("the requested resource does not exist or is not visible to the caller")]
    NotFound,
    /// The path exists, but does not support the method.
    #[error("this path does not support this method")]
    MethodNotAllowed {
        /// The supported methods, in the format of the `Allow` header.
        allow: String,
    },
    /// The user already has the maximum number of active keys.
    #[error("the user already has the maximum number of active keys: {limit}")]
    KeyLimitReached {
        /// Maximum number of active keys of one user.
        limit: u32,
    },
    /// No entity tag in `If-Match` matches the current version of the record.
    #[error("`If-Match` does not match the current version of the record")]
    PreconditionFailed,
    /// The body is larger than the limit.
    #[error("the request body is larger than {limit} bytes")]
    PayloadTooLarge {
        /// Maximum size of a body, in bytes.
        limit: usize,
    },
    /// The route does not accept the media type of the body.
    #[error("the request body must be {expected}")]
    UnsupportedMediaType {
        /// The accepted media types.
        expected: &'static str,
    },
    /// Fields of the body are invalid. Contains the first faults and the number of all faults.
    #[error("the request body has {}", counted(.0.count()))]
    InvalidField(Faults),
    /// The caller has exceeded a rate limit.
    #[error("too many requests")]
    RateLimited {
        /// Time until the next request is granted.
        retry_after: Duration,
    },
    /// The service is temporarily unavailable. The request itself may be valid.
    #[error("the service is temporarily unavailable")]
    Unavailable(#[source] Box<dyn StdError + Send + Sync>),
    /// The service sheds load: too many requests are in progress. The request itself may be valid.
    ///
    /// The response is the same as for [`Unavailable`](Self::Unavailable). It is not logged, because under overload
    /// there would be too many log lines.
    #[error("the service is temporarily unavailable")]
    Overloaded,
    /// Any other error. The source is written to the log and never sent to the caller.
    #[error("something went wrong inside the service")]
    Internal(#[source] Box<dyn StdError + Send + Sync>),
}

fn counted(faults: usize) -> String {
    match faults {
        1 => "1 invalid field".to_owned(),
        many => format!("{many} invalid fields"),
    }
}

impl Error {
    /// Returns the row of the error table that determines the response.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::InvalidJson(_) => ErrorCode::InvalidJson,
            Self::InvalidQuery { .. } => ErrorCode::InvalidQuery,
            Self::InvalidRequest(_) => ErrorCode::InvalidRequest,
            Self::MissingToken => ErrorCode::MissingToken,
            Self::InvalidToken => ErrorCode::InvalidToken,
            Self::ApiDisabled => ErrorCode::ApiDisabled,
            Self::NoFamily => ErrorCode::NoFamily,
            Self::InsufficientScope(_) => ErrorCode::InsufficientScope,
            Self::NotSignedIn => ErrorCode::NotSignedIn,
            Self::ApiDisabledForKey => ErrorCode::ApiDisabledForKey,
            Self::CrossSiteRequest => ErrorCode::CrossSiteRequest,
            Self::NotFound => ErrorCode::NotFound,
            Self::MethodNotAllowed { .. } => ErrorCode::MethodNotAllowed,
            Self::KeyLimitReached { .. } => ErrorCode::KeyLimitReached,
            Self::PreconditionFailed => ErrorCode::PreconditionFailed,
            Self::PayloadTooLarge { .. } => ErrorCode::PayloadTooLarge,
            Self::UnsupportedMediaType { .. } => ErrorCode::UnsupportedMediaType,
            Self::InvalidField(_) => ErrorCode::InvalidField,
            Self::RateLimited { .. } => ErrorCode::RateLimited,
            Self::Unavailable(_) | Self::Overloaded => ErrorCode::Unavailable,
            Self::Internal(_) => ErrorCode::Internal,
        }
    }
}

#[cfg(feature = "service")]
impl From<StorageError> for Error {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Unavailable(_) => Self::Unavailable(Box::new(error)),
            StorageError::Corrupt(_) | StorageError::Backend(_) => Self::Internal(Box::new(error)),
        }
    }
}

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
    /// 400 `invalid_request`: [`Error::InvalidRequest`].
    InvalidRequest,
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
    /// 401 `not_signed_in`: [`Error::NotSignedIn`].
    NotSignedIn,
    /// 403 `api_disabled`: [`Error::ApiDisabledForKey`].
    ApiDisabledForKey,
    /// 403 `cross_site_request`: [`Error::CrossSiteRequest`].
    CrossSiteRequest,
    /// 404 `not_found`: [`Error::NotFound`].
    NotFound,
    /// 405 `method_not_allowed`: [`Error::MethodNotAllowed`].
    MethodNotAllowed,
    /// 409 `key_limit_reached`: [`Error::KeyLimitReached`].
    KeyLimitReached,
    /// 412 `precondition_failed`: [`Error::PreconditionFailed`].
    PreconditionFailed,
    /// 413 `payload_too_large`: [`Error::PayloadTooLarge`].
    PayloadTooLarge,
    /// 415 `unsupported_media_type`: [`Error::UnsupportedMediaType`].
    UnsupportedMediaType,
    /// 422 `invalid_field`: [`Error::InvalidField`].
    InvalidField,
    /// 429 `rate_limited`: [`Error::RateLimited`].
    RateLimited,
    /// 503 `unavailable`: [`Error::Unavailable`] and [`Error::Overloaded`].
    Unavailable,
    /// 500 `internal`: [`Error::Internal`].
    Internal,
}

impl ErrorCode {
    /// Every row, in the order of the table.
    pub const ALL: [Self; 21] = [
        Self::InvalidJson,
        Self::InvalidQuery,
        Self::InvalidRequest,
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
        Self::PreconditionFailed,
        Self::PayloadTooLarge,
        Self::UnsupportedMediaType,
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
            Self::PreconditionFailed => (412, "precondition_failed"),
            Self::PayloadTooLarge => (413, "payload_too_large"),
            Self::UnsupportedMediaType => (415, "unsupported_media_type"),
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
