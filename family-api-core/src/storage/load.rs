//! Import of many records in one transaction. The README of the server describes the file format of its command
//! `import`.

use async_trait::async_trait;

use crate::Timestamp;
use crate::calendar::{Zone, ZoneName};
use crate::id::UserId;
use crate::storage::{Record, StorageError};

/// Imports many records atomically: all or none.
#[async_trait]
pub trait BulkLoad: Send + Sync {
    /// Begins a load. Until its commit, its records are invisible and no other load can begin.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError>;
}

/// A load in progress. Dropping it before the commit discards its records.
#[async_trait]
pub trait Loader: Send {
    /// Adds a record. Parents must come before children.
    ///
    /// A loader can batch records, so an error can concern a record of an earlier call. The error contains its number.
    ///
    /// # Errors
    /// [`LoadError::Refused`] for a parent that does not exist in the family, or for an id, e-mail address or token hash
    /// that already exists. Ids of families, users and keys are unique among all families, and other ids among the
    /// records of their kind in a family, including deleted records that can be restored. The load then cannot be
    /// committed.
    async fn insert(&mut self, record: Record) -> Result<(), LoadError>;

    /// Commits the load. All its records become visible atomically. An event without a time zone gets the
    /// [zone of the first member](first_member_zone) of its family.
    ///
    /// # Errors
    /// As for [`insert`](Self::insert), for records that were batched. [`StorageError::Unavailable`] if the family of a
    /// new user was deleted in the meantime.
    async fn commit(self: Box<Self>) -> Result<(), LoadError>;
}

/// Returns the time zone of a family's first member, the one that was created first. UTC if the family has no member.
#[must_use]
pub fn first_member_zone(members: impl IntoIterator<Item = (Timestamp, UserId, ZoneName)>) -> ZoneName {
    members.into_iter().min().map_or_else(|| Zone::utc().into(), |(.., zone)| zone)
}

/// Why a load failed. None of its records are stored.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A record conflicts with the stored records, or its parent is missing.
    #[error("record {number} is refused: {fault}")]
    Refused {
        /// The number of the [`Loader::insert`] call, counted from 1.
        number: u64,
        /// The id of the record.
        id: String,
        /// The reason.
        fault: LoadFault,
    },
    /// The storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Why a record of a load is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{expected}", if field.is_empty() { String::new() } else { format!("field `{field}`: ") })]
pub struct LoadFault {
    /// The name of the field in the import format. Empty if the fault concerns the whole line.
    pub field: String,
    /// The message, such as `expected an integer`.
    pub expected: String,
}

impl LoadFault {
    /// Creates a fault of a field, or of the whole line if `field` is empty.
    #[must_use]
    pub fn new(field: &str, expected: &str) -> Self {
        Self { field: field.to_owned(), expected: expected.to_owned() }
    }

    /// Creates the fault for an id, e-mail address or token hash that already exists.
    #[must_use]
    pub fn exists(field: &str) -> Self {
        Self::new(field, "expected a value that does not exist yet")
    }

    /// Creates the fault for a parent that does not exist.
    #[must_use]
    pub fn no_parent(field: &str) -> Self {
        Self::new(field, "expected the id of an existing record")
    }
}
