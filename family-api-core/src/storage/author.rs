//! Finds the credential of an author through the storage traits.

use crate::access::{Author, Credential, Denied, FoundCredential};
use crate::storage::{KeyStorage, StorageError, Update, UserStorage};

impl Author {
    /// Finds the credential with [`find_key`](KeyStorage::find_key) or [`find_account`](UserStorage::find_account).
    ///
    /// Use it in a storage whose open transaction locks out every other writer, so that the credential cannot change
    /// before the commit. Other storages read the credential in their transaction and lock its rows. Does not find a
    /// session that [`CredentialStorage`](crate::storage::CredentialStorage) stores.
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
}

impl<T> From<Denied> for Update<T> {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Unauthorized(refusal) => Self::Unauthorized(refusal),
            Denied::NotFound => Self::NotFound,
        }
    }
}
