//! Accounts and profiles of users.

use family_api_core::Timestamp;
use family_api_core::change::ProfileChange;
use family_api_core::id::UserId;
use family_api_core::resource::Profile;
use family_api_core::storage::{Account, Membership};

use super::{Model, build_resource};

impl Model {
    /// Returns an account without a revision, because revisions differ between storages.
    pub(super) fn account(&self, id: &UserId) -> Option<Account> {
        let user = self.user(id)?.clone();
        Some(Account {
            user: user.id,
            membership: user.family_id.map(|family| Membership { family, revision: None }),
            personal_api_enabled: user.personal_api_enabled,
            zone: user.time_zone,
        })
    }

    pub(super) fn profile(&self, id: &UserId) -> Option<Profile> {
        let user = self.user(id)?;
        Some(build_resource! { Profile of user:
            id name email image color emoji family_id display_currency time_zone personal_api_enabled llm_model
            llm_key_configured;
        })
    }

    pub(super) fn update_profile(&mut self, id: &UserId, change: &ProfileChange, now: Timestamp) -> Option<Profile> {
        let user = self.users.iter_mut().find(|user| user.id == *id)?;
        if !change.is_empty() {
            user.personal_api_enabled = change.personal_api_enabled().unwrap_or(user.personal_api_enabled);
            user.time_zone = change.time_zone().unwrap_or(&user.time_zone).clone();
            user.updated_at = now;
            self.writes += 1;
        }
        self.profile(id)
    }
}
