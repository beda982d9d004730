//! Users: the account that access decisions need, and the profile.

use async_trait::async_trait;

use crate::MemoryStorage;
use family_api_core::Timestamp;
use family_api_core::access::{Account, SignedIn};
use family_api_core::change::ProfileChange;
use family_api_core::id::UserId;
use family_api_core::resource::Profile;
use family_api_core::storage::{StorageError, UserStorage};

#[async_trait]
impl UserStorage for MemoryStorage {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        Ok(self.lock()?.state.account(user))
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        Ok(self.lock()?.state.profile(user))
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        if !state.is_signed_in(user, now) {
            return Ok(None);
        }
        if let (Some(stored), Some(enabled)) = (state.users.get_mut(&user.user), change.personal_api_enabled()) {
            stored.personal_api_enabled = enabled;
            stored.updated_at = now;
        }
        Ok(state.profile(&user.user))
    }
}
