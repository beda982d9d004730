//! The reason why a token was refused. It is for the audit trail of the host, and is not sent to the client.

use std::time::Duration;

use crate::Surface;
use crate::access::TokenId;
use crate::id::UserId;
use crate::key::Scope;

/// A refused token, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedToken {
    /// The id of the token. `None` if the token is malformed or unknown.
    pub token: Option<TokenId>,
    /// The owner of the token. `None` if the token is malformed or unknown.
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
    /// The token cannot be genuine: it has a known prefix and a wrong checksum, or the header is malformed.
    Malformed,
    /// The token is no stored key or access token, and no environment or external token that this endpoint accepts.
    Unknown,
    /// The key was revoked.
    Revoked,
    /// The key or the access token has expired.
    Expired,
    /// The user of the token does not exist.
    UserGone,
    /// The token is an access token of a grant for another endpoint.
    WrongAudience,
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
    /// Returns the name of the reason for a log.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Unknown => "unknown",
            Self::Revoked => "revoked",
            Self::Expired => "expired",
            Self::UserGone => "user_gone",
            Self::WrongAudience => "wrong_audience",
            Self::RateLimited { .. } => "rate_limited",
            Self::ApiDisabled => "api_disabled",
            Self::NoFamily => "no_family",
            Self::InsufficientScope(_) => "insufficient_scope",
        }
    }
}
