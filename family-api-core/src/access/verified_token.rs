//! Tokens of an authorization server of the host.

use crate::id::UserId;
use crate::key::ScopeSet;

/// A token that a [`TokenVerifier`](crate::TokenVerifier) has accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedToken {
    /// The id of the token for rate limits and the audit trail. It must contain no part of the secret.
    pub id: String,
    /// The user that the token acts for.
    pub user: UserId,
    /// The scopes of the token.
    pub scopes: ScopeSet,
}
