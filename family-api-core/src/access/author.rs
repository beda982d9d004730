//! The author of a change, and their credential, which must still be valid when the change is committed.

use crate::Timestamp;
use crate::access::{
    Account, FoundAccessToken, FoundKey, Member, Refusal, reauthorize_grant, reauthorize_key, reauthorize_user,
};
use crate::id::UserId;
use crate::key::{KeyDigest, Scope};

/// The author of a change of family data.
///
/// A request is authorized before its body is read, and the body may arrive much later. So the transaction of the
/// change finds the credential again ([`FoundCredential`]) and checks it ([`check`](Self::check)).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// The user, and their family when the request was authorized.
    pub member: Member,
    /// The credential that authenticated the request.
    pub credential: Credential,
}

/// The credential that authenticated a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// An integration key for `/api/v1`. It must be neither revoked nor expired and have the scope of the change, and
    /// its user must have the personal API switched on.
    Key(KeyDigest),
    /// An access token of a grant for `/api/v1/mcp`. It must exist, not have expired and have the scope of the change,
    /// and its user must have the personal API switched on.
    Grant(KeyDigest),
    /// A token that the host's [`TokenVerifier`](crate::TokenVerifier) has verified immediately before the
    /// change. Its user must have the personal API switched on.
    External,
    /// A session. Contains its digest if the storage stores sessions, as in [`SignedIn`].
    Session(Option<KeyDigest>),
}

/// A signed-in user and their session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The user.
    pub user: UserId,
    /// The digest of the session, if the storage stores sessions
    /// ([`CredentialStorage`](crate::storage::CredentialStorage)). A change then takes effect only if the session still
    /// exists. `None` if the host stores sessions itself.
    pub session: Option<KeyDigest>,
}

/// Creates a signed-in user whose session is stored by the host.
impl From<UserId> for SignedIn {
    fn from(user: UserId) -> Self {
        Self { user, session: None }
    }
}

/// The current state of an author's credential, as read in the transaction of a change.
#[derive(Debug, Clone, PartialEq)]
pub enum FoundCredential {
    /// The key with the digest, if it exists.
    Key(Option<FoundKey>),
    /// The access token with the digest, if it exists.
    Grant(Option<FoundAccessToken>),
    /// The user of the external token, if the user exists.
    External(Option<Account>),
    /// The user of the session, if the session has not ended and the user exists.
    Session(Option<Account>),
}

/// Why the author may no longer make the change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denied {
    /// The credential is no longer valid.
    Unauthorized(Refusal),
    /// The user has left the family. The records of the family are treated as if they did not exist.
    NotFound,
}

/// Creates an author whose session is stored by the host.
impl From<Member> for Author {
    fn from(member: Member) -> Self {
        Self { member, credential: Credential::Session(None) }
    }
}

impl Author {
    /// Checks the credential at the instant of the change. `scope` is the [`write_scope`](crate::access::write_scope)
    /// of the change.
    ///
    /// # Errors
    /// [`Denied`] if a new request with this credential would not be authorized at `now`.
    pub fn check(&self, found: FoundCredential, scope: &Scope, now: Timestamp) -> Result<(), Denied> {
        let account = match (&self.credential, found) {
            (Credential::Key(digest), FoundCredential::Key(key)) => reauthorize_key(key, *digest, scope, now),
            (Credential::Grant(digest), FoundCredential::Grant(token)) => reauthorize_grant(token, *digest, scope, now),
            (Credential::External, FoundCredential::External(account)) => reauthorize_user(account),
            (Credential::Session(_), FoundCredential::Session(account)) => account.ok_or(Refusal::UserGone),
            _ => Err(Refusal::Unknown),
        };
        let account = account.map_err(Denied::Unauthorized)?;
        let family = account.membership.map(|membership| membership.family);
        let is_member = account.user == self.member.user && family.as_ref() == Some(&self.member.family);
        if is_member { Ok(()) } else { Err(Denied::NotFound) }
    }
}
