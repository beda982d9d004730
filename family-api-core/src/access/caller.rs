//! A caller whose right to be here was established.

use crate::error::Error;
use crate::id::{KeyId, UserId};
use crate::key::{KeyDigest, Scope, ScopeSet};
use crate::storage::{Account, Member};

/// Where a token is presented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surface {
    /// `/api/v1`: only while the user's personal API is switched on.
    V1,
    /// `/api/mcp`: reads only, whether or not the personal API is on.
    ReadPath,
}

impl Surface {
    /// Whether a scope is one of this surface's; what a key holds beyond them, it does not hold here.
    #[must_use]
    pub const fn has(self, scope: &Scope) -> bool {
        match scope {
            Scope::McpRead => matches!(self, Self::ReadPath),
            Scope::V1Read | Scope::V1TasksWrite | Scope::V1NotesWrite => matches!(self, Self::V1),
            Scope::Unknown(_) => false,
        }
    }

    /// The scope that opens this surface's reads.
    #[must_use]
    pub const fn read_scope(self) -> Scope {
        match self {
            Self::V1 => Scope::V1Read,
            Self::ReadPath => Scope::McpRead,
        }
    }
}

/// Which token was recognised; no part of its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    Token { surface: Surface, scopes: ScopeSet, id: TokenId },
    Session,
}

impl Caller {
    pub(super) fn with_token(account: Account, surface: Surface, scopes: ScopeSet, id: TokenId) -> Self {
        Self { account, grant: Grant::Token { surface, scopes, id } }
    }

    pub(crate) fn with_session(account: Account) -> Self {
        Self { account, grant: Grant::Session }
    }

    /// The user that the request acts for.
    #[must_use]
    pub fn user(&self) -> &UserId {
        &self.account.user
    }

    /// The token that was recognised; `None` in a session.
    #[must_use]
    pub fn token(&self) -> Option<&TokenId> {
        match &self.grant {
            Grant::Token { id, .. } => Some(id),
            Grant::Session => None,
        }
    }

    pub(crate) fn account(&self) -> &Account {
        &self.account
    }

    /// As whom family data is asked for; family records are not there for a user without a family.
    pub(crate) fn member(&self) -> Result<Member, Error> {
        let membership = self.account.membership.as_ref().ok_or(Error::NotFound)?;
        Ok(Member { user: self.account.user.clone(), family: membership.family.clone() })
    }

    /// A session may do what its user may; a token, what its scopes say and its surface is there for.
    pub(crate) fn require(&self, scope: &Scope) -> Result<(), Error> {
        match &self.grant {
            Grant::Token { surface, scopes, .. } if !(surface.has(scope) && scopes.grants(scope)) => {
                Err(Error::InsufficientScope(scope.clone()))
            }
            Grant::Token { .. } | Grant::Session => Ok(()),
        }
    }

    /// Reads need the scope of the surface that they come through.
    pub(crate) fn require_read(&self) -> Result<(), Error> {
        match &self.grant {
            Grant::Token { surface, .. } => self.require(&surface.read_scope()),
            Grant::Session => Ok(()),
        }
    }

    /// The user is gone since the caller was let in.
    pub(crate) fn gone(&self) -> Error {
        match &self.grant {
            Grant::Token { .. } => Error::InvalidToken,
            Grant::Session => Error::NotSignedIn,
        }
    }

    /// What no token may do.
    pub(crate) fn require_session(&self) -> Result<(), Error> {
        match &self.grant {
            Grant::Session => Ok(()),
            Grant::Token { .. } => Err(Error::NotSignedIn),
        }
    }
}
