//! The caller of an authorized request.

use crate::Surface;
use crate::access::{Account, Author, Credential, Member, Refusal, RefusedToken, SignedIn};
use crate::calendar::Zone;
use crate::id::{FeedId, GrantId, KeyId, UserId};
use crate::key::{KeyDigest, KeySecret, Scope, ScopeSet};
use crate::resource::Revision;

/// The identity of a token. It contains no part of the secret.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TokenId {
    /// An integration key.
    Key(KeyId),
    /// An environment token, identified by its digest.
    Environment(KeyDigest),
    /// An access token of a grant. The id stays the same when the token is replaced.
    Grant(GrantId),
    /// A token that a [`TokenVerifier`](crate::TokenVerifier) accepted. Contains the verifier's id of the token.
    External(String),
    /// The secret of a calendar feed, which only reads the feed.
    Feed(FeedId),
}

/// What proves the token of a caller again, before a change.
#[derive(Debug)]
pub(crate) enum TokenProof {
    /// The digest of a key or of an environment token. An environment token cannot make a change.
    Key(KeyDigest),
    /// The digest of an access token.
    Grant(KeyDigest),
    /// The token itself, for the [`TokenVerifier`](crate::TokenVerifier).
    External(KeySecret),
}

/// The user of a session has no family.
pub(crate) struct NotInFamily;

/// The caller has a token, but the operation needs a session.
pub(crate) struct NotInSession;

/// The proof that a request may act for a user. Only this crate creates it, from a token or a session.
///
/// A caller contains data of the user that was read for this request. It must not be used for a later request.
#[derive(Debug)]
pub struct Caller {
    account: Account,
    authority: Authority,
}

#[derive(Debug)]
enum Authority {
    Token { surface: Surface, scopes: ScopeSet, id: TokenId, proof: TokenProof },
    Session { digest: Option<KeyDigest> },
}

impl Caller {
    pub(super) fn with_token(
        account: Account,
        surface: Surface,
        scopes: ScopeSet,
        id: TokenId,
        proof: TokenProof,
    ) -> Self {
        Self { account, authority: Authority::Token { surface, scopes, id, proof } }
    }

    pub(crate) fn with_session(account: Account, digest: Option<KeyDigest>) -> Self {
        Self { account, authority: Authority::Session { digest } }
    }

    /// Returns the user that the request acts for.
    #[must_use]
    pub fn user(&self) -> &UserId {
        &self.account.user
    }

    /// Returns whether the caller is in a session that the host stores. Only the host can check again whether such a
    /// session is valid.
    #[must_use]
    pub fn is_in_host_session(&self) -> bool {
        matches!(self.authority, Authority::Session { digest: None })
    }

    /// Returns the id of the token, or `None` in a session.
    #[must_use]
    pub fn token(&self) -> Option<&TokenId> {
        match &self.authority {
            Authority::Token { id, .. } => Some(id),
            Authority::Session { .. } => None,
        }
    }

    /// Returns whether the caller has a scope, without an audit event. For lists of available operations.
    #[must_use]
    pub fn has_scope(&self, scope: &Scope) -> bool {
        self.require(scope).is_ok()
    }

    /// Returns the time zone of the user's profile.
    #[must_use]
    pub fn zone(&self) -> &Zone {
        &self.account.zone
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

    /// Returns the member for reads of family data.
    pub(crate) fn member(&self) -> Result<Member, NotInFamily> {
        let membership = self.account.membership.as_ref().ok_or(NotInFamily)?;
        Ok(Member { user: self.account.user.clone(), family: membership.family.clone() })
    }

    /// Returns the author for changes of family data. The storage checks the author's credential again.
    pub(crate) fn author(&self) -> Result<Author, NotInFamily> {
        let credential = match &self.authority {
            Authority::Token { proof: TokenProof::Key(digest), .. } => Credential::Key(*digest),
            Authority::Token { proof: TokenProof::Grant(digest), .. } => Credential::Grant(*digest),
            Authority::Token { proof: TokenProof::External(_), .. } => Credential::External,
            Authority::Session { digest } => Credential::Session(*digest),
        };
        Ok(Author { member: self.member()?, credential })
    }

    /// Returns the token and the surface if only the host's [`TokenVerifier`](crate::TokenVerifier) can verify
    /// the caller again.
    pub(crate) fn external_token(&self) -> Option<(&KeySecret, Surface)> {
        match &self.authority {
            Authority::Token { proof: TokenProof::External(token), surface, .. } => Some((token, *surface)),
            Authority::Token { .. } | Authority::Session { .. } => None,
        }
    }

    /// Checks that the caller has a scope. A token has those scopes of its key that apply to its surface. A session has
    /// every scope.
    pub(crate) fn require(&self, scope: &Scope) -> Result<(), Refusal> {
        match &self.authority {
            Authority::Token { surface, scopes, .. } if !(scope.applies_to(*surface) && scopes.grants(scope)) => {
                Err(Refusal::InsufficientScope(scope.clone()))
            }
            Authority::Token { .. } | Authority::Session { .. } => Ok(()),
        }
    }

    /// Checks that the caller has the read scope of the surface.
    pub(crate) fn require_read(&self) -> Result<(), Refusal> {
        match &self.authority {
            Authority::Token { surface, .. } => self.require(&Scope::read(*surface)),
            Authority::Session { .. } => Ok(()),
        }
    }

    /// Returns a refusal of the caller's token for the audit event, or `None` in a session.
    pub(crate) fn refused_token(&self, reason: Refusal) -> Option<RefusedToken> {
        match &self.authority {
            Authority::Token { surface, id, .. } => {
                let (token, user) = (Some(id.clone()), Some(self.account.user.clone()));
                Some(RefusedToken { token, user, surface: *surface, reason })
            }
            Authority::Session { .. } => None,
        }
    }

    /// Returns the user and the session, for operations that a token must not perform.
    pub(crate) fn signed_in(&self) -> Result<SignedIn, NotInSession> {
        match &self.authority {
            Authority::Session { digest } => Ok(SignedIn { user: self.account.user.clone(), session: *digest }),
            Authority::Token { .. } => Err(NotInSession),
        }
    }
}
