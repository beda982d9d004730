//! Authentication: finds the user of a presented token. Every token passes through here.

use crate::access::{Bearer, Refusal, Refused, TokenId, decide};
use crate::key::{EnvironmentTokens, KeyDigest, KeyPrefix, ScopeSet};
use crate::limit::RateLimitStatus;
use crate::storage::{Account, Storage, StorageError};
use crate::{Surface, Timestamp};

/// A token that was recognised, but is not authorized yet.
///
/// [`FamilyApi::authorize`](crate::FamilyApi::authorize) turns it into a [`Caller`](crate::access::Caller).
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
    /// Returns the id of the recognised token.
    #[must_use]
    pub fn token(&self) -> &TokenId {
        &self.token
    }

    /// Returns the rate limit status of the token, or `None` if its requests are not limited.
    ///
    /// Every response to a request with this token reports the status, including an error response.
    #[must_use]
    pub fn rate_limit(&self) -> Option<&RateLimitStatus> {
        self.rate_limit.as_ref()
    }

    pub(crate) fn with_rate_limit(self, rate_limit: Option<RateLimitStatus>) -> Self {
        Self { rate_limit, ..self }
    }

    /// Returns the digest of the key and its last use, or `None` if the token is not a key.
    pub(crate) fn key_use(&self) -> Option<(KeyDigest, Option<Timestamp>)> {
        matches!(self.token, TokenId::Key(_)).then_some((self.digest, self.last_used_at))
    }
}

/// Recognises a token.
///
/// If a stored key and an environment token have the same text, the key wins in any state. Such a key is never purged.
pub(crate) async fn authenticate(
    storage: &dyn Storage,
    environment: &EnvironmentTokens,
    prefix: &KeyPrefix,
    bearer: &Bearer,
    surface: Surface,
    now: Timestamp,
) -> Result<Result<Authenticated, Refused>, StorageError> {
    let unrecognised = |reason| Err(Refused { token: None, user: None, surface, reason });
    if !prefix.accepts(bearer.as_str()) {
        return Ok(unrecognised(Refusal::Malformed));
    }
    let digest = bearer.digest();
    if let Some(found) = storage.find_key(&digest).await? {
        return Ok(decide::key(found, digest, surface, now));
    }
    match (surface, environment.find(&digest)) {
        (Surface::ReadPath, Some(user)) => Ok(decide::environment(user, storage.find_account(user).await?, digest)),
        _ => Ok(unrecognised(Refusal::Unknown)),
    }
}
