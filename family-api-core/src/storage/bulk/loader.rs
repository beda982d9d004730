//! A load in progress.

use async_trait::async_trait;
use tokio::task::JoinSet;

use crate::storage::bulk::BulkTransaction;
use crate::storage::bulk::batch::Batch;
use crate::storage::bulk::row::row;
use crate::storage::{LoadError, LoadFault, Loader, Record, StorageError};

/// A load into a transaction.
///
/// A task stores one batch while the next one is filled. So the error of a batch is returned when the next batch is
/// stored.
pub(in crate::storage) struct BulkLoader<T> {
    /// The single task that owns the transaction. It is aborted when the load is dropped.
    storing: JoinSet<Result<T, LoadError>>,
    batch: Batch,
    count: u64,
    /// Whether an insertion failed or was cancelled.
    failed: bool,
}

impl<T: BulkTransaction + 'static> BulkLoader<T> {
    pub(in crate::storage) fn new(transaction: T) -> Self {
        let mut storing = JoinSet::new();
        storing.spawn(async { Ok(transaction) });
        Self { storing, batch: Batch::default(), count: 0, failed: false }
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

/// Stores a batch. If several records are faulty, the error names the first, including duplicate ids.
async fn store_batch<T: BulkTransaction>(mut transaction: T, batch: Batch) -> Result<T, LoadError> {
    let stored = batch.store(&mut transaction).await;
    if let Err(LoadError::Refused { number, .. }) = stored {
        check_duplicate_ids(&mut transaction, number).await?;
    }
    stored.map(|()| transaction)
}

/// Returns an error for the first record with a duplicate id, if its number is lower than `before`.
async fn check_duplicate_ids(transaction: &mut impl BulkTransaction, before: u64) -> Result<(), LoadError> {
    match transaction.find_twin().await? {
        Some(number) if number < before => Err(LoadError::Refused { number, fault: LoadFault::exists("id") }),
        _ => Ok(()),
    }
}

#[async_trait]
impl<T: BulkTransaction + 'static> Loader for BulkLoader<T> {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.count += 1;
        let failed = std::mem::replace(&mut self.failed, true);
        let json = row(&record)?;
        if !self.batch.accepts(&record) {
            self.flush().await?;
        }
        self.batch.push(&record, T::kind(&record), &json, self.count);
        self.failed = failed;
        Ok(())
    }

    async fn commit(mut self: Box<Self>) -> Result<(), LoadError> {
        if self.failed {
            return Err(StorageError::backend("an insertion of this load failed or was cancelled").into());
        }
        self.flush().await?;
        let mut transaction = self.join().await?;
        check_duplicate_ids(&mut transaction, u64::MAX).await?;
        transaction.commit().await
    }
}
