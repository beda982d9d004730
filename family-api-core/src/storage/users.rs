//! Users: what a decision needs of them, and their profile.

use async_trait::async_trait;

use crate::Timestamp;
use crate::calendar::Zone;
use crate::change::ProfileChange;
use crate::id::{FamilyId, UserId};
use crate::resource::{Profile, Revision};
use crate::storage::{SignedIn, StorageError};

/// Keeps users.
#[async_trait]
pub trait UserStorage: Send + Sync {
    /// Finds what a decision about a signed-in user needs, in one call.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a user who is not there.
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError>;

    /// Finds a user's own profile.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a user who is not there.
    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError>;

    /// Changes a user's own profile and returns it as it is then; a change that names a field sets the user's `updatedAt`.
    /// Returns `None` and changes nothing if the user does not exist or their session has ended.
    ///
    /// When it returns, every [`find_key`](crate::storage::KeyStorage::find_key) that begins afterwards sees the change, on any node.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a user who is not there.
    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError>;
}

/// What is decided about a user's requests.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// The user.
    pub user: UserId,
    /// The family they are in at this moment.
    pub membership: Option<Membership>,
    /// Whether their keys open `/api/v1`.
    pub personal_api_enabled: bool,
    /// Where their days begin.
    pub zone: Zone,
}

/// What is decided about a user, as their profile says it; of a revision, it says nothing.
impl From<Profile> for Account {
    fn from(profile: Profile) -> Self {
        Self {
            user: profile.id,
            membership: profile.family_id.map(|family| Membership { family, revision: None }),
            personal_api_enabled: profile.personal_api_enabled,
            zone: profile.time_zone,
        }
    }
}

/// A user's place in a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The family.
    pub family: FamilyId,
    /// The version of the family's data; `None` where the storage keeps none.
    pub revision: Option<Revision>,
}

/// A user in a family: as whom family data is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Member {
    /// The user.
    pub user: UserId,
    /// The family.
    pub family: FamilyId,
}
