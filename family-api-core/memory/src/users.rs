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
        if let Some(stored) = state.users.get_mut(&user.user).filter(|_| !change.is_empty()) {
            stored.personal_api_enabled = change.personal_api_enabled().unwrap_or(stored.personal_api_enabled);
            stored.updated_at = now;
            if let Some(zone) = change.time_zone() {
                let is_changed = stored.time_zone != *zone;
                stored.time_zone = zone.clone();
                let family = stored.family_id.as_ref().and_then(|family| state.families.get_mut(family));
                if let Some(family) = family {
                    family.revision += 1;
                }
                if is_changed {
                    state.increment_feed_sequences(&user.user);
                }
            }
        }
        Ok(state.profile(&user.user))
    }
}
