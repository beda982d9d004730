//! Loads records into a database in batches: each statement inserts many rows of one kind, because a statement costs
//! more than a row.

mod batch;
mod kind;
mod loader;
mod references;
mod row;
mod rows;

pub(super) use kind::Kind;
pub(super) use loader::BulkLoader;
pub(super) use rows::Rows;

use async_trait::async_trait;

use crate::storage::{LoadError, LoadFault, Record, StorageError};

/// The transaction of a load. Dropping it rolls it back.
#[async_trait]
pub(super) trait BulkTransaction: Send {
    /// Returns how records of this kind are stored.
    fn kind(record: &Record) -> &'static Kind
    where
        Self: Sized;

    /// Stores all of the rows, or none.
    async fn store(&mut self, rows: &Rows<'_>) -> Result<(), BulkFault>;

    /// Finds the first record with the id of an earlier record of its kind, and returns its number. Reports only
    /// duplicates that [`store`](Self::store) does not detect.
    async fn find_twin(&mut self) -> Result<Option<u64>, StorageError>;

    /// Commits the transaction.
    async fn commit(self) -> Result<(), LoadError>
    where
        Self: Sized;
}

/// Why rows were not stored.
pub(super) enum BulkFault {
    /// One of the rows conflicts with the stored rows, or its parent is missing.
    FieldErrors(LoadFault),
    Storage(StorageError),
}

impl From<StorageError> for BulkFault {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}
