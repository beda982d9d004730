//! A load under way.

use async_trait::async_trait;

use crate::storage::bulk::BulkTransaction;
use crate::storage::bulk::batch::{Batch, Row};
use crate::storage::bulk::row::row;
use crate::storage::{LoadError, Loader, Record, StorageError};

/// A load into a transaction.
pub(in crate::storage) struct BulkLoader<T> {
    transaction: T,
    batch: Batch,
    count: u64,
    /// Whether an insertion failed, or was given up half-way.
    lost: bool,
}

impl<T> BulkLoader<T> {
    pub(in crate::storage) fn new(transaction: T) -> Self {
        Self { transaction, batch: Batch::default(), count: 0, lost: false }
    }
}

impl<T: BulkTransaction> BulkLoader<T> {
    /// Stores what was gathered; of several records that do not fit, the first is refused.
    async fn store(&mut self) -> Result<(), LoadError> {
        let stored = self.batch.store(&mut self.transaction).await;
        if let Err(LoadError::Refused { .. }) = stored {
            self.transaction.check().await?;
        }
        stored
    }
}

#[async_trait]
impl<T: BulkTransaction> Loader for BulkLoader<T> {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.count += 1;
        let lost = std::mem::replace(&mut self.lost, true);
        if !self.batch.takes(&record) {
            self.store().await?;
        }
        let json = row(&record)?;
        self.batch.push(Row { kind: T::kind(&record), record, json, number: self.count });
        self.lost = lost;
        Ok(())
    }

    async fn commit(mut self: Box<Self>) -> Result<(), LoadError> {
        if self.lost {
            return Err(StorageError::backend("an insertion of the load did not succeed").into());
        }
        self.store().await?;
        self.transaction.check().await?;
        self.transaction.commit().await
    }
}
