//! Finds the credential of an author through the storage traits.

use crate::access::{Author, Credential, FoundCredential};
use crate::storage::{GrantStorage, KeyStorage, StorageError, UserStorage};

impl Author {
    /// Finds the credential with [`find_key`](KeyStorage::find_key) or [`find_account`](UserStorage::find_account).
    ///
    /// Use it in a storage whose open transaction locks out every other writer, so that the credential cannot change
    /// before the commit. Other storages read the credential in their transaction and lock its rows. Does not find a
    /// session that [`CredentialStorage`](crate::storage::CredentialStorage) stores, nor an access token of a grant.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    pub async fn find_credential(
        &self,
        storage: &(impl KeyStorage + UserStorage),
    ) -> Result<FoundCredential, StorageError> {
        Ok(match &self.credential {
            Credential::Key(digest) => FoundCredential::Key(storage.find_key(digest).await?),
            Credential::Grant(_) => FoundCredential::Grant(None),
            Credential::External => FoundCredential::External(storage.find_account(&self.member.user).await?),
            Credential::Session(None) => FoundCredential::Session(storage.find_account(&self.member.user).await?),
            Credential::Session(Some(_)) => FoundCredential::Session(None),
        })
    }

    /// Finds the credential as [`find_credential`](Self::find_credential) does, and access tokens in `grants`.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    pub async fn find_credential_or_grant(
        &self,
        storage: &(impl KeyStorage + UserStorage),
        grants: &dyn GrantStorage,
    ) -> Result<FoundCredential, StorageError> {
        let Credential::Grant(digest) = &self.credential else {
            return self.find_credential(storage).await;
        };
        let mut found = grants.find_access_token(digest).await?;
        if let Some(token) = &mut found
            && token.account.is_none()
        {
            token.account = storage.find_account(&token.user).await?;
        }
        Ok(FoundCredential::Grant(found))
    }
}
