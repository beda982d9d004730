//! The caller of an authorized request.

use crate::Surface;
use crate::access::{Refusal, Refused};
use crate::error::Error;
use crate::id::{KeyId, UserId};
use crate::key::{KeyDigest, Scope, ScopeSet};
use crate::resource::Revision;
use crate::storage::{Account, Author, Credential, Member, SignedIn};

/// The identity of a token. It contains no part of the secret.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TokenId {
    /// An integration key.
    Key(KeyId),
    /// An environment token, identified by its digest.
    Environment(KeyDigest),
}

/// The proof that a request may act for a user. Only this crate creates it, from a token or a session.
///
/// It contains facts about the user from the time of its creation, so it must not be used for a later request.
#[derive(Debug)]
pub struct Caller {
    account: Account,
    grant: Grant,
}

#[derive(Debug)]
enum Grant {
    Token { surface: Surface, scopes: ScopeSet, id: TokenId, digest: KeyDigest },
    Session { digest: Option<KeyDigest> },
}

impl Caller {
    pub(super) fn with_token(
        account: Account,
        surface: Surface,
        scopes: ScopeSet,
        id: TokenId,
        digest: KeyDigest,
    ) -> Self {
        Self { account, grant: Grant::Token { surface, scopes, id, digest } }
    }

    pub(crate) fn with_session(account: Account, digest: Option<KeyDigest>) -> Self {
        Self { account, grant: Grant::Session { digest } }
    }

    /// Returns the user that the request acts for.
    #[must_use]
    pub fn user(&self) -> &UserId {
        &self.account.user
    }

    /// Returns whether the caller is in a session that the host stores. Only the host can check later whether such a
    /// session is still valid.
    #[must_use]
    pub fn is_in_host_session(&self) -> bool {
        matches!(self.grant, Grant::Session { digest: None })
    }

    /// Returns the id of the token, or `None` in a session.
    #[must_use]
    pub fn token(&self) -> Option<&TokenId> {
        match &self.grant {
            Grant::Token { id, .. } => Some(id),
            Grant::Session { .. } => None,
        }
    }

    pub(super) fn into_account(self) -> Account {
        self.account
    }

    pub(crate) fn account(&self) -> &Account {
        &self.account
    }

    /// Returns the revision of the family's data at the time of authentication, if the storage has revisions.
    pub(crate) fn revision(&self) -> Option<Revision> {
        self.account.membership.as_ref()?.revision
    }

    /// Returns the member for reads of family data. Without a family, every family record is not found.
    pub(crate) fn member(&self) -> Result<Member, Error> {
        let membership = self.account.membership.as_ref().ok_or(Error::NotFound)?;
        Ok(Member { user: self.account.user.clone(), family: membership.family.clone() })
    }

    /// Returns the author for changes of family data, with the credential that the storage checks again.
    pub(crate) fn author(&self) -> Result<Author, Error> {
        let credential = match &self.grant {
            Grant::Token { digest, .. } => Credential::Key(*digest),
            Grant::Session { digest } => Credential::Session(*digest),
        };
        Ok(Author { member: self.member()?, credential })
    }

    /// Requires a scope. A token needs a scope that it holds and that applies to its surface. A session has every
    /// scope.
    pub(crate) fn require(&self, scope: &Scope) -> Result<(), Error> {
        match &self.grant {
            Grant::Token { surface, scopes, .. } if !(surface.has(scope) && scopes.grants(scope)) => {
                Err(Error::InsufficientScope(scope.clone()))
            }
            Grant::Token { .. } | Grant::Session { .. } => Ok(()),
        }
    }

    /// Requires the read scope of the surface.
    pub(crate) fn require_read(&self) -> Result<(), Error> {
        match &self.grant {
            Grant::Token { surface, .. } => self.require(&surface.read_scope()),
            Grant::Session { .. } => Ok(()),
        }
    }

    /// Returns the audit record of a refusal of the caller's token, or `None` in a session.
    pub(crate) fn refused(&self, reason: Refusal) -> Option<Refused> {
        match &self.grant {
            Grant::Token { surface, id, .. } => {
                let (token, user) = (Some(id.clone()), Some(self.account.user.clone()));
                Some(Refused { token, user, surface: *surface, reason })
            }
            Grant::Session { .. } => None,
        }
    }

    /// Returns the error for a user that was deleted after authentication.
    pub(crate) fn user_gone(&self) -> Error {
        match &self.grant {
            Grant::Token { .. } => Error::InvalidToken,
            Grant::Session { .. } => Error::NotSignedIn,
        }
    }

    /// Returns the user and the session, for operations that a token must not perform.
    pub(crate) fn signed_in(&self) -> Result<SignedIn, Error> {
        match &self.grant {
            Grant::Session { digest } => Ok(SignedIn { user: self.account.user.clone(), session: *digest }),
            Grant::Token { .. } => Err(Error::NotSignedIn),
        }
    }
}
