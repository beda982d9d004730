//! Taking many records at once, in one transaction that owns the writer.
//!
//! A statement costs more than a record, so records of one kind that follow each other are gathered and stored by one
//! statement, as rows of a JSON array. SQLite undoes a statement that fails as a whole; its rows are then stored one by
//! one, to name the one that does not fit.

mod batch;
mod events;
mod kind;
mod known;
mod notes;
mod people;
mod row;
mod shopping;
mod tasks;

use async_trait::async_trait;
use sqlx::{Sqlite, Transaction};

use crate::storage::sqlite::SqliteStorage;
use crate::storage::sqlite::error::fault;
use crate::storage::{Load, LoadError, Loader, Record, StorageError};

use batch::Batch;
use row::row;

#[async_trait]
impl Load for SqliteStorage {
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
        let mut transaction = self.pools.begin().await?;
        known::begin(&mut transaction).await?;
        Ok(Box::new(SqliteLoader { transaction, batch: Batch::default(), count: 0, lost: false }))
    }
}

/// A load under way: dropped, its transaction is rolled back.
struct SqliteLoader {
    transaction: Transaction<'static, Sqlite>,
    batch: Batch,
    count: u64,
    /// Whether an insertion failed, or was given up half-way.
    lost: bool,
}

#[async_trait]
impl Loader for SqliteLoader {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.count += 1;
        let lost = std::mem::replace(&mut self.lost, true);
        let (kind, row) = row(record).map_err(StorageError::backend)?;
        if !self.batch.takes(kind) {
            self.batch.store(&mut self.transaction).await?;
        }
        self.batch.push(kind, row, self.count);
        self.lost = lost;
        Ok(())
    }

    async fn commit(mut self: Box<Self>) -> Result<(), LoadError> {
        if self.lost {
            return Err(StorageError::backend("an insertion of the load did not succeed").into());
        }
        self.batch.store(&mut self.transaction).await?;
        known::end(&mut self.transaction).await?;
        Ok(self.transaction.commit().await.map_err(fault)?)
    }
}
