//! The author of a change, and their credential, which must still be valid when the change is committed.

use crate::Timestamp;
use crate::access::{Refusal, readmit};
use crate::id::UserId;
use crate::key::KeyDigest;
use crate::storage::{Account, FoundKey, KeyStorage, Member, StorageError, Update, UserStorage};

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
    /// An integration key for `/api/v1`. It must be neither revoked nor expired, and its user must have the personal
    /// API switched on.
    Key(KeyDigest),
    /// A session, with its digest if the storage keeps it, as in [`SignedIn`].
    Session(Option<KeyDigest>),
}

/// A signed-in user and their session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The user.
    pub user: UserId,
    /// The digest of the session, if the storage keeps it ([`CredentialStorage`](crate::storage::CredentialStorage)). A
    /// change then takes effect only if the session still exists. `None` if the host keeps the session elsewhere.
    pub session: Option<KeyDigest>,
}

/// Creates a signed-in user whose session the host keeps elsewhere.
impl From<UserId> for SignedIn {
    fn from(user: UserId) -> Self {
        Self { user, session: None }
    }
}

/// The credential that the transaction of a change has found.
#[derive(Debug, Clone, PartialEq)]
pub enum FoundCredential {
    /// The key with the digest, if it exists.
    Key(Option<FoundKey>),
    /// The user of the session, if the session has not ended and the user exists.
    Session(Option<Account>),
}

/// Why the author may no longer make the change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denied {
    /// The credential is no longer valid.
    Unauthorized(Refusal),
    /// The user is no longer in the family, so its records do not exist for them.
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

/// Creates an author whose session the host keeps elsewhere.
impl From<Member> for Author {
    fn from(member: Member) -> Self {
        Self { member, credential: Credential::Session(None) }
    }
}

impl Author {
    /// Finds the credential through the storage's own reads.
    ///
    /// Use it in a storage whose open transaction locks out every other writer, so that the credential cannot change
    /// before the commit. Other storages read the credential in their transaction and lock its rows. Sessions that
    /// [`CredentialStorage`](crate::storage::CredentialStorage) keeps are not found.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
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

    /// Checks the credential at the instant of the change.
    ///
    /// # Errors
    /// [`Denied`] if a new request with this credential would not be authorized at `now`.
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
