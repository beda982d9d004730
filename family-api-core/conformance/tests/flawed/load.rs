//! Loads with a flaw.

use async_trait::async_trait;
use family_api_core::storage::{BulkLoad, LoadError, Loader, Record, StorageError};
use family_api_memory::MemoryStorage;

use crate::flawed::{Flaw, Flawed};

#[async_trait]
impl BulkLoad for Flawed {
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
        match self.flaw {
            Flaw::CommitsEachRecord => Ok(Box::new(EachRecord(self.memory.clone()))),
            Flaw::SkipsRefusedRecords => Ok(Box::new(Skipping(self.memory.begin_load().await?))),
            _ => self.memory.begin_load().await,
        }
    }
}

struct EachRecord(MemoryStorage);

#[async_trait]
impl Loader for EachRecord {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        let mut load = self.0.begin_load().await?;
        load.insert(record).await?;
        load.commit().await
    }

    async fn commit(self: Box<Self>) -> Result<(), LoadError> {
        Ok(())
    }
}

struct Skipping(Box<dyn Loader>);

#[async_trait]
impl Loader for Skipping {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        let _ = self.0.insert(record).await;
        Ok(())
    }

    async fn commit(self: Box<Self>) -> Result<(), LoadError> {
        let _ = self.0.commit().await;
        Ok(())
    }
}
