//! From a presented token to a user: the only way in for a token.

use crate::access::{Bearer, Refusal, Refused, TokenId, decide};
use crate::key::{EnvironmentTokens, KeyDigest, KeyPrefix, ScopeSet};
use crate::limit::RateLimitStatus;
use crate::storage::{Account, Storage, StorageError};
use crate::{Surface, Timestamp};

/// A token that was recognised, before it is judged what it may do.
///
/// [`FamilyApi::authorize`](crate::FamilyApi::authorize) makes a [`Caller`](crate::access::Caller) of it.
#[derive(Debug)]
pub struct Authenticated {
    pub(super) account: Account,
    pub(super) surface: Surface,
    pub(super) scopes: ScopeSet,
    pub(super) token: TokenId,
    pub(super) digest: KeyDigest,
    pub(super) last_used_at: Option<Timestamp>,
    pub(super) rate_limit: Option<RateLimitStatus>,
}

impl Authenticated {
    /// The token that was recognised.
    #[must_use]
    pub fn token(&self) -> &TokenId {
        &self.token
    }

    /// What is left of the token's requests; `None` where they are not limited.
    ///
    /// Every answer to the token tells it, also one that refuses it.
    #[must_use]
    pub fn rate_limit(&self) -> Option<&RateLimitStatus> {
        self.rate_limit.as_ref()
    }

    pub(crate) fn with_rate_limit(self, rate_limit: Option<RateLimitStatus>) -> Self {
        Self { rate_limit, ..self }
    }

    /// The key's digest and when it was last used; `None` for a token that is no key.
    pub(crate) fn key_use(&self) -> Option<(KeyDigest, Option<Timestamp>)> {
        matches!(self.token, TokenId::Key(_)).then_some((self.digest, self.last_used_at))
    }
}

/// Recognises a token.
///
/// A stored key wins over an environment token of the same text, whatever its state. Such a key is never purged.
pub(crate) async fn authenticate(
    storage: &dyn Storage,
    environment: &EnvironmentTokens,
    prefix: &KeyPrefix,
    bearer: &Bearer,
    surface: Surface,
    now: Timestamp,
) -> Result<Result<Authenticated, Refused>, StorageError> {
    let stranger = |reason| Err(Refused { token: None, user: None, surface, reason });
    if !prefix.accepts(bearer.as_str()) {
        return Ok(stranger(Refusal::Malformed));
    }
    let digest = bearer.digest();
    if let Some(found) = storage.find_key(&digest).await? {
        return Ok(decide::key(found, digest, surface, now));
    }
    match (surface, environment.find(&digest)) {
        (Surface::ReadPath, Some(user)) => Ok(decide::environment(user, storage.find_account(user).await?, digest)),
        _ => Ok(stranger(Refusal::Unknown)),
    }
}
