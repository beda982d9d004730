//! Users: the account that access decisions need, and the profile.

use async_trait::async_trait;

use crate::Timestamp;
use crate::access::{Account, SignedIn};
use crate::change::ProfileChange;
use crate::id::UserId;
use crate::resource::Profile;
use crate::storage::StorageError;

/// Stores users.
#[async_trait]
pub trait UserStorage: Send + Sync {
    /// Finds a user's account, which contains all facts that an access decision needs. Default: takes them from the
    /// profile, without a revision.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a user who does not exist.
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        Ok(self.find_profile(user).await?.map(Account::from))
    }

    /// Finds a user's own profile.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a user who does not exist.
    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError>;

    /// Changes a user's own profile and returns the updated profile.
    ///
    /// A change that names a field sets the user's `updatedAt`. A new time zone also changes the revision of the family
    /// in the same transaction, because documents depend on it. A host must apply every field that it keeps. Returns
    /// `None` and changes nothing if the user does not exist or their session has ended.
    ///
    /// Every [`find_key`](crate::storage::KeyStorage::find_key) call that begins after this method has returned sees
    /// the change, on any node.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a user who does not exist.
    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError>;
}
