//! Bulk loads and updates, in one transaction on a separate connection. If a statement fails, SQLite undoes all of it.

mod triggers;

use std::collections::HashSet;

use async_trait::async_trait;
use family_api_core::storage::value::Type;
use family_api_core::storage::{BulkLoad, BulkUpdate, LoadError, Loader, MissingRecords, StorageError, Updater};
use sqlx::error::DatabaseError;
use sqlx::{AssertSqlSafe, Sqlite, Transaction};

use crate::bulk::{BulkLoader, BulkTransaction, Dialect, Violation, plain_value, violation};
use crate::sqlite::SqliteStorage;
use crate::sqlite::error::fault;
use crate::sqlite::row::Row;

use triggers::DroppedTriggers;

/// The next creation in each of the families counts the records.
const INCREMENT_REVISIONS: &str = "
    UPDATE families SET revision = revision + 1, tasks_bound = NULL, notes_bound = NULL, events_bound = NULL,
        shopping_items_bound = NULL
    WHERE id IN (SELECT value FROM json_each(?1))";

const SET_EVENT_ZONES: &str = "
    UPDATE events SET time_zone = ?1 WHERE time_zone IS NULL AND family_id IN (SELECT value FROM json_each(?2))";

#[async_trait]
impl BulkLoad for SqliteStorage {
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
        Ok(Box::new(BulkLoader::new(SqliteLoad::begin(self).await?)))
    }
}

#[async_trait]
impl BulkUpdate for SqliteStorage {
    async fn begin_update(&self, missing: MissingRecords) -> Result<Box<dyn Updater>, StorageError> {
        Ok(Box::new(BulkLoader::update(SqliteLoad::begin(self).await?, missing).await?))
    }
}

struct SqliteLoad {
    transaction: Transaction<'static, Sqlite>,
    triggers: DroppedTriggers,
}

impl SqliteLoad {
    async fn begin(storage: &SqliteStorage) -> Result<Self, StorageError> {
        let mut transaction = storage.database.begin_load().await?;
        let triggers = DroppedTriggers::drop(&mut transaction).await?;
        Ok(Self { transaction, triggers })
    }
}

#[async_trait]
impl BulkTransaction for SqliteLoad {
    /// Without `LIMIT -1`, SQLite flattens the CTE and builds the JSON of a row once per column. The temporary table
    /// ends with the connection.
    const DIALECT: Dialect = Dialect {
        rows: "WITH r AS (SELECT value FROM jsonb_each(?1) LIMIT -1)",
        value,
        deleted: "d.record",
        create_loaded: "
            CREATE TEMP TABLE _family_api_loaded (
                family_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL,
                PRIMARY KEY (family_id, kind, id)
            ) WITHOUT ROWID",
        analyze_loaded: None,
        has_concurrent_writers: false,
    };

    type Row = Row;

    async fn execute(&mut self, statements: Vec<String>, rows: &str) -> Result<Option<Violation>, StorageError> {
        for sql in statements {
            if let Err(error) = sqlx::query(AssertSqlSafe(sql)).bind(rows).execute(&mut *self.transaction).await {
                return violation(error, DatabaseError::kind, fault);
            }
        }
        Ok(None)
    }

    async fn run(&mut self, sql: String, rows: Option<&str>) -> Result<Vec<Row>, StorageError> {
        let query = sqlx::query(AssertSqlSafe(sql));
        let query = match rows {
            Some(rows) => query.bind(rows),
            None => query,
        };
        query.map(Row).fetch_all(&mut *self.transaction).await.map_err(fault)
    }

    async fn set_event_zones(&mut self, zone: &str, families: &[String]) -> Result<(), StorageError> {
        let families = serde_json::to_string(families).map_err(StorageError::backend)?;
        let query = sqlx::query(SET_EVENT_ZONES).bind(zone).bind(families);
        query.execute(&mut *self.transaction).await.map_err(fault)?;
        Ok(())
    }

    async fn commit(mut self, families: HashSet<String>) -> Result<(), LoadError> {
        let families = serde_json::to_string(&families).map_err(StorageError::backend)?;
        sqlx::query(INCREMENT_REVISIONS).bind(families).execute(&mut *self.transaction).await.map_err(fault)?;
        self.triggers.create(&mut self.transaction).await?;
        Ok(self.transaction.commit().await.map_err(fault)?)
    }
}

fn value(position: usize, value: Type) -> String {
    match value {
        Type::Digest => format!("unhex({})", plain_value(position)),
        _ => plain_value(position),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bulk::{all_statements, all_update_statements};
    use crate::sqlite::query_plans::{assert_no_full_scan, count_lookups_and_sorts, open};

    #[tokio::test]
    async fn references_of_records_are_looked_up() {
        let (storage, _folder) = open().await;
        let mut load = SqliteLoad::begin(&storage).await.unwrap();
        let statements = all_statements(&SqliteLoad::DIALECT);
        for sql in statements.iter().map(String::as_str).chain([INCREMENT_REVISIONS, SET_EVENT_ZONES]) {
            assert_no_full_scan(&mut load.transaction, sql).await;
        }
    }

    #[tokio::test]
    async fn an_update_looks_up_records() {
        let (storage, _folder) = open().await;
        let mut load = SqliteLoad::begin(&storage).await.unwrap();
        load.run(SqliteLoad::DIALECT.create_loaded.to_owned(), None).await.unwrap();
        for sql in all_update_statements(&SqliteLoad::DIALECT) {
            // The counts of each family are sorted, but not the records.
            count_lookups_and_sorts(&mut load.transaction, &sql).await;
        }
    }
}
