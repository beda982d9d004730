//! Taking many records at once, in one transaction on a connection of its own.
//!
//! The statements take the rows from a `MATERIALIZED` table: else SQLite writes the text of a row anew for each of its
//! columns. A row whose parent is not there has no family, which no table takes. SQLite undoes a statement that fails as a
//! whole.

mod bulk_fault;
mod events;
mod known;
mod notes;
mod people;
mod shopping;
mod tasks;

use async_trait::async_trait;
use sqlx::{Acquire, Sqlite, SqliteConnection, Transaction};

use crate::storage::bulk::{BulkFault, BulkLoader, BulkTransaction, Kind, Rows};
use crate::storage::sqlite::SqliteStorage;
use crate::storage::sqlite::error::fault;
use crate::storage::{Load, LoadError, Loader, Record, StorageError};

use bulk_fault::bulk_fault;

#[async_trait]
impl Load for SqliteStorage {
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
        let mut transaction = self.connections.begin_load().await?;
        known::begin(&mut transaction).await?;
        Ok(Box::new(BulkLoader::new(SqliteLoad(transaction))))
    }
}

struct SqliteLoad(Transaction<'static, Sqlite>);

#[async_trait]
impl BulkTransaction for SqliteLoad {
    fn kind(record: &Record) -> &'static Kind {
        match record {
            Record::Family(_) => &people::FAMILY,
            Record::User(_) => &people::USER,
            Record::Key(_) => &people::KEY,
            Record::NoteCategory(_) => &notes::CATEGORY,
            Record::Board(_) => &tasks::BOARD,
            Record::Column(_) => &tasks::COLUMN,
            Record::Task(_) => &tasks::TASK,
            Record::Event(_) => &events::EVENT,
            Record::ShoppingList(_) => &shopping::LIST,
            Record::ShoppingItem(_) => &shopping::ITEM,
            Record::Note(_) => &notes::NOTE,
        }
    }

    async fn store(&mut self, rows: &[Rows]) -> Result<(), BulkFault> {
        let mut savepoint = self.0.begin().await.map_err(fault)?;
        for rows in rows {
            store(&mut savepoint, rows).await.map_err(|error| bulk_fault(rows.kind, error))?;
        }
        Ok(savepoint.commit().await.map_err(fault)?)
    }

    async fn check(&mut self) -> Result<(), LoadError> {
        Ok(())
    }

    async fn commit(self) -> Result<(), LoadError> {
        Ok(self.0.commit().await.map_err(fault)?)
    }
}

async fn store(connection: &mut SqliteConnection, rows: &Rows) -> Result<(), sqlx::Error> {
    for sql in rows.kind.sql {
        sqlx::query(*sql).bind(rows.json.as_str()).execute(&mut *connection).await?;
    }
    Ok(())
}
