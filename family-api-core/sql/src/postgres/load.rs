//! Bulk loads and updates, in one transaction.

use std::collections::HashSet;

use async_trait::async_trait;
use family_api_core::storage::value::Type;
use family_api_core::storage::{BulkLoad, BulkUpdate, LoadError, Loader, MissingRecords, StorageError, Updater};
use sqlx::{Acquire, AssertSqlSafe, Executor, Postgres, Transaction};

use crate::bulk::{BulkLoader, BulkTransaction, Dialect, Violation, plain_value, violation};
use crate::postgres::PostgresStorage;
use crate::postgres::database::LONG_TRANSACTION;
use crate::postgres::distributed::violated_kind;
use crate::postgres::error::fault;
use crate::postgres::row::Row;

/// Follows [`LONG_TRANSACTION`].
///
/// - The timeout is longer, because a load can read a file between statements.
/// - Each statement is planned again, because the tables grow.
/// - The lock makes other loads wait.
const BEGIN: &str = "
    SET LOCAL idle_in_transaction_session_timeout = '10min';
    SET LOCAL plan_cache_mode = force_custom_plan;
    SELECT pg_advisory_xact_lock(28816739826464874)";

/// Comes last in the transaction: writers of the families wait for it. The next creation in each of the families counts
/// the records.
const INCREMENT_REVISIONS: &str = "
    UPDATE families SET revision = revision + 1, tasks_bound = NULL, notes_bound = NULL, events_bound = NULL,
        shopping_items_bound = NULL
    WHERE id = ANY($1)";

const SET_EVENT_ZONES: &str = "UPDATE events SET time_zone = $1 WHERE family_id = ANY($2) AND time_zone IS NULL";

#[async_trait]
impl BulkLoad for PostgresStorage {
    async fn begin_load(&self) -> Result<Box<dyn Loader>, StorageError> {
        Ok(Box::new(BulkLoader::new(PostgresLoad::begin(self).await?)))
    }
}

#[async_trait]
impl BulkUpdate for PostgresStorage {
    async fn begin_update(&self, missing: MissingRecords) -> Result<Box<dyn Updater>, StorageError> {
        if self.database.is_distributed() {
            return Err(StorageError::backend("distributed tables cannot be updated, only loaded"));
        }
        Ok(Box::new(BulkLoader::update(PostgresLoad::begin(self).await?, missing).await?))
    }
}

struct PostgresLoad {
    transaction: Transaction<'static, Postgres>,
    is_distributed: bool,
}

impl PostgresLoad {
    async fn begin(storage: &PostgresStorage) -> Result<Self, StorageError> {
        if !storage.database.can_load() {
            return Err(StorageError::backend("distributed tables can be loaded only through the coordinator"));
        }
        let mut transaction = storage.database.begin().await?;
        for settings in [LONG_TRANSACTION, BEGIN] {
            transaction.execute(settings).await.map_err(fault)?;
        }
        Ok(Self { transaction, is_distributed: storage.database.is_distributed() })
    }
}

#[async_trait]
impl BulkTransaction for PostgresLoad {
    /// The columns of the temporary table have the collation of the columns with which they are compared.
    const DIALECT: Dialect = Dialect {
        rows: "WITH r (value) AS (SELECT value FROM jsonb_array_elements($1::jsonb))",
        value,
        deleted: "d.record::json",
        create_loaded: r#"
            CREATE TEMP TABLE _family_api_loaded (
                family_id TEXT COLLATE "C" NOT NULL, kind TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL,
                number BIGINT NOT NULL, PRIMARY KEY (family_id, kind, id)
            ) ON COMMIT DROP"#,
        analyze_loaded: Some("ANALYZE _family_api_loaded"),
        has_concurrent_writers: true,
    };

    type Row = Row;

    /// A unique index of a distributed table must contain the column by which the table is distributed.
    fn has_unique_key_ids(&self) -> bool {
        !self.is_distributed
    }

