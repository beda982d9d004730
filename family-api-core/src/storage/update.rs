//! Update of many records in one transaction, for data that another system owns.

use async_trait::async_trait;

use crate::storage::{LoadError, Record, StorageError};

/// Creates and changes many records atomically. Optional: the API does not need it.
#[async_trait]
pub trait BulkUpdate: Send + Sync {
    /// Begins an update. Until its commit, its changes are invisible, and no other load or update can begin.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn begin_update(&self, missing: MissingRecords) -> Result<Box<dyn Updater>, StorageError>;
}

/// What an update does with the stored records that it does not contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingRecords {
    /// They stay.
    Keep,
    /// Those of the families that the update contains are deleted, and cannot be restored. Users are deleted with their
    /// credentials and with their deleted private records. The keys of other users stay. Every parent of a record must
    /// then be in the update.
    Delete,
}

/// An update in progress. Dropping it before the commit discards its changes.
#[async_trait]
pub trait Updater: Send {
    /// Creates a record, or changes the record with its id. Parents must come before children.
    ///
    /// - If the record was deleted and can be restored, it is created again.
    /// - A user changes the family if the update contains both families. The private records of the user stay in the
    ///   old family, where nobody sees them.
    /// - A password replaces the old one and ends the user's sessions.
    ///   [`Password::None`](crate::storage::Password::None) keeps it.
    /// - A revoked key stays revoked.
    /// - With [`MissingRecords::Delete`], a user can get the e-mail address of a user who is missing or gets another
    ///   address, if the family of that user is in the update before.
    ///
    /// An updater can batch records, so an error can concern a record of an earlier call. The error contains its
    /// number.
    ///
    /// # Errors
    /// [`LoadError::Refused`] for a parent that does not exist in the family, for an e-mail address or token hash of
    /// another record, for another owner or token hash of a key, for a category below itself, and for an id that is
    /// twice in the update. The update then cannot be committed.
    async fn upsert(&mut self, record: Record) -> Result<(), LoadError>;

    /// Commits the update, and returns what it changed: one entry for each kind, in the order of [`Record::KINDS`].
    ///
    /// The revision of a family changes only if one of its records or users has changed.
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
    /// The number of deleted records.
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
