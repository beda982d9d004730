//! Administration of families, users and their credentials by an operator.

use async_trait::async_trait;
use serde::Serialize;

use crate::Timestamp;
use crate::calendar::{Zone, ZoneName};
use crate::connection::Connection;
use crate::feed::CalendarFeed;
use crate::id::{FamilyId, FeedId, GrantId, KeyId, UserId};
use crate::key::IntegrationKey;
use crate::storage::StorageError;

/// What an operator does with families, users and their credentials. Optional: the API does not need it.
///
/// There is no permission check and no session: whoever calls it may do everything. [`BulkLoad`](super::BulkLoad) adds
/// families and users. Lists are in the order of their ids, after the id `after`, and have at most `limit` entries.
#[async_trait]
pub trait Administration: Send + Sync {
    /// Lists families.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_families(&self, after: Option<&FamilyId>, limit: u32) -> Result<Vec<FamilySummary>, StorageError>;

    /// Finds a family.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn find_family(&self, family: &FamilyId) -> Result<Option<FamilySummary>, StorageError>;

    /// Counts the records that [`delete_family`](Self::delete_family) deletes.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn count_family(&self, family: &FamilyId) -> Result<Vec<KindCount>, StorageError>;

    /// Deletes a family with its records. Its members become users without a family, and keep their credentials.
    /// Returns what was deleted, or `None` if the family does not exist.
    ///
    /// # Errors
    /// [`StorageError`] for a fault. Nothing is deleted then.
    async fn delete_family(&self, family: &FamilyId, now: Timestamp) -> Result<Option<Vec<KindCount>>, StorageError>;

    /// Lists the users of a family, or all users.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_users(
        &self,
        family: Option<&FamilyId>,
        after: Option<&UserId>,
        limit: u32,
    ) -> Result<Vec<UserSummary>, StorageError>;

    /// Finds a user by the e-mail address, whatever the capitals (the letters A to Z).
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn find_user(&self, email: &str) -> Result<Option<UserSummary>, StorageError>;

    /// Counts what [`delete_user`](Self::delete_user) deletes.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn count_user(&self, user: &UserId) -> Result<Vec<KindCount>, StorageError>;

    /// Deletes a user with all credentials and with the private records that only this user sees, also those that could
    /// be restored. Records that others see stay, and name a user who does not exist. Returns what was deleted, or
    /// `None` if the user does not exist.
    ///
    /// # Errors
    /// [`StorageError`] for a fault. Nothing is deleted then.
    async fn delete_user(&self, user: &UserId) -> Result<Option<Vec<KindCount>>, StorageError>;

    /// Moves a user to another family, or out of the family. Private records stay in the old family, where nobody sees
    /// them until the user returns. Credentials stay valid, for the new family.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn move_user(
        &self,
        user: &UserId,
        family: Option<&FamilyId>,
        now: Timestamp,
    ) -> Result<UserMove, StorageError>;

    /// Changes a user. Credentials stay valid.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn update_user(&self, user: &UserId, change: &UserChange, now: Timestamp)
    -> Result<UserUpdate, StorageError>;

    /// Lists the keys of a user, or of all users, that are neither revoked nor expired at `now`.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_active_keys(
        &self,
        user: Option<&UserId>,
        after: Option<&KeyId>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<Owned<IntegrationKey>>, StorageError>;

    /// Revokes the selected keys that are neither revoked nor expired at `now`. Returns their number.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn revoke_keys(&self, keys: Selection<'_, KeyId>, now: Timestamp) -> Result<u64, StorageError>;

    /// Lists the live grants of a user, or of all users.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_live_grants(
        &self,
        user: Option<&UserId>,
        after: Option<&GrantId>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<Owned<Connection>>, StorageError>;

    /// Revokes the selected grants that are live at `now`, and waits for the writes with them that are in progress.
    /// Returns the number of revoked grants.
    ///
    /// # Errors
    /// [`StorageError`] for a fault. A storage on several servers can have revoked the grants then, while a write with
    /// them is still in progress. A repeated call waits for it.
    async fn revoke_grants(&self, grants: Selection<'_, GrantId>, now: Timestamp) -> Result<u64, StorageError>;

    /// Lists the calendar feeds of a user, or of all users, that are current at `now`.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_current_feeds(
        &self,
        user: Option<&UserId>,
        after: Option<&FeedId>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<Owned<CalendarFeed>>, StorageError>;

    /// Deletes the selected calendar feeds that are current at `now`. Returns their number.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_feeds(&self, feeds: Selection<'_, FeedId>, now: Timestamp) -> Result<u64, StorageError>;

    /// Deletes the sessions of a user, or of all users. Returns their number.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_sessions(&self, user: Option<&UserId>) -> Result<u64, StorageError>;
}

/// A family in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FamilySummary {
    /// Identifier of the family.
    pub id: FamilyId,
    /// Display name.
    pub name: String,
    /// When the family was created.
    pub created_at: Timestamp,
    /// The number of its users.
    pub members: u64,
}

/// A user in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UserSummary {
    /// Identifier of the user.
    pub id: UserId,
    /// The family of the user.
    pub family_id: Option<FamilyId>,
    /// Display name.
    pub name: String,
    /// E-mail address.
    pub email: String,
    /// IANA time zone.
    pub time_zone: ZoneName,
    /// Whether the user can sign in with a password.
    pub has_password: bool,
    /// Whether the keys of this user may call `/api/v1`.
    pub personal_api_enabled: bool,
    /// When the user was created.
    pub created_at: Timestamp,
}

/// The number of records of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindCount {
    /// The kind, as in [`Record::KINDS`](super::Record::KINDS), or one of `deletedRecord`, `session` and `connection`.
    pub kind: &'static str,
    /// The number of records.
    pub count: u64,
}

/// A credential with its owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Owned<T> {
    /// The credential.
    #[serde(flatten)]
    pub item: T,
    /// The owner.
    #[serde(rename = "userId")]
    pub user: UserId,
    /// The owner's e-mail address. `None` if the storage does not have the owner.
    pub email: Option<String>,
}

/// Which credentials are revoked or deleted.
#[derive(Debug)]
pub enum Selection<'a, I> {
    /// Those of all users.
    All,
    /// Those of one user.
    User(&'a UserId),
    /// The one with this id.
    One(&'a I),
}

impl<I> Clone for Selection<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I> Copy for Selection<'_, I> {}

/// A change of a user. `None` keeps the value.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct UserChange {
    /// Display name.
    pub name: Option<String>,
    /// E-mail address. It is stored in lower case.
    pub email: Option<String>,
    /// IANA time zone.
    pub time_zone: Option<Zone>,
}

/// The result of [`Administration::update_user`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserUpdate {
    /// The user was changed.
    Updated,
    /// The user does not exist.
    UnknownUser,
    /// Another user has the e-mail address.
    EmailTaken,
}

/// The result of [`Administration::move_user`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserMove {
    /// The user is in the new family.
    Moved,
    /// The user does not exist.
    UnknownUser,
    /// The new family does not exist.
    UnknownFamily,
}
