//! Why a token was refused: for the host's record, not for who presented it.

use std::time::Duration;

use crate::Surface;
use crate::access::TokenId;
use crate::error::Error;
use crate::id::UserId;
use crate::key::Scope;

/// A token that was refused, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// The token, if it is anybody's.
    pub token: Option<TokenId>,
    /// Whose it is.
    pub user: Option<UserId>,
    /// Where it was presented.
    pub surface: Surface,
    /// Why it was refused.
    pub reason: Refusal,
}

/// Why a token was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It begins with our prefix, and its checksum is wrong.
    Malformed,
    /// It is nobody's, here.
    Unknown,
    /// The key was revoked.
    Revoked,
    /// The key has expired.
    Expired,
    /// Its user no longer exists.
    UserGone,
    /// It was presented too often.
    RateLimited {
        /// When to come back.
        retry_after: Duration,
    },
    /// Its user has the personal API switched off.
    ApiDisabled,
    /// Its user has no family.
    NoFamily,
    /// It lacks this scope.
    InsufficientScope(Scope),
}

impl Refusal {
    /// What the caller is told: the first five are told apart by nothing.
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

    /// One word for it, as a log has it.
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
    fn each_reason_has_its_word_and_tells_the_caller_no_more_than_they_may_know() {
        let (retry_after, scope) = (Duration::from_secs(7), Scope::V1TasksWrite);
        for (refusal, word, error) in [
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
            assert_eq!((refusal.as_str(), refusal.error().code().as_str()), (word, error));
        }
    }
}
