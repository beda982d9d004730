//! Loads into a database: records become rows, and many rows of one kind are stored together, because a statement costs
//! more than a row.

mod batch;
mod kind;
mod loader;
mod names;
mod row;
mod rows;

pub(super) use kind::Kind;
pub(super) use loader::BulkLoader;
pub(super) use rows::Rows;

use async_trait::async_trait;

use crate::storage::{LoadError, LoadFault, Record, StorageError};

/// A transaction that rows are stored in; dropped, it is rolled back.
#[async_trait]
pub(super) trait BulkTransaction: Send {
    /// How records of that kind are stored.
    fn kind(record: &Record) -> &'static Kind
    where
        Self: Sized;

    /// Stores rows, all or none.
    async fn store(&mut self, rows: &Rows<'_>) -> Result<(), BulkFault>;

    /// The number of the first record whose id another one of its kind had before it, of those that only now show.
    async fn find_twin(&mut self) -> Result<Option<u64>, StorageError>;

    /// Makes everything that was stored seen.
    async fn commit(self) -> Result<(), LoadError>
    where
        Self: Sized;
}

/// Why rows were not stored.
pub(super) enum BulkFault {
    /// One of the rows does not fit what is there.
    FieldErrors(LoadFault),
    Storage(StorageError),
}

impl From<StorageError> for BulkFault {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}
