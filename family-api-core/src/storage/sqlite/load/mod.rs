//! Taking many records at once, in one transaction that owns the writer.

mod events;
mod known;
mod notes;
mod people;
mod shopping;
mod statement;
mod tasks;

use async_trait::async_trait;
use sqlx::{Sqlite, Transaction};

use crate::storage::sqlite::SqliteStorage;
use crate::storage::sqlite::error::fault;
use crate::storage::{Load, LoadError, LoadFault, Loader, Record, StorageError};

use statement::{Statement, statements};

#[async_trait]
impl Load for SqliteStorage {
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
        let mut transaction = self.pools.begin().await?;
        known::begin(&mut transaction).await?;
        Ok(Box::new(SqliteLoader { transaction, count: 0, lost: false }))
    }
}

/// A load under way: dropped, its transaction is rolled back.
struct SqliteLoader {
    transaction: Transaction<'static, Sqlite>,
    count: u64,
    lost: bool,
}

impl SqliteLoader {
    async fn execute(&mut self, statement: Statement) -> Result<(), LoadError> {
        let refused = statement.refused;
        match statement.query.execute(&mut *self.transaction).await {
            Ok(done) if done.rows_affected() == 0 => Err(self.refuse(LoadFault::no_parent(refused.parent))),
            Ok(_) => Ok(()),
            Err(error) => Err(match refused.fault(&error) {
                Some(fault) => self.refuse(fault),
                None => LoadError::Storage(fault(error)),
            }),
        }
    }

    fn refuse(&self, fault: LoadFault) -> LoadError {
        LoadError::Refused { number: self.count, fault }
    }
}

#[async_trait]
impl Loader for SqliteLoader {
    async fn insert(&mut self, record: Record) -> Result<(), LoadError> {
        self.count += 1;
        self.lost = true;
        for statement in statements(record)? {
            self.execute(statement).await?;
        }
        self.lost = false;
        Ok(())
    }

    async fn commit(mut self: Box<Self>) -> Result<(), LoadError> {
        if self.lost {
            return Err(StorageError::backend("an insertion of the load did not succeed").into());
        }
        known::end(&mut self.transaction).await?;
        Ok(self.transaction.commit().await.map_err(fault)?)
    }
}
