//! Bulk loads, in one transaction.
//!
//! Each batch has a savepoint, because PostgreSQL aborts a transaction in which a statement failed.

mod bulk_fault;
mod events;
mod known_ids;
mod notes;
mod people;
mod shopping;
mod tasks;

use async_trait::async_trait;
use sqlx::{Acquire, Executor, PgConnection, Postgres, Transaction};

use crate::storage::bulk::{BulkFault, BulkLoader, BulkTransaction, Kind, Rows};
use crate::storage::postgres::PostgresStorage;
use crate::storage::postgres::error::fault;
use crate::storage::{Load, LoadError, Loader, Record, StorageError};

use bulk_fault::{bulk_fault, lacks_parent};
use known_ids::KnownIds;

/// Sets longer timeouts, because a load takes longer than a request and may read a file meanwhile. Plans each statement
/// again, because the tables grow. Locks out other loads, because a load does not see the uncommitted ids of another
/// one.
const BEGIN: &str = "
    SET LOCAL statement_timeout = '10min';
    SET LOCAL idle_in_transaction_session_timeout = '10min';
    SET LOCAL plan_cache_mode = force_custom_plan;
    SELECT pg_advisory_xact_lock(28816739826464874)";

#[async_trait]
impl Load for PostgresStorage {
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
        Ok(Box::new(BulkLoader::new(PostgresLoad::begin(self).await?)))
    }
}

struct PostgresLoad {
    transaction: Transaction<'static, Postgres>,
    known_ids: KnownIds,
}

impl PostgresLoad {
    async fn begin(storage: &PostgresStorage) -> Result<Self, StorageError> {
        let mut transaction = storage.connections.begin().await?;
        transaction.execute(BEGIN).await.map_err(fault)?;
        let known_ids = KnownIds::begin(&mut transaction).await?;
        Ok(Self { transaction, known_ids })
    }
}

#[async_trait]
impl BulkTransaction for PostgresLoad {
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
        let numbers = rows.numbers();
        loop {
            let mut savepoint = self.transaction.begin().await.map_err(fault)?;
            let Err(error) = store(&mut savepoint, rows.kind, &rows.json, &numbers).await else {
                return Ok(savepoint.commit().await.map_err(fault)?);
            };
            savepoint.rollback().await.map_err(fault)?;
            if !lacks_parent(&error) || !self.known_ids.collect_parents(&mut self.transaction, rows.kind).await? {
                return Err(bulk_fault(rows.kind, error));
            }
        }
    }

    async fn find_twin(&mut self) -> Result<Option<u64>, StorageError> {
        known_ids::find_duplicate(&mut self.transaction).await
    }

    async fn commit(mut self) -> Result<(), LoadError> {
        known_ids::count_revisions(&mut self.transaction).await?;
        Ok(self.transaction.commit().await.map_err(fault)?)
    }
}

async fn store(connection: &mut PgConnection, kind: &Kind, json: &str, numbers: &[i64]) -> Result<(), sqlx::Error> {
    for sql in kind.sql {
        sqlx::query(*sql).bind(json).bind(numbers).execute(&mut *connection).await?;
    }
    Ok(())
}

#[cfg(test)]
mod plans {
    use family_api_testing::{Server, postgres_tests};

    use super::*;
    use crate::storage::postgres::query_plans::assert_no_full_scan;

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

    /// Fills the table of ids, because the server would scan a small one.
    const MANY_IDS: &str = "
        INSERT INTO known_ids (kind, id)
        SELECT kind, id::text FROM unnest($1::text[]) kind, generate_series(1, 1000) id";

    postgres_tests! {
        async fn references_of_records_are_looked_up() {
            let database = Server::shared().create_database().await;
            let storage = PostgresStorage::open(database.url()).await.unwrap();
            let mut load = PostgresLoad::begin(&storage).await.unwrap();
            let mode: String = sqlx::query_scalar("SHOW plan_cache_mode").fetch_one(&mut *load.transaction).await.unwrap();
            assert_eq!((mode.as_str(), KINDS.map(|kind| kind.name)), ("force_custom_plan", Record::KINDS));
            sqlx::query(MANY_IDS).bind(Record::KINDS).execute(&mut *load.transaction).await.unwrap();
            load.transaction.execute("ANALYZE known_ids").await.unwrap();
            let statements: Vec<&str> = KINDS.iter().flat_map(|kind| kind.sql).copied().collect();
            assert_no_full_scan(&mut load.transaction, &statements).await;
        }
    }
}
