//! A load under way.

use async_trait::async_trait;
use tokio::task::JoinSet;

use crate::storage::bulk::BulkTransaction;
use crate::storage::bulk::batch::Batch;
use crate::storage::bulk::row::row;
use crate::storage::{LoadError, LoadFault, Loader, Record, StorageError};

/// A load into a transaction.
///
/// While a batch is stored, the next one is gathered; what is wrong with a batch is told when the next is stored.
pub(in crate::storage) struct BulkLoader<T> {
    /// The one task that has the transaction; it ends when the load is dropped.
    storing: JoinSet<Result<T, LoadError>>,
    batch: Batch,
    count: u64,
    /// Whether an insertion failed, or was given up half-way.
    lost: bool,
}

impl<T: BulkTransaction + 'static> BulkLoader<T> {
    pub(in crate::storage) fn new(transaction: T) -> Self {
        let mut storing = JoinSet::new();
        storing.spawn(async { Ok(transaction) });
        Self { storing, batch: Batch::default(), count: 0, lost: false }
    }

    /// The transaction, once everything is stored that was to be.
    async fn stored(&mut self) -> Result<T, LoadError> {
        match self.storing.join_next().await {
            Some(stored) => stored.map_err(StorageError::backend)?,
            None => Err(StorageError::backend("the transaction of the load is gone").into()),
        }
    }

    /// Begins to store what was gathered.
    async fn store(&mut self) -> Result<(), LoadError> {
        let transaction = self.stored().await?;
        self.storing.spawn(store(transaction, std::mem::take(&mut self.batch)));
        Ok(())
    }
}

/// Of several records that do not fit, the first is refused.
async fn store<T: BulkTransaction>(mut transaction: T, batch: Batch) -> Result<T, LoadError> {
    let stored = batch.store(&mut transaction).await;
    if let Err(LoadError::Refused { number, .. }) = stored {
        refuse_twin(&mut transaction, number).await?;
    }
    stored.map(|()| transaction)
}

/// Refuses the first record whose id another one has, if it came before that number.
async fn refuse_twin(transaction: &mut impl BulkTransaction, before: u64) -> Result<(), LoadError> {
    match transaction.find_twin().await? {
        Some(number) if number < before => Err(LoadError::Refused { number, fault: LoadFault::exists("id") }),
        _ => Ok(()),
    }
}

#[async_trait]
impl<T: BulkTransaction + 'static> Loader for BulkLoader<T> {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.count += 1;
        let lost = std::mem::replace(&mut self.lost, true);
        let json = row(&record)?;
        if !self.batch.takes(&record) {
            self.store().await?;
        }
        self.batch.push(&record, T::kind(&record), &json, self.count);
        self.lost = lost;
        Ok(())
    }

    async fn commit(mut self: Box<Self>) -> Result<(), LoadError> {
        if self.lost {
            return Err(StorageError::backend("an insertion of the load did not succeed").into());
        }
        self.store().await?;
        let mut transaction = self.stored().await?;
        refuse_twin(&mut transaction, u64::MAX).await?;
        transaction.commit().await
    }
}
