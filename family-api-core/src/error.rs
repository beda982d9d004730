//! What a caller of the API can meet, and the only table of codes and statuses (HTTP reference, "Codes").

use std::error::Error as StdError;
use std::time::Duration;

use crate::change::Faults;
use crate::key::Scope;
#[cfg(feature = "service")]
use crate::storage::StorageError;

/// Everything that can go wrong with a request, by its meaning.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The body is not one JSON value that this API reads.
    #[error("the request body is not valid JSON: {0}")]
    InvalidJson(String),
    /// A query parameter of this resource has a value it cannot have.
    #[error("the query parameter `{parameter}` is not valid: expected {expected}")]
    InvalidQuery {
        /// The parameter's name.
        parameter: &'static str,
        /// What it may be.
        expected: &'static str,
    },
    /// The request is not one that HTTP allows: what is wrong with it.
    #[error("the request is not valid HTTP: {0}")]
    InvalidRequest(&'static str),
    /// A bearer route was called without bearer credentials.
    #[error("a bearer token is required")]
    MissingToken,
    /// The token is unknown, revoked, expired or malformed; the answer does not tell which.
    #[error("the bearer token is not valid")]
    InvalidToken,
    /// The token is good, but its user has not switched the personal API on.
    #[error("the personal API of this user is switched off")]
    ApiDisabled,
    /// The token is good, but its user has no family.
    #[error("this user has no family")]
    NoFamily,
    /// The token is good, but lacks this scope.
    #[error("the bearer token lacks the scope {0}")]
    InsufficientScope(Scope),
    /// A session route was called by nobody.
    #[error("nobody is signed in")]
    NotSignedIn,
    /// A key for the personal API cannot be created while that is off.
    #[error("keys of this mode can be created only while the personal API is switched on")]
    ApiDisabledForKey,
    /// A session route that writes was called from another site.
    #[error("calls from another site are refused")]
    CrossSiteRequest,
    /// There is no such thing for this caller.
    #[error("there is no such thing here")]
    NotFound,
    /// The path is known, the method is not.
    #[error("this path does not take this method")]
    MethodNotAllowed {
        /// The methods that it takes, as the `Allow` header lists them.
        allow: String,
    },
    /// The user has the most active keys already.
    #[error("the limit of {limit} active keys is reached")]
    KeyLimitReached {
        /// The most active keys of one user.
        limit: u32,
    },
    /// `If-Match` does not name the current version.
    #[error("the record is not at the version that the request names")]
    PreconditionFailed,
    /// The body is over the limit.
    #[error("the request body is larger than {limit} bytes")]
    PayloadTooLarge {
        /// The largest body, in bytes.
        limit: usize,
    },
    /// The body is of a type that this route does not read.
    #[error("the request body must be {expected}")]
    UnsupportedMediaType {
        /// The types that it reads.
        expected: &'static str,
    },
    /// The body does not say what this route reads: the first faults, and how many there are.
    #[error("the request body has {}", counted(.0.count()))]
    InvalidField(Faults),
    /// Too many requests.
    #[error("too many requests")]
    RateLimited {
        /// When to come back.
        retry_after: Duration,
    },
    /// The service cannot answer at the moment; nothing is said about the request.
    #[error("the service is not available at the moment")]
    Unavailable(#[source] Box<dyn StdError + Send + Sync>),
    /// Too much is under way here already; nothing is said about the request. The caller is told as for
    /// [`Unavailable`](Self::Unavailable), and the log nothing: it is many.
    #[error("the service is not available at the moment")]
    Overloaded,
    /// Anything else; the source is for the log only.
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
    /// The row of the table that this error answers with.
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
/// `api_disabled` has two rows: 401 on a bearer route, 403 where a key is created.
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

    /// The HTTP status and the `code` member of the problem body.
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

    /// The HTTP status.
    #[must_use]
    pub const fn status(self) -> u16 {
        self.row().0
    }

    /// The `code` member of the problem body.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.row().1
    }

    /// The `title` member of the problem body: the status's name (RFC 9110).
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
