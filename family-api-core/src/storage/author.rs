//! Who makes a change, and the credential that must still be valid when the change is committed.

use crate::Timestamp;
use crate::access::{Refusal, readmit};
use crate::id::UserId;
use crate::key::KeyDigest;
use crate::storage::{Account, FoundKey, KeyStorage, Member, StorageError, Update, UserStorage};

/// The author of a change of family data.
///
/// A request is let in before its body is read, and the body may arrive much later. So the transaction that makes the
/// change finds the credential again ([`FoundCredential`]) and has it judged ([`check`](Self::check)).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// The user, and the family they were in when the request was let in.
    pub member: Member,
    /// What the request was authenticated by.
    pub credential: Credential,
}

/// What a request was authenticated by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// An integration key of `/api/v1`: it must be neither revoked nor expired, and its user must have the personal API
    /// switched on.
    Key(KeyDigest),
    /// A session: its digest if the storage keeps it, as in [`SignedIn`].
    Session(Option<KeyDigest>),
}

/// A signed-in user, and their session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The user.
    pub user: UserId,
    /// The digest of the session, if the storage keeps it ([`Credentials`](crate::storage::CredentialStorage)): a change then
    /// takes effect only if the session still exists. `None` for a session that a host keeps elsewhere.
    pub session: Option<KeyDigest>,
}

/// A session that a host keeps elsewhere.
impl From<UserId> for SignedIn {
    fn from(user: UserId) -> Self {
        Self { user, session: None }
    }
}

/// A credential, as the transaction of a change finds it.
#[derive(Debug, Clone, PartialEq)]
pub enum FoundCredential {
    /// The key of the digest, if there is one.
    Key(Option<FoundKey>),
    /// The user of the session, if the session has not ended and the user exists.
    Session(Option<Account>),
}

/// Why a change is not made: its author may not make it any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denied {
    /// The credential is no longer valid.
    Unauthorized(Refusal),
    /// The user is not in the family any more, so its records do not exist for them.
    NotFound,
}

impl<T> From<Denied> for Update<T> {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Unauthorized(refusal) => Self::Unauthorized(refusal),
            Denied::NotFound => Self::NotFound,
        }
    }
}

/// A member in a session that a host keeps elsewhere.
impl From<Member> for Author {
    fn from(member: Member) -> Self {
        Self { member, credential: Credential::Session(None) }
    }
}

impl Author {
    /// Finds the credential through the storage's own reads.
    ///
    /// For a storage whose open transaction keeps every other writer out, so that what a read shows cannot change before
    /// the commit. Others read the credential in their transaction, and lock it. A session that only
    /// [`Credentials`](crate::storage::CredentialStorage) can find is not found here.
    ///
    /// # Errors
    /// The storage's fault.
    pub async fn find_credential(
        &self,
        storage: &(impl KeyStorage + UserStorage),
    ) -> Result<FoundCredential, StorageError> {
        Ok(match &self.credential {
            Credential::Key(digest) => FoundCredential::Key(storage.find_key(digest).await?),
            Credential::Session(None) => FoundCredential::Session(storage.find_account(&self.member.user).await?),
            Credential::Session(Some(_)) => FoundCredential::Session(None),
        })
    }

    /// Judges the credential at the instant of the change.
    ///
    /// # Errors
    /// [`Denied`] if a request with this credential would not be let in now.
    pub fn check(&self, found: FoundCredential, now: Timestamp) -> Result<(), Denied> {
        let account = match (&self.credential, found) {
            (Credential::Key(digest), FoundCredential::Key(key)) => readmit(key, *digest, now),
            (Credential::Session(_), FoundCredential::Session(account)) => account.ok_or(Refusal::UserGone),
            _ => Err(Refusal::Unknown),
        };
        let account = account.map_err(Denied::Unauthorized)?;
        let family = account.membership.map(|membership| membership.family);
        let is_member = account.user == self.member.user && family.as_ref() == Some(&self.member.family);
        if is_member { Ok(()) } else { Err(Denied::NotFound) }
    }
}
