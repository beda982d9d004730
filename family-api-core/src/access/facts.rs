//! The facts that access decisions need, as a storage finds them.

use crate::Surface;
use crate::Timestamp;
use crate::calendar::Zone;
use crate::id::{FamilyId, GrantId, UserId};
use crate::key::{IntegrationKey, ScopeSet};
use crate::resource::{Profile, Revision};

/// A key that was found by its digest.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundKey {
    /// The key.
    pub key: IntegrationKey,
    /// Whether the key was revoked. The caller checks the expiry with its own clock.
    pub state: KeyState,
    /// The owner.
    pub user: UserId,
    /// The owner's account, read with the key. `None` if the storage does not contain the owner.
    pub account: Option<Account>,
}

/// Whether a key was revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// The key was not revoked. It may have expired.
    Active,
    /// The key was revoked and is no longer valid.
    Revoked {
        /// When the key was revoked.
        at: Timestamp,
    },
}

/// An access token of a grant that was found by its digest.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundAccessToken {
    /// The grant.
    pub grant: GrantId,
    /// The user of the grant.
    pub user: UserId,
    /// The surface whose MCP endpoint accepts the token.
    pub surface: Surface,
    /// The scopes of the token.
    pub scopes: ScopeSet,
    /// When the token expires: it is valid while `now < expires_at`.
    pub expires_at: Timestamp,
    /// When the grant was last used, truncated to the minute.
    pub last_used_at: Option<Timestamp>,
    /// The user's account, read with the token. `None` if the storage does not contain the user. The API then asks
    /// [`UserStorage`](crate::storage::UserStorage).
    pub account: Option<Account>,
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

/// Creates the account of the profile's user. The revision is `None`.
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

/// A user in a family. Every read and write of family data is made for a member.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Member {
    /// The user.
    pub user: UserId,
    /// The family.
    pub family: FamilyId,
}
