//! From a presented token to a user: the only way in for a token.

use crate::access::{Bearer, Caller, TokenId, decide};
use crate::error::Error;
use crate::key::{EnvironmentTokens, KeyPrefix, ScopeSet};
use crate::storage::{Account, Storage};
use crate::{Surface, Timestamp};

/// A token that was recognised, before it is judged what it may do: where limits are counted.
#[derive(Debug, Clone)]
pub struct Authenticated {
    pub(super) account: Account,
    pub(super) surface: Surface,
    pub(super) scopes: ScopeSet,
    pub(super) token: TokenId,
}

impl Authenticated {
    /// The token that was recognised.
    #[must_use]
    pub fn token(&self) -> &TokenId {
        &self.token
    }

    /// Goes in: the personal API must be on where the surface needs it, and the user must have a family.
    ///
    /// # Errors
    /// [`Error::ApiDisabled`], [`Error::NoFamily`], in this order.
    pub fn enter(self) -> Result<Caller, Error> {
        decide::enter(self)
    }
}

/// Recognises a token; unknown, revoked, expired and malformed ones are told apart by nothing.
///
/// A stored key wins over an environment token of the same text, whatever its state.
pub(crate) async fn authenticate(
    storage: &dyn Storage,
    environment: &EnvironmentTokens,
    prefix: &KeyPrefix,
    bearer: &Bearer,
    surface: Surface,
    now: Timestamp,
) -> Result<Authenticated, Error> {
    if !prefix.accepts(bearer.as_str()) {
        return Err(Error::InvalidToken);
    }
    let digest = bearer.digest();
    if let Some(found) = storage.find_key(&digest).await? {
        return decide::key(found, surface, now);
    }
    match (surface, environment.find(&digest)) {
        (Surface::ReadPath, Some(user)) => {
            decide::environment(storage.find_account(user).await?, TokenId::Environment(digest))
        }
        _ => Err(Error::InvalidToken),
    }
}
