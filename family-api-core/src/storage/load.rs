//! Import of family data from a file (format: README of the server).

use async_trait::async_trait;

use crate::storage::{Record, StorageError};

/// Imports many records atomically: all or none.
#[async_trait]
pub trait Load: Send + Sync {
    /// Begins a load. Its records are invisible until it is committed, and no other load can begin.
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
    /// A loader may batch records. An error names the refused record by its number, which can be an earlier record.
    ///
    /// # Errors
    /// [`LoadError::Refused`] for an unknown parent, or for an id, e-mail address or token hash that already exists.
    /// The load then cannot be committed.
    async fn insert(&mut self, record: Record) -> Result<(), LoadError>;

    /// Commits the load. All its records become visible atomically.
    ///
    /// # Errors
    /// As for [`insert`](Self::insert), for records that were batched.
    async fn commit(self: Box<Self>) -> Result<(), LoadError>;
}

/// Why a load failed. None of its records are stored.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A record conflicts with the stored records, or its parent is missing.
    #[error("record {number} is refused: {fault}")]
    Refused {
        /// The number of the [`Loader::insert`] call, counted from 1.
        number: u64,
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
    /// The expected value, as a message.
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
