//! Flaws of accounts and profiles.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::change::ProfileChange;
use family_api_core::id::UserId;
use family_api_core::resource::{Profile, Revision};
use family_api_core::storage::{Account, SignedIn, StorageError, UserStorage};

use crate::broken::{BrokenStorage, Flaw};

#[async_trait]
impl UserStorage for BrokenStorage {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        let lowercase_id = user.as_str().to_lowercase().parse().unwrap();
        let user = if self.has(Flaw::IgnoresTheCaseOfIds) { &lowercase_id } else { user };
        Ok(self.flawed_account(self.inner.find_account(user).await?))
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        let profile = self.inner.find_profile(user).await?;
        Ok(profile.map(|profile| match self.flaw {
            Some(Flaw::LosesImages) => Profile { image: None, ..profile },
            _ => profile,
        }))
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        let user = &self.flawed_user(user);
        match self.flaw {
            Some(Flaw::ReturnsTheProfileChangeWithoutStoringIt) => {
                let mut profile = self.inner.find_profile(&user.user).await?;
                if let (Some(profile), Some(enabled)) = (&mut profile, change.personal_api_enabled()) {
                    profile.personal_api_enabled = enabled;
                }
                Ok(profile)
            }
            Some(Flaw::DisablesThePersonalApiOnAnEmptyChange) => {
                let off = ProfileChange::new().disable_personal_api();
                let change = if change.is_empty() { &off } else { change };
                self.inner.update_profile(user, change, now).await
            }
            _ => self.inner.update_profile(user, change, now).await,
        }
    }
}

impl BrokenStorage {
    pub(super) fn flawed_account(&self, account: Option<Account>) -> Option<Account> {
        let mut account = account?;
        if let Some(membership) = &mut account.membership {
            self.add_uses_to_revision(&mut membership.revision);
        }
        match (self.flaw, &mut account.membership) {
            (Some(Flaw::NeverChangesTheRevision), Some(membership)) => membership.revision = Some(Revision::new(7)),
            (Some(Flaw::LosesTheFamily), membership) => *membership = None,
            (Some(Flaw::HidesUsersWithoutFamily), None) => return None,
            _ => {}
        }
        Some(account)
    }
}
