//! Flaws of loads.

use async_trait::async_trait;
use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::{BulkLoad, LoadError, LoadFault, Loader, Record, StorageError};

use crate::broken::{BrokenStorage, Flaw};

#[async_trait]
impl BulkLoad for BrokenStorage {
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
        match self.flaw {
            Some(Flaw::CommitsEachRecord) => Ok(Box::new(CommitEachLoader { inner: self.inner.clone() })),
            Some(flaw @ (Flaw::NumbersRecordsFromZero | Flaw::ReportsFaultsWithoutField | Flaw::CommitsNothing)) => {
                Ok(Box::new(FaultyLoader { inner: self.inner.begin_load().await?, flaw }))
            }
            Some(flaw @ (Flaw::RejectsAnIdUsedByAnotherFamily | Flaw::RejectsAnIdUsedByAnotherRecordKind)) => {
                let inner = self.inner.begin_load().await?;
                Ok(Box::new(UniqueIdLoader { inner, flaw, board_ids: Vec::new(), number: 0 }))
            }
            Some(Flaw::SkipsInvalidRecords) => {
                Ok(Box::new(SkippingLoader { inner: self.inner.clone(), records: Vec::new() }))
            }
            _ => self.inner.begin_load().await,
        }
    }
}

struct CommitEachLoader {
    inner: MemoryStorage,
}

#[async_trait]
impl Loader for CommitEachLoader {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        let mut load = self.inner.begin_load().await?;
        load.insert(record).await?;
        load.commit().await
    }

    async fn commit(self: Box<Self>) -> Result<(), LoadError> {
        Ok(())
    }
}

struct SkippingLoader {
    inner: MemoryStorage,
    records: Vec<Record>,
}

#[async_trait]
impl Loader for SkippingLoader {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.records.push(record);
        Ok(())
    }

    async fn commit(self: Box<Self>) -> Result<(), LoadError> {
        for record in self.records {
            let mut load = self.inner.begin_load().await?;
            if load.insert(record).await.is_ok() {
                load.commit().await?;
            }
        }
        Ok(())
    }
}

struct FaultyLoader {
    inner: Box<dyn Loader>,
    flaw: Flaw,
}

#[async_trait]
impl Loader for FaultyLoader {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.inner.insert(record).await.map_err(|error| match (self.flaw, error) {
            (Flaw::NumbersRecordsFromZero, LoadError::Refused { number, id, fault }) => {
                LoadError::Refused { number: number - 1, id, fault }
            }
            (Flaw::ReportsFaultsWithoutField, LoadError::Refused { number, id, mut fault }) => {
                fault.field.clear();
                LoadError::Refused { number, id, fault }
            }
            (_, error) => error,
        })
    }

    async fn commit(self: Box<Self>) -> Result<(), LoadError> {
        if self.flaw == Flaw::CommitsNothing { Ok(()) } else { self.inner.commit().await }
    }
}

struct UniqueIdLoader {
    inner: Box<dyn Loader>,
    flaw: Flaw,
    board_ids: Vec<String>,
    number: u64,
}

#[async_trait]
impl Loader for UniqueIdLoader {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.number += 1;
        let id = match &record {
            Record::Column(column) if self.flaw == Flaw::RejectsAnIdUsedByAnotherRecordKind => {
                Some(column.id.to_string())
            }
            Record::Board(board) if self.flaw == Flaw::RejectsAnIdUsedByAnotherFamily => Some(board.id.to_string()),
            _ => None,
        };
        if let Some(id) = id.filter(|id| self.board_ids.contains(id)) {
            return Err(LoadError::Refused { number: self.number, id, fault: LoadFault::exists("id") });
        }
        if let Record::Board(board) = &record {
            self.board_ids.push(board.id.to_string());
        }
        self.inner.insert(record).await
    }

    async fn commit(self: Box<Self>) -> Result<(), LoadError> {
        self.inner.commit().await
    }
}
