//! A load in progress.

use std::collections::HashSet;

use async_trait::async_trait;
use tokio::task::JoinSet;

use crate::storage::bulk::BulkTransaction;
use crate::storage::bulk::batch::Batch;
use crate::storage::{LoadError, LoadFault, Loader, Record, StorageError};

/// Loads records in one transaction.
///
/// A background task stores one batch while the caller fills the next batch. So the error of a batch is returned when
/// the next batch is full, or by the commit.
pub(in crate::storage) struct BulkLoader<T> {
    /// The single task that owns the transaction. It is aborted when the load is dropped.
    storing: JoinSet<Result<T, LoadError>>,
    batch: Batch,
    count: u64,
    /// The families of the records. Their revisions are incremented by the commit.
    families: HashSet<String>,
    /// Whether an insertion failed or was cancelled.
    failed: bool,
}

impl<T: BulkTransaction + 'static> BulkLoader<T> {
    pub(in crate::storage) fn new(transaction: T) -> Self {
        let mut storing = JoinSet::new();
        storing.spawn(async { Ok(transaction) });
        Self { storing, batch: Batch::default(), count: 0, families: HashSet::new(), failed: false }
    }

    /// Waits for the storing task and returns its transaction.
    async fn join(&mut self) -> Result<T, LoadError> {
        match self.storing.join_next().await {
            Some(joined) => joined.map_err(StorageError::backend)?,
            None => Err(StorageError::backend("the transaction of the load is closed").into()),
        }
    }

    /// Starts a task that stores the batch.
    async fn flush(&mut self) -> Result<(), LoadError> {
        let transaction = self.join().await?;
        self.storing.spawn(store_batch(transaction, std::mem::take(&mut self.batch)));
        Ok(())
    }
}

async fn store_batch<T: BulkTransaction>(mut transaction: T, batch: Batch) -> Result<T, LoadError> {
    batch.store(&mut transaction).await?;
    Ok(transaction)
}

#[async_trait]
impl<T: BulkTransaction + 'static> Loader for BulkLoader<T> {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.count += 1;
        let failed = std::mem::replace(&mut self.failed, true);
        let record = record.stored();
        let row = record.row().map_err(StorageError::backend)?;
        if let Some((reference, _)) = record.references().find(|(_, id)| *id == record.record_id()) {
            // A foreign key accepts a record that refers to itself. The faults of earlier records come first.
            self.flush().await?;
            self.join().await?;
            let fault = LoadFault::no_parent(&reference.field());
            return Err(LoadError::Refused { number: self.count, id: record.id().to_owned(), fault });
        }
        if !self.batch.accepts(record) {
            self.flush().await?;
        }
        self.batch.push(record, &row, self.count);
        if let Some(family) = record.family().filter(|family| !self.families.contains(*family)) {
            self.families.insert(family.to_owned());
        }
        self.failed = failed;
        Ok(())
    }

    async fn commit(mut self: Box<Self>) -> Result<(), LoadError> {
        if self.failed {
            return Err(StorageError::backend("an insertion of this load failed or was cancelled").into());
        }
        self.flush().await?;
        let transaction = self.join().await?;
        transaction.commit(std::mem::take(&mut self.families)).await
    }
}
