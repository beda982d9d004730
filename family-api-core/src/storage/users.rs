//! Users: the account that access decisions need, and the profile.

use async_trait::async_trait;

use crate::Timestamp;
use crate::calendar::Zone;
use crate::change::ProfileChange;
use crate::id::{FamilyId, UserId};
use crate::resource::{Profile, Revision};
use crate::storage::{SignedIn, StorageError};

/// Stores users.
#[async_trait]
pub trait UserStorage: Send + Sync {
    /// Finds the facts that an access decision about a signed-in user needs, in one call.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a user who does not exist.
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError>;

    /// Finds a user's own profile.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a user who does not exist.
    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError>;

    /// Changes a user's own profile and returns the updated profile.
    ///
    /// A change that names a field sets the user's `updatedAt`. Returns `None` and changes nothing if the user does not
    /// exist or their session has ended.
    ///
    /// Every [`find_key`](crate::storage::KeyStorage::find_key) that begins after the return sees the change, on any
    /// node.
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

/// The facts about a user that access decisions need.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// The user.
    pub user: UserId,
    /// The user's current family.
    pub membership: Option<Membership>,
    /// Whether the user's keys may call `/api/v1`.
    pub personal_api_enabled: bool,
    /// The user's time zone.
    pub zone: Zone,
}

/// Takes the account from the profile. The revision is `None`.
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

/// A user's membership of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The family.
    pub family: FamilyId,
    /// The revision of the family's data. `None` if the storage does not count revisions.
    pub revision: Option<Revision>,
}

/// A user in a family. Reads and writes of family data act for a member.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Member {
    /// The user.
    pub user: UserId,
    /// The family.
    pub family: FamilyId,
}
