//! Update of many records in one transaction, for data that another system owns.

use async_trait::async_trait;

use crate::storage::{LoadError, Record, StorageError};

/// Creates, changes and deletes many records atomically. Optional: the API does not need it.
#[async_trait]
pub trait BulkUpdate: Send + Sync {
    /// Begins an update. Until its commit, its changes are invisible, and no other load or update can begin: another
    /// one waits, or fails.
    ///
    /// # Errors
    /// [`StorageError`] for a fault. [`StorageError::Unavailable`] if another load or update is in progress.
    async fn begin_update(&self, missing: MissingRecords) -> Result<Box<dyn Updater>, StorageError>;
}

/// What an update does with the stored records that it does not contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingRecords {
    /// They stay.
    Keep,
    /// Those of the families that the update contains are deleted, and cannot be restored. Families are never missing,
    /// nor are users without a family. Every parent of a record must then be in the update.
    ///
    /// - Users are deleted with their credentials, and with their idempotency keys and private records in every family,
    ///   as [`delete_user`](crate::storage::Administration::delete_user) does. The keys of other users stay.
    /// - What was deleted from the missing private boards and lists is forgotten. All other records that were deleted
    ///   before the update can still be restored.
    Delete,
}

/// An update in progress. Dropping it before the commit discards its changes.
#[async_trait]
pub trait Updater: Send {
    /// Creates a record, or replaces every field of the record with its id. Parents must come before children. Ids
    /// are unique as in a [load](crate::storage::Loader::insert). No maximum number of records applies, but later
    /// creations count the records.
    ///
    /// - If the record was deleted and can be restored, it is created again, and the deleted record is forgotten. Its
    ///   `sequence` becomes higher than that of the deleted record.
    /// - A user leaves a family only if the update contains that family before the user. The private records of the
    ///   user stay in the old family, where no member sees them until the user returns.
    /// - An event without a time zone keeps the stored one. A new event gets one as in a
    ///   [load](crate::storage::Loader::commit).
    /// - A password replaces the old one and ends the user's sessions. Both stay if the hash equals the stored hash,
    ///   and for [`Password::None`](crate::storage::Password::None).
    /// - A revoked key stays revoked, since the time of the first revocation.
    /// - A user can get the e-mail address of another user only if that user got another address before, in a record
    ///   of the update.
    ///
    /// An updater can batch records, so an error can concern a record of an earlier call. The error contains its
    /// number.
    ///
    /// # Errors
    /// [`LoadError::Refused`] for a parent that does not exist in the family, for an e-mail address or token hash of
    /// another record, for another owner or token hash of a key, for a category below itself, for a user whose old
    /// family is not in the update before, and for an id that is twice in the update. If several records are refused,
    /// the error names the first. The update then cannot be committed.
    async fn upsert(&mut self, record: Record) -> Result<(), LoadError>;

    /// Commits the update, and returns what it changed: one entry for each kind, in the order of [`Record::KINDS`].
    ///
    /// The revision of a family changes if one of its records or users was created, changed or deleted, or has left.
    /// Otherwise it stays. The name of the family and the keys of its users do not count.
    ///
    /// # Errors
    /// As for [`upsert`](Self::upsert), for records that were batched.
    async fn commit(self: Box<Self>) -> Result<Vec<KindChanges>, LoadError>;

    /// Discards the update, and returns what [`commit`](Self::commit) would have changed.
    ///
    /// # Errors
    /// As for [`commit`](Self::commit).
    async fn preview(self: Box<Self>) -> Result<Vec<KindChanges>, LoadError>;
}

/// What an update does to the records of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct KindChanges {
    /// The kind, as in [`Record::KINDS`].
    pub kind: &'static str,
    /// The number of new records.
    pub created: u64,
    /// The number of records that differ from the stored records with their ids.
    pub changed: u64,
    /// The number of records that equal the stored records.
    pub unchanged: u64,
    /// The number of deleted records. A key that is deleted with its user does not count.
    pub deleted: u64,
}

impl KindChanges {
    /// Returns an entry without changes for each kind.
    #[must_use]
    pub fn none() -> Vec<Self> {
        let kinds = Record::KINDS.into_iter();
        kinds.map(|kind| Self { kind, created: 0, changed: 0, unchanged: 0, deleted: 0 }).collect()
    }
}
