//! The reason why a token was refused. It is for the audit trail of the host, and is not sent to the client.

use std::time::Duration;

use crate::Surface;
use crate::access::TokenId;
use crate::error::Error;
use crate::id::UserId;
use crate::key::Scope;

/// A refused token, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// The id of the token. `None` if the token was not recognised.
    pub token: Option<TokenId>,
    /// The owner of the token. `None` if the token was not recognised, or the stored key has no user any more.
    pub user: Option<UserId>,
    /// The surface on which the token was presented.
    pub surface: Surface,
    /// The reason.
    pub reason: Refusal,
}

/// Why a token was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The token cannot be a key: it has the key prefix and a wrong checksum, or the header is malformed.
    Malformed,
    /// The token is neither a stored key nor an environment token of this surface.
    Unknown,
    /// The key was revoked.
    Revoked,
    /// The key has expired.
    Expired,
    /// The user of the token does not exist any more.
    UserGone,
    /// The token exceeded its rate limit.
    RateLimited {
        /// Time until the next request is granted.
        retry_after: Duration,
    },
    /// The user of the token has switched the personal API off.
    ApiDisabled,
    /// The user of the token has no family.
    NoFamily,
    /// The token lacks this scope.
    InsufficientScope(Scope),
}

impl Refusal {
    /// Returns the error for the client. The first five reasons have the same error, so the client cannot distinguish
    /// them.
    #[must_use]
    pub fn error(&self) -> Error {
        match self {
            Self::Malformed | Self::Unknown | Self::Revoked | Self::Expired | Self::UserGone => Error::InvalidToken,
            Self::RateLimited { retry_after } => Error::RateLimited { retry_after: *retry_after },
            Self::ApiDisabled => Error::ApiDisabled,
            Self::NoFamily => Error::NoFamily,
            Self::InsufficientScope(scope) => Error::InsufficientScope(scope.clone()),
        }
    }

    /// Returns the name of the reason for a log.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Unknown => "unknown",
            Self::Revoked => "revoked",
            Self::Expired => "expired",
            Self::UserGone => "user_gone",
            Self::RateLimited { .. } => "rate_limited",
            Self::ApiDisabled => "api_disabled",
            Self::NoFamily => "no_family",
            Self::InsufficientScope(_) => "insufficient_scope",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_has_a_name_and_an_error_for_the_client() {
        let retry_after = Duration::from_secs(7);
        let scope = Scope::V1TasksWrite;
        for (refusal, name, error) in [
            (Refusal::Malformed, "malformed", "invalid_token"),
            (Refusal::Unknown, "unknown", "invalid_token"),
            (Refusal::Revoked, "revoked", "invalid_token"),
            (Refusal::Expired, "expired", "invalid_token"),
            (Refusal::UserGone, "user_gone", "invalid_token"),
            (Refusal::RateLimited { retry_after }, "rate_limited", "rate_limited"),
            (Refusal::ApiDisabled, "api_disabled", "api_disabled"),
            (Refusal::NoFamily, "no_family", "no_family"),
            (Refusal::InsufficientScope(scope), "insufficient_scope", "insufficient_scope"),
        ] {
            assert_eq!((refusal.as_str(), refusal.error().code().as_str()), (name, error));
        }
    }
}
