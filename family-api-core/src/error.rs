//! The errors of the API, and the only table of codes and statuses (HTTP reference, "Codes").

use std::error::Error as StdError;
use std::time::Duration;

#[cfg(feature = "service")]
use crate::access::{NotInFamily, NotInSession, Refusal};
use crate::idempotency::InvalidIdempotencyKey;
#[cfg(feature = "service")]
use crate::key::RandomnessUnavailable;
use crate::key::Scope;
#[cfg(feature = "service")]
use crate::limit::RateLimited;
use crate::resource::InvalidQuery;
#[cfg(feature = "service")]
use crate::storage_error::StorageError;
use crate::validation::{Faults, InvalidJson};

/// The reason why a request failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The body is not a single JSON value of the accepted form. Contains the reason.
    #[error("the request body is not valid JSON: {0}")]
    InvalidJson(String),
    /// A query parameter of the resource has an invalid value.
    #[error(transparent)]
    InvalidQuery(#[from] InvalidQuery),
    /// The idempotency key is not 1 to 255 characters of visible ASCII, or there is more than one.
    #[error("`Idempotency-Key` must be 1 to 255 characters of visible ASCII")]
    InvalidIdempotencyKey,
    /// A bearer route was called without a bearer token.
    #[error("a bearer token is required")]
    MissingToken,
    /// The token is unknown, revoked, expired or malformed. The response does not reveal the reason.
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
    /// A sign-in with a password failed. The response does not reveal whether the address is known.
    #[error("the e-mail address or the password is wrong")]
    WrongPassword,
    /// A key for the personal API cannot be created while the personal API is switched off.
    #[error("a key of this mode can be created only while the personal API is switched on")]
    ApiDisabledForKey,
    /// The record or path does not exist, or the caller cannot see it.
    #[error("the requested resource does not exist or is not visible to the caller")]
    NotFound,
    /// The user already has the maximum number of active keys.
    #[error("the user already has the maximum number of active keys: {limit}")]
    KeyLimitReached {
        /// Maximum number of active keys of one user.
        limit: u32,
    },
    /// The user already has the maximum number of live connections.
    #[error("the user already has the maximum number of connections: {limit}")]
    ConnectionLimitReached {
        /// Maximum number of live connections of one user.
        limit: u32,
    },
    /// The consent form was submitted before.
    #[error("this consent form was already submitted")]
    ConsentUsed,
    /// The record cannot be deleted, because it contains other records. The caller may not see all of them.
    #[error("the record contains other records: delete or move them first")]
    NotEmpty,
    /// The family already has the maximum number of records of this kind. A long record counts more than once.
    #[error(
        "the family already has the maximum number of records of this kind: {limit} (long records count more than once)"
    )]
    RecordLimitReached {
        /// Maximum number of records of the kind in a family.
        limit: u32,
    },
    /// An earlier request with the same idempotency key is still running.
    #[error("a request with this idempotency key is still running")]
    IdempotencyRunning,
    /// No entity tag in `If-Match` matches the current version of the record.
    #[error("`If-Match` does not match the current version of the record")]
    PreconditionFailed,
    /// The idempotency key was used within the last 24 hours for another record.
    #[error("this idempotency key was used for another request")]
    IdempotencyMismatch,
    /// Fields of the body are invalid. Contains the first faults and the number of all faults.
    #[error("the request body has {}", invalid_field_count(.0.count()))]
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
    /// The response is the same as for [`Unavailable`](Self::Unavailable). The error is not logged, because under
    /// overload there would be too many log lines.
    #[error("the service is temporarily unavailable")]
    Overloaded,
    /// Any other error. The source is written to the log and never sent to the caller.
    #[error("something went wrong inside the service")]
    Internal(#[source] Box<dyn StdError + Send + Sync>),
}

fn invalid_field_count(faults: usize) -> String {
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

#[cfg(feature = "service")]
impl From<StorageError> for Error {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Unavailable(_) => Self::Unavailable(Box::new(error)),
            StorageError::Corrupt(_) | StorageError::Backend(_) => Self::Internal(Box::new(error)),
        }
    }
}

/// The first six reasons have the same error, so the client cannot distinguish them.
#[cfg(feature = "service")]
impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Malformed
            | Refusal::Unknown
            | Refusal::Revoked
            | Refusal::Expired
            | Refusal::UserGone
            | Refusal::WrongAudience => Self::InvalidToken,
            Refusal::RateLimited { retry_after } => Self::RateLimited { retry_after },
            Refusal::ApiDisabled => Self::ApiDisabled,
            Refusal::NoFamily => Self::NoFamily,
            Refusal::InsufficientScope(scope) => Self::InsufficientScope(scope),
        }
    }
}

#[cfg(feature = "service")]
impl From<NotInFamily> for Error {
    fn from(_: NotInFamily) -> Self {
        Self::NotFound
    }
}

#[cfg(feature = "service")]
impl From<NotInSession> for Error {
    fn from(_: NotInSession) -> Self {
        Self::NotSignedIn
    }
}

#[cfg(feature = "service")]
impl From<RateLimited> for Error {
    fn from(RateLimited { retry_after }: RateLimited) -> Self {
        Self::RateLimited { retry_after }
    }
}

#[cfg(feature = "service")]
impl From<RandomnessUnavailable> for Error {
    fn from(source: RandomnessUnavailable) -> Self {
        Self::Unavailable(Box::new(source))
    }
}

impl From<InvalidIdempotencyKey> for Error {
    fn from(_: InvalidIdempotencyKey) -> Self {
        Self::InvalidIdempotencyKey
    }
}

impl From<InvalidJson> for Error {
    fn from(invalid: InvalidJson) -> Self {
        Self::InvalidJson(invalid.to_string())
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

#[cfg(all(test, feature = "service"))]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_has_a_name_and_an_error_for_the_client() {
        let retry_after = Duration::from_secs(7);
        let scope = Scope::V1TasksWrite;
        for (refusal, name, error) in [
            (Refusal::Malformed, "malformed", "invalid_token"),
            (Refusal::Unknown, "unknown", "invalid_token"),
            (Refusal::Revoked, "revoked", "invalid_token"),
            (Refusal::Expired, "expired", "invalid_token"),
            (Refusal::UserGone, "user_gone", "invalid_token"),
            (Refusal::WrongAudience, "wrong_audience", "invalid_token"),
            (Refusal::RateLimited { retry_after }, "rate_limited", "rate_limited"),
            (Refusal::ApiDisabled, "api_disabled", "api_disabled"),
            (Refusal::NoFamily, "no_family", "no_family"),
            (Refusal::InsufficientScope(scope), "insufficient_scope", "insufficient_scope"),
        ] {
            assert_eq!((refusal.as_str(), Error::from(refusal.clone()).code().as_str()), (name, error));
        }
    }
}
