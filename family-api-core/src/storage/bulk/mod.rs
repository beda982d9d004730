//! Loads into a database: records become rows, and rows of one kind that follow each other are stored together, because a
//! statement costs more than a row.

mod batch;
mod kind;
mod loader;
mod row;

pub(super) use kind::Kind;
pub(super) use loader::BulkLoader;

use async_trait::async_trait;

use crate::storage::{LoadError, LoadFault, Record, StorageError};

/// A transaction that rows are stored in; dropped, it is rolled back.
#[async_trait]
pub(super) trait BulkTransaction: Send {
    /// How records of that kind are stored.
    fn kind(record: &Record) -> &'static Kind
    where
        Self: Sized;

    /// Stores rows of a kind, all or none: a JSON array of [rows](row::row), the first of which is the record `first`.
    async fn store(&mut self, kind: &'static Kind, rows: &str, first: u64) -> Result<(), BulkFault>;

    /// Refuses the first record of which only now shows that it does not fit.
    async fn check(&mut self) -> Result<(), LoadError>;

    /// Makes everything that was stored seen.
    async fn commit(self) -> Result<(), LoadError>
    where
        Self: Sized;
}

/// Why rows were not stored.
pub(super) enum BulkFault {
    /// One of the rows does not fit what is there.
    Misfit(LoadFault),
    Storage(StorageError),
}

impl From<StorageError> for BulkFault {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}
