//! The errors of the API.

#[cfg(test)]
mod snapshot;

use std::error::Error as StdError;
use std::time::Duration;

use crate::access::{NotInFamily, NotInSession, Refusal};
use crate::idempotency::InvalidIdempotencyKey;
use crate::key::RandomnessUnavailable;
use crate::key::Scope;
use crate::limit::RateLimited;
use crate::resource::{InvalidQuery, UnknownParameter};
use crate::storage_error::StorageError;
use crate::validation::{Faults, InvalidJson};
use crate::{ErrorCode, Problem};

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
    /// The route has no query parameter of this name.
    #[error(transparent)]
    UnknownParameter(#[from] UnknownParameter),
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
    /// The user already has the maximum number of calendar feeds.
    #[error("the user already has the maximum number of calendar feeds: {limit}")]
    FeedLimitReached {
        /// Maximum number of current feeds of one user.
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
    /// The changes since a state are not known: the state is too old, belongs to another user or family, or something else
    /// than a write has changed the data, such as an import.
    #[error("the changes since this state are not known: read everything again, and continue with its state")]
    SyncExpired,
    /// No entity tag in `If-Match` matches the current version of the record.
    #[error("`If-Match` does not match the current version of the record")]
    PreconditionFailed,
    /// The idempotency key was used within the last 24 hours for another request.
    #[error("this idempotency key was used for another request")]
    IdempotencyMismatch,
    /// Fields of the body are invalid. Contains the first faults and the number of all faults.
    #[error("{0}")]
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

impl Error {
    /// Returns the row of the error table that determines the response.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::InvalidJson(_) => ErrorCode::InvalidJson,
            Self::InvalidQuery(_) | Self::UnknownParameter(_) => ErrorCode::InvalidQuery,
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
            Self::FeedLimitReached { .. } => ErrorCode::FeedLimitReached,
            Self::ConnectionLimitReached { .. } => ErrorCode::ConnectionLimitReached,
            Self::ConsentUsed => ErrorCode::ConsentUsed,
            Self::NotEmpty => ErrorCode::NotEmpty,
            Self::RecordLimitReached { .. } => ErrorCode::RecordLimitReached,
            Self::IdempotencyRunning => ErrorCode::IdempotencyRunning,
            Self::SyncExpired => ErrorCode::SyncExpired,
            Self::PreconditionFailed => ErrorCode::PreconditionFailed,
            Self::IdempotencyMismatch => ErrorCode::IdempotencyMismatch,
            Self::InvalidField(_) => ErrorCode::InvalidField,
            Self::RateLimited { .. } => ErrorCode::RateLimited,
            Self::Unavailable(_) | Self::Overloaded => ErrorCode::Unavailable,
            Self::Internal(_) => ErrorCode::Internal,
        }
    }

    /// Returns the body of the response. `detail` is the error's message, without its source.
    #[must_use]
    pub fn problem(&self, request_id: &str) -> Problem {
        match self {
            Self::InvalidField(faults) => Problem::of_faults(faults, request_id),
            _ => Problem::new(self.code(), &self.to_string(), request_id),
        }
    }
}

impl From<StorageError> for Error {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Unavailable(_) | StorageError::NotBegun(_) => Self::Unavailable(Box::new(error)),
            StorageError::Overloaded(_) => Self::RateLimited { retry_after: Duration::from_secs(1) },
            StorageError::Corrupt(_) | StorageError::Backend(_) => Self::Internal(Box::new(error)),
        }
    }
}

/// The first six reasons have the same error, so the client cannot distinguish them.
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

impl From<NotInFamily> for Error {
    fn from(_: NotInFamily) -> Self {
        Self::NotFound
    }
}

impl From<NotInSession> for Error {
    fn from(_: NotInSession) -> Self {
        Self::NotSignedIn
    }
}

impl From<RateLimited> for Error {
    fn from(RateLimited { retry_after }: RateLimited) -> Self {
        Self::RateLimited { retry_after }
    }
}

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

#[cfg(test)]
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
