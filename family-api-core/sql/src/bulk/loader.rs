//! A load or update in progress.

use async_trait::async_trait;
use family_api_core::storage::{
    KindChanges, LoadError, LoadFault, Loader, MissingRecords, Record, StorageError, Updater,
};
use tokio::task::JoinSet;

use crate::bulk::batch::Batch;
use crate::bulk::destination::{Destination, Mode};
use crate::bulk::{BulkTransaction, json_row};

/// Loads records in one transaction.
///
/// A background task stores one batch while the caller fills the next batch. So the error of a batch is returned when
/// the next batch is full, or by the commit.
pub(crate) struct BulkLoader<T> {
    /// The single task that owns the transaction. It is aborted when the load is dropped.
    storing: JoinSet<Result<Destination<T>, LoadError>>,
    batch: Batch,
    count: u64,
    /// Whether an insertion failed or was cancelled.
    failed: bool,
}

impl<T: BulkTransaction + 'static> BulkLoader<T> {
    /// Begins a load.
    pub(crate) fn new(transaction: T) -> Self {
        Self::with_mode(transaction, Mode::Insert)
    }

    /// Begins an update.
    pub(crate) async fn update(mut transaction: T, missing: MissingRecords) -> Result<Self, StorageError> {
        transaction.run(T::DIALECT.create_loaded.to_owned(), None).await?;
        Ok(Self::with_mode(transaction, Mode::Update(missing)))
    }

    fn with_mode(transaction: T, mode: Mode) -> Self {
        let mut storing = JoinSet::new();
        storing.spawn(async move { Ok(Destination::new(transaction, mode)) });
        Self { storing, batch: Batch::default(), count: 0, failed: false }
    }

    /// Waits for the storing task and returns its transaction.
    async fn join(&mut self) -> Result<Destination<T>, LoadError> {
        match self.storing.join_next().await {
            Some(joined) => joined.map_err(StorageError::backend)?,
            None => Err(StorageError::backend("the transaction of the load is closed").into()),
        }
    }

    /// Starts a background task that stores the batch.
    async fn flush(&mut self) -> Result<(), LoadError> {
        let destination = self.join().await?;
        self.storing.spawn(store_batch(destination, std::mem::take(&mut self.batch)));
        Ok(())
    }

    /// Adds a record to the batch.
    async fn push(&mut self, record: Record) -> Result<(), LoadError> {
        self.count += 1;
        let failed = std::mem::replace(&mut self.failed, true);
        let record = record.into_stored()?;
        let row = json_row(&record)?;
        if let Some((reference, _)) = record.references().find(|(_, id)| *id == record.record_id()) {
            // A foreign key accepts a record that refers to itself. The faults of earlier records come first.
            self.flush().await?;
            self.join().await?;
            let fault = LoadFault::no_parent(&reference.field());
            return Err(LoadError::Refused { number: self.count, id: record.id().to_owned(), fault });
        }
        if !self.batch.accepts(&record) {
            self.flush().await?;
        }
        self.batch.push(&record, &row, self.count);
        self.failed = failed;
        Ok(())
    }

    /// Stores the last batch, and returns the transaction before its commit.
    async fn finish(mut self) -> Result<Destination<T>, LoadError> {
        if self.failed {
            return Err(StorageError::backend("an insertion of this load failed or was cancelled").into());
        }
        self.flush().await?;
        let mut destination = self.join().await?;
        destination.finish().await?;
        Ok(destination)
    }

    async fn commit(self) -> Result<Vec<KindChanges>, LoadError> {
        let Destination { transaction, mut changes, .. } = self.finish().await?;
        transaction.commit(std::mem::take(&mut changes.families)).await?;
        Ok(changes.into_kinds())
    }
}

async fn store_batch<T: BulkTransaction>(
    mut destination: Destination<T>,
    batch: Batch,
) -> Result<Destination<T>, LoadError> {
    batch.store(&mut destination).await?;
    Ok(destination)
}

#[async_trait]
impl<T: BulkTransaction + 'static> Loader for BulkLoader<T> {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.push(record).await
    }

    async fn commit(self: Box<Self>) -> Result<(), LoadError> {
        Self::commit(*self).await?;
        Ok(())
    }
}

#[async_trait]
impl<T: BulkTransaction + 'static> Updater for BulkLoader<T> {
    async fn upsert(&mut self, record: Record) -> Result<(), LoadError> {
        self.push(record).await
    }

    async fn commit(self: Box<Self>) -> Result<Vec<KindChanges>, LoadError> {
        Self::commit(*self).await
    }

    async fn preview(self: Box<Self>) -> Result<Vec<KindChanges>, LoadError> {
        Ok(self.finish().await?.changes.into_kinds())
    }
}
