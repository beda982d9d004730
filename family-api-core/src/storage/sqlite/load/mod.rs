//! Bulk loads, in one transaction on a separate connection.
//!
//! The statements read the rows from a subquery with `LIMIT -1`. Without it, SQLite flattens the subquery and builds
//! the JSON of a row once per column. A row whose parent does not exist gets no `family_id`, which is `NOT NULL` in
//! those tables. If a statement fails, SQLite undoes all of it.

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
use duplicate_ids::DuplicateIds;
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
    duplicate_ids: DuplicateIds,
}

impl SqliteLoad {
    async fn begin(storage: &SqliteStorage) -> Result<Self, StorageError> {
        let mut transaction = storage.connections.begin_load().await?;
        parents::begin(&mut transaction).await?;
        let duplicate_ids = DuplicateIds::begin(&mut transaction).await?;
        let revisions = Revisions::begin(&mut transaction).await?;
        Ok(Self { transaction, revisions, duplicate_ids })
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
        self.duplicate_ids.add(&mut self.transaction, rows).await?;
        Ok(self.revisions.add(&mut self.transaction, rows).await?)
    }

    async fn find_twin(&mut self) -> Result<Option<u64>, StorageError> {
        self.duplicate_ids.find(&mut self.transaction).await
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
    use crate::storage::sqlite::query_plans::{assert_no_full_scan, steps, trigger_queries};

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

    /// The indexes by which all ids are compared. A table without rowids is the index of its primary key.
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
    async fn references_of_records_are_looked_up() {
        let (mut load, _folder) = load().await;
        assert_eq!(KINDS.map(|kind| kind.name), Record::KINDS);
        let inserts = KINDS.iter().flat_map(|kind| kind.sql);
        for sql in inserts.chain(&[revisions::COUNT]) {
            assert_no_full_scan(&mut load.transaction, sql).await;
        }
        let triggers = sqlx::query_scalar("SELECT sql FROM sqlite_temp_schema WHERE type = 'trigger'");
        let triggers: Vec<String> = triggers.fetch_all(&mut *load.transaction).await.unwrap();
        let queries: Vec<String> = triggers.iter().flat_map(|trigger| trigger_queries(trigger)).collect();
        assert_eq!(queries.len(), 2, "{queries:#?}");
        for sql in queries {
            assert_no_full_scan(&mut load.transaction, &sql).await;
        }
    }

    #[tokio::test]
    async fn ids_are_compared_by_scans_of_covering_indexes() {
        let (mut load, _folder) = load().await;
        let steps = steps(&mut load.transaction, duplicate_ids::FIND).await;
        let scans: Vec<&str> = steps.iter().filter_map(|step| step.strip_prefix("SCAN ")).collect();
        let (of_tables, of_the_load) = scans.split_at(INDEXES_OF_IDS.len());
        assert_eq!(of_tables, INDEXES_OF_IDS, "{steps:#?}");
        assert_eq!(of_the_load[..3], ["l", "duplicates", "r VIRTUAL TABLE INDEX 1:"], "{steps:#?}");
        assert!(of_the_load[3..].iter().all(|scan| scan.starts_with("(subquery")), "{steps:#?}");
    }
}