    /// Distributed tables have a foreign key instead of a trigger.
    fn has_keyed_owners(&self) -> bool {
        self.is_distributed
    }

    /// Sets a savepoint, because PostgreSQL aborts a transaction in which a statement failed.
    async fn execute(&mut self, statements: Vec<String>, rows: &str) -> Result<Option<Violation>, StorageError> {
        let mut savepoint = self.transaction.begin().await.map_err(fault)?;
        for sql in statements {
            if let Err(error) = sqlx::query(AssertSqlSafe(sql)).bind(rows).execute(&mut *savepoint).await {
                savepoint.rollback().await.map_err(fault)?;
                return violation(error, violated_kind, fault);
            }
        }
        savepoint.commit().await.map_err(fault)?;
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
        let query = sqlx::query(SET_EVENT_ZONES).bind(zone).bind(families);
        query.execute(&mut *self.transaction).await.map_err(fault)?;
        Ok(())
    }

    async fn commit(mut self, families: HashSet<String>) -> Result<(), LoadError> {
        let families: Vec<String> = families.into_iter().collect();
        let counted =
            sqlx::query(INCREMENT_REVISIONS).bind(&families).execute(&mut *self.transaction).await.map_err(fault)?;
        if counted.rows_affected() < families.len() as u64 {
            // A user's family has no foreign key, which would keep it from being deleted.
            return Err(StorageError::unavailable("a family of the load was deleted").into());
        }
        Ok(self.transaction.commit().await.map_err(fault)?)
    }
}

fn value(position: usize, value: Type) -> String {
    let text = plain_value(position);
    match value {
        Type::Text | Type::Json | Type::Password => text,
        Type::Integer => format!("({text})::bigint"),
        Type::Boolean => format!("({text})::boolean"),
        Type::Instant => format!("({text})::timestamptz"),
        Type::Texts => format!("ARRAY(SELECT jsonb_array_elements_text(r.value -> {position}))"),
        Type::Digest => format!("decode({text}, 'hex')"),
    }
}

#[cfg(test)]
mod tests {
    use family_api_core::storage::Record;
    use family_api_testing::{Server, postgres_tests};

    use super::*;
    use crate::bulk::{all_statements, all_update_statements, repeats_key_id};
    use crate::postgres::query_plans::assert_no_full_scan;

    postgres_tests! {
        async fn references_of_records_are_looked_up() {
            let database = Server::shared().create_database().await;
            let storage = PostgresStorage::open(database.url()).await.unwrap();
            let mut load = PostgresLoad::begin(&storage).await.unwrap();
            for (name, expected) in
                [("plan_cache_mode", "force_custom_plan"), ("citus.multi_shard_modify_mode", "sequential")]
            {
                let setting = sqlx::query_scalar("SELECT current_setting($1)").bind(name);
                assert_eq!(setting.fetch_one(&mut *load.transaction).await.ok(), Some(expected.to_owned()), "{name}");
            }
            let mut statements = all_statements(&PostgresLoad::DIALECT);
            statements.extend(Record::TABLES.iter().filter_map(|table| repeats_key_id(&PostgresLoad::DIALECT, table)));
            let statements: Vec<&str> = statements.iter().map(String::as_str).chain([INCREMENT_REVISIONS]).collect();
            assert_no_full_scan(&mut load.transaction, &statements).await;
        }

        async fn an_update_looks_up_records() {
            let database = Server::shared().create_database().await;
            let storage = PostgresStorage::open(database.url()).await.unwrap();
            let mut load = PostgresLoad::begin(&storage).await.unwrap();
            load.run(PostgresLoad::DIALECT.create_loaded.to_owned(), None).await.unwrap();
            let statements = all_update_statements(&PostgresLoad::DIALECT);
            let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
            assert_no_full_scan(&mut load.transaction, &statements).await;
        }
    }
}
