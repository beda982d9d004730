//! A caller whose right to be here was established.

use crate::Surface;
use crate::access::{Refusal, Refused};
use crate::error::Error;
use crate::id::{KeyId, UserId};
use crate::key::{KeyDigest, Scope, ScopeSet};
use crate::resource::Revision;
use crate::storage::{Account, Author, Credential, Member, SignedIn};

/// Which token was recognised; no part of its secret.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TokenId {
    /// An integration key.
    Key(KeyId),
    /// A token from the configuration.
    Environment(KeyDigest),
}

/// The proof that one request may act for a user: made by this crate only, from a token or a session.
///
/// What it knows of the user is of the moment in which it was made, so it is not to outlive its request.
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

    /// The user that the request acts for.
    #[must_use]
    pub fn user(&self) -> &UserId {
        &self.account.user
    }

    /// Whether the caller is in a session that a host keeps: only the host can say later that it has not ended.
    #[must_use]
    pub fn is_in_host_session(&self) -> bool {
        matches!(self.grant, Grant::Session { digest: None })
    }

    /// The token that was recognised; `None` in a session.
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

    /// The version of the family's data when the caller was let in, where the storage keeps one.
    pub(crate) fn revision(&self) -> Option<Revision> {
        self.account.membership.as_ref()?.revision
    }

    /// As whom family data is asked for; family records are not there for a user without a family.
    pub(crate) fn member(&self) -> Result<Member, Error> {
        let membership = self.account.membership.as_ref().ok_or(Error::NotFound)?;
        Ok(Member { user: self.account.user.clone(), family: membership.family.clone() })
    }

    /// As whom family data is changed, with the credential that the change needs.
    pub(crate) fn author(&self) -> Result<Author, Error> {
        let credential = match &self.grant {
            Grant::Token { digest, .. } => Credential::Key(*digest),
            Grant::Session { digest } => Credential::Session(*digest),
        };
        Ok(Author { member: self.member()?, credential })
    }

    /// A session may do what its user may; a token, what its scopes say and its surface is there for.
    pub(crate) fn require(&self, scope: &Scope) -> Result<(), Error> {
        match &self.grant {
            Grant::Token { surface, scopes, .. } if !(surface.has(scope) && scopes.grants(scope)) => {
                Err(Error::InsufficientScope(scope.clone()))
            }
            Grant::Token { .. } | Grant::Session { .. } => Ok(()),
        }
    }

    /// Reads need the scope of the surface that they come through.
    pub(crate) fn require_read(&self) -> Result<(), Error> {
        match &self.grant {
            Grant::Token { surface, .. } => self.require(&surface.read_scope()),
            Grant::Session { .. } => Ok(()),
        }
    }

    /// How a refusal of this caller's token is recorded; `None` in a session.
    pub(crate) fn refused(&self, reason: Refusal) -> Option<Refused> {
        match &self.grant {
            Grant::Token { surface, id, .. } => {
                let (token, user) = (Some(id.clone()), Some(self.account.user.clone()));
                Some(Refused { token, user, surface: *surface, reason })
            }
            Grant::Session { .. } => None,
        }
    }

    /// The user is gone since the caller was let in.
    pub(crate) fn gone(&self) -> Error {
        match &self.grant {
            Grant::Token { .. } => Error::InvalidToken,
            Grant::Session { .. } => Error::NotSignedIn,
        }
    }

    /// The user and their session, for what no token may do.
    pub(crate) fn signed_in(&self) -> Result<SignedIn, Error> {
        match &self.grant {
            Grant::Session { digest } => Ok(SignedIn { user: self.account.user.clone(), session: *digest }),
            Grant::Token { .. } => Err(Error::NotSignedIn),
        }
    }
}
