//! Taking many records at once, in one transaction on a connection of its own.
//!
//! The statements take the rows from a `MATERIALIZED` table: else SQLite writes a row anew for each of its columns. A row
//! whose parent is not there has no family, which no table takes. SQLite undoes a statement that fails as a whole.

mod bulk_fault;
mod events;
mod notes;
mod parents;
mod people;
mod revisions;
mod shopping;
mod tasks;
mod twins;

use async_trait::async_trait;
use sqlx::{Sqlite, SqliteConnection, Transaction};

use crate::storage::bulk::{BulkFault, BulkLoader, BulkTransaction, Kind, Rows};
use crate::storage::sqlite::SqliteStorage;
use crate::storage::sqlite::error::fault;
use crate::storage::{Load, LoadError, Loader, Record, StorageError};

use bulk_fault::bulk_fault;
use revisions::Revisions;

#[async_trait]
impl Load for SqliteStorage {
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
        let mut transaction = self.connections.begin_load().await?;
        parents::begin(&mut transaction).await?;
        twins::begin(&mut transaction).await?;
        let revisions = Revisions::begin(&mut transaction).await?;
        Ok(Box::new(BulkLoader::new(SqliteLoad { transaction, revisions })))
    }
}

struct SqliteLoad {
    transaction: Transaction<'static, Sqlite>,
    revisions: Revisions,
}

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

    async fn store(&mut self, rows: &Rows<'_>) -> Result<(), BulkFault> {
        store(&mut self.transaction, rows).await.map_err(|error| bulk_fault(rows.kind, error))?;
        twins::note(&mut self.transaction, rows).await?;
        Ok(self.revisions.note(&mut self.transaction, rows).await?)
    }

    async fn check(&mut self) -> Result<(), LoadError> {
        twins::refuse(&mut self.transaction).await
    }

    async fn commit(mut self) -> Result<(), LoadError> {
        self.revisions.finish(&mut self.transaction).await?;
        Ok(self.transaction.commit().await.map_err(fault)?)
    }
}

async fn store(connection: &mut SqliteConnection, rows: &Rows<'_>) -> Result<(), sqlx::Error> {
    let json = rows.json();
    for sql in rows.kind.sql {
        sqlx::query(*sql).bind(json.as_str()).execute(&mut *connection).await?;
    }
    Ok(())
}
