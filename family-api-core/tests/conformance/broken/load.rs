//! Flaws of the loads.

use async_trait::async_trait;
use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::{BoardRecord, ColumnRecord, Load, LoadError, LoadFault, Loader, Record, StorageError};

use crate::broken::{Broken, Flaw};

#[async_trait]
impl Load for Broken {
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
        match self.flaw {
            Some(Flaw::CommitsEachRecord) => Ok(Box::new(OneByOne { sound: self.sound.clone() })),
            Some(flaw @ (Flaw::NumbersRecordsFromZero | Flaw::NamesNoField | Flaw::ForgetsToCommit)) => {
                Ok(Box::new(Careless { sound: self.sound.begin_load().await?, flaw }))
            }
            Some(Flaw::TakesAnIdForOneKindOnly) => {
                Ok(Box::new(Jealous { sound: self.sound.begin_load().await?, names: Vec::new(), number: 0 }))
            }
            Some(Flaw::SkipsWhatDoesNotFit) => {
                Ok(Box::new(Skipping { sound: self.sound.clone(), gathered: Vec::new() }))
            }
            _ => self.sound.begin_load().await,
        }
    }
}

struct OneByOne {
    sound: MemoryStorage,
}

#[async_trait]
impl Loader for OneByOne {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        let mut load = self.sound.begin_load().await?;
        load.insert(record).await?;
        load.commit().await
    }

    async fn commit(self: Box<Self>) -> Result<(), LoadError> {
        Ok(())
    }
}

struct Skipping {
    sound: MemoryStorage,
    gathered: Vec<Record>,
}

#[async_trait]
impl Loader for Skipping {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.gathered.push(record);
        Ok(())
    }

    async fn commit(self: Box<Self>) -> Result<(), LoadError> {
        for record in self.gathered {
            let mut load = self.sound.begin_load().await?;
            if load.insert(record).await.is_ok() {
                load.commit().await?;
            }
        }
        Ok(())
    }
}

struct Careless {
    sound: Box<dyn Loader>,
    flaw: Flaw,
}

#[async_trait]
impl Loader for Careless {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.sound.insert(record).await.map_err(|error| match (self.flaw, error) {
            (Flaw::NumbersRecordsFromZero, LoadError::Refused { number, fault }) => {
                LoadError::Refused { number: number - 1, fault }
            }
            (Flaw::NamesNoField, LoadError::Refused { number, mut fault }) => {
                fault.field.clear();
                LoadError::Refused { number, fault }
            }
            (_, error) => error,
        })
    }

    async fn commit(self: Box<Self>) -> Result<(), LoadError> {
        if self.flaw == Flaw::ForgetsToCommit { Ok(()) } else { self.sound.commit().await }
    }
}

struct Jealous {
    sound: Box<dyn Loader>,
    names: Vec<String>,
    number: u64,
}

#[async_trait]
impl Loader for Jealous {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.number += 1;
        if let Record::Board(BoardRecord { id, .. }) = &record {
            self.names.push(id.to_string());
        }
        if let Record::Column(ColumnRecord { id, .. }) = &record
            && self.names.contains(&id.to_string())
        {
            return Err(LoadError::Refused { number: self.number, fault: LoadFault::exists("id") });
        }
        self.sound.insert(record).await
    }

    async fn commit(self: Box<Self>) -> Result<(), LoadError> {
        self.sound.commit().await
    }
}
