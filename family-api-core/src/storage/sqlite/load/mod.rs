//! Taking many records at once, in one transaction on a connection of its own.
//!
//! The statements take the rows from a query with a limit that limits nothing: SQLite leaves such a query by itself,
//! where it would else write a row anew for each of its columns. A row whose parent is not there has no family, which no
//! table takes. SQLite undoes a statement that fails as a whole.

mod bulk_fault;
mod duplicate_ids;
mod events;
mod notes;
mod parents;
mod people;
mod revisions;
mod shopping;
mod tasks;

use async_trait::async_trait;
use sqlx::{Sqlite, SqliteConnection, Transaction};

use crate::storage::bulk::{BulkFault, BulkLoader, BulkTransaction, Kind, Rows};
use crate::storage::sqlite::SqliteStorage;
use crate::storage::sqlite::error::fault;
use crate::storage::{Load, LoadError, Loader, Record, StorageError};

use bulk_fault::bulk_fault;
use duplicate_ids::Twins;
use revisions::Revisions;

#[async_trait]
impl Load for SqliteStorage {
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
        Ok(Box::new(BulkLoader::new(SqliteLoad::begin(self).await?)))
    }
}

struct SqliteLoad {
    transaction: Transaction<'static, Sqlite>,
    revisions: Revisions,
    twins: Twins,
}

impl SqliteLoad {
    async fn begin(storage: &SqliteStorage) -> Result<Self, StorageError> {
        let mut transaction = storage.connections.begin_load().await?;
        parents::begin(&mut transaction).await?;
        let twins = Twins::begin(&mut transaction).await?;
        let revisions = Revisions::begin(&mut transaction).await?;
        Ok(Self { transaction, revisions, twins })
    }
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
        self.twins.note(&mut self.transaction, rows).await?;
        Ok(self.revisions.note(&mut self.transaction, rows).await?)
    }

    async fn find_twin(&mut self) -> Result<Option<u64>, StorageError> {
        self.twins.find(&mut self.transaction).await
    }

    async fn commit(mut self) -> Result<(), LoadError> {
        self.revisions.finish(&mut self.transaction).await?;
        Ok(self.transaction.commit().await.map_err(fault)?)
    }
}

async fn store(connection: &mut SqliteConnection, rows: &Rows<'_>) -> Result<(), sqlx::Error> {
    for sql in rows.kind.sql {
        sqlx::query(*sql).bind(&*rows.json).execute(&mut *connection).await?;
    }
    Ok(())
}

#[cfg(test)]
mod plans {
    use super::*;
    use crate::storage::sqlite::query_plans::{assert_no_table_is_gone_through, questions, steps};

    const KINDS: [&Kind; 11] = [
        &people::FAMILY,
        &people::USER,
        &people::KEY,
        &notes::CATEGORY,
        &tasks::BOARD,
        &tasks::COLUMN,
        &tasks::TASK,
        &events::EVENT,
        &shopping::LIST,
        &shopping::ITEM,
        &notes::NOTE,
    ];

    /// A table without rowids is the index of its own key.
    const INDEXES_OF_IDS: [&str; 6] = [
        "integration_keys USING COVERING INDEX integration_keys_by_id",
        "note_categories",
        "tasks USING COVERING INDEX sqlite_autoindex_tasks_1",
        "events USING COVERING INDEX sqlite_autoindex_events_1",
        "shopping_items USING COVERING INDEX sqlite_autoindex_shopping_items_1",
        "notes USING COVERING INDEX sqlite_autoindex_notes_1",
    ];

    async fn load() -> (SqliteLoad, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
        (SqliteLoad::begin(&storage).await.unwrap(), folder)
    }

    #[tokio::test]
    async fn what_the_records_name_is_looked_up() {
        let (mut load, _folder) = load().await;
        assert_eq!(KINDS.map(|kind| kind.name), Record::KINDS);
        let inserts = KINDS.iter().flat_map(|kind| kind.sql);
        for sql in inserts.chain(&[revisions::COUNT]) {
            assert_no_table_is_gone_through(&mut load.transaction, sql).await;
        }
        let triggers = sqlx::query_scalar("SELECT sql FROM sqlite_temp_schema WHERE type = 'trigger'");
        let triggers: Vec<String> = triggers.fetch_all(&mut *load.transaction).await.unwrap();
        let questions: Vec<String> = triggers.iter().flat_map(|trigger| questions(trigger)).collect();
        assert_eq!(questions.len(), 2, "{questions:#?}");
        for sql in questions {
            assert_no_table_is_gone_through(&mut load.transaction, &sql).await;
        }
    }

    #[tokio::test]
    async fn to_compare_all_ids_is_to_go_through_indexes_that_hold_no_more() {
        let (mut load, _folder) = load().await;
        let steps = steps(&mut load.transaction, duplicate_ids::FIND).await;
        let scans: Vec<&str> = steps.iter().filter_map(|step| step.strip_prefix("SCAN ")).collect();
        let (of_tables, of_the_load) = scans.split_at(INDEXES_OF_IDS.len());
        assert_eq!(of_tables, INDEXES_OF_IDS, "{steps:#?}");
        assert_eq!(of_the_load[..3], ["l", "twins", "r VIRTUAL TABLE INDEX 1:"], "{steps:#?}");
        assert!(of_the_load[3..].iter().all(|scan| scan.starts_with("(subquery")), "{steps:#?}");
    }
}
