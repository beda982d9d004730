//! Inspection of a database.

use std::collections::HashSet;
use std::num::NonZeroU32;
use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::storage::StorageError;
use family_api_core::storage::value::Values;
use sqlx::PgConnection;

use crate::inspection::{Finding, Inspection, Query, inspect_rows};
use crate::migration_state::compare;
use crate::postgres::database::{has_tables, query_bool};
use crate::postgres::distributed::IS_DISTRIBUTED;
use crate::postgres::error::fault;
use crate::postgres::migrate::migrator;
use crate::postgres::pool::Pool;
use crate::postgres::{OpenError, PostgresOptions};
use crate::sql_connection::SqlConnection;

/// The statements read whole tables, which can take longer than a request may.
const SETTINGS: &str = "SET statement_timeout = '1h'; SET default_transaction_read_only = on";

/// The tables, indexes, constraints and triggers that the migrations create, one in each line.
const EXPECTED_OBJECTS: &str = include_str!("schema_objects.txt");

/// Selects the objects of the schema, as in [`EXPECTED_OBJECTS`]. A primary key or unique constraint is its index. A
/// disabled trigger counts as missing.
const FIND_OBJECTS: &str = "
    SELECT 'table ' || tablename FROM pg_tables WHERE schemaname = current_schema()
    UNION ALL
    SELECT 'index ' || indexname FROM pg_indexes WHERE schemaname = current_schema()
    UNION ALL
    SELECT concat('constraint ', c.relname, '.', k.conname) FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND k.contype IN ('c', 'f')
    UNION ALL
    SELECT concat('trigger ', c.relname, '.', t.tgname) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal AND t.tgenabled <> 'D'";

static DAMAGE: LazyLock<[Query; 2]> = LazyLock::new(|| {
    [
        Query::new(
            "invalidIndexes",
            "indexes that are not complete",
            "SELECT c.relname::text AS id FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            WHERE c.relnamespace = current_schema()::regnamespace AND NOT (i.indisvalid AND i.indisready)",
        ),
        Query::new(
            "uncheckedConstraints",
            "constraints that were never checked",
            "SELECT conname::text AS id FROM pg_constraint
            WHERE connamespace = current_schema()::regnamespace AND NOT convalidated",
        ),
    ]
});

impl PostgresOptions {
    /// Inspects the database without migrating it. `now` decides what is old.
    ///
    /// Reads all tables, while nodes use the database. The pages of tables and indexes are not checked: PostgreSQL has
    /// the program `pg_amcheck` for this.
    ///
    /// # Errors
    /// [`OpenError`] if the URL is invalid, or if the database has no tables of this crate or cannot be read.
    pub async fn inspect(self, now: Timestamp) -> Result<Inspection, OpenError> {
        let pool = Pool::connect(self.server()?, NonZeroU32::MIN).await?;
        let mut connection = pool.acquire().await?;
        if !has_tables(&mut connection).await? {
            return Err(OpenError::Missing);
        }
        sqlx::raw_sql(SETTINGS).execute(&mut *connection).await.map_err(fault)?;
        let inspection = inspect(&mut connection, now).await?;
        drop(connection);
        pool.inner().close().await;
        Ok(inspection)
    }

    /// Returns whether the tables of the database are distributed over several servers. Their backup omits some tables.
    /// The database is not migrated.
    ///
    /// # Errors
    /// [`OpenError`] if the URL is invalid, or if the database cannot be read.
    pub async fn is_distributed(self) -> Result<bool, OpenError> {
        let pool = Pool::connect(self.server()?, NonZeroU32::MIN).await?;
        let mut connection = pool.acquire().await?;
        let is_distributed = query_bool(&mut connection, IS_DISTRIBUTED).await?;
        drop(connection);
        pool.inner().close().await;
        Ok(is_distributed)
    }
}

async fn inspect(connection: &mut PgConnection, now: Timestamp) -> Result<Inspection, StorageError> {
    let schema = compare(connection, &migrator()).await?;
    let objects = find_objects(connection).await?;
    let mut damage = Vec::new();
    if schema.is_current() {
        let missing = missing_objects(&objects);
        damage.extend(Finding::of(
            "missingObjects",
            "tables, indexes, constraints and triggers that are missing",
            missing,
        ));
    }
    for query in DAMAGE.iter() {
        damage.extend(query.find(connection, now).await?);
    }
    let tables: Vec<String> =
        objects.iter().filter_map(|object| object.strip_prefix("table ")).map(str::to_owned).collect();
    inspect_rows(connection, schema, damage, &tables, now).await
}

async fn find_objects(connection: &mut PgConnection) -> Result<HashSet<String>, StorageError> {
    let rows = connection.find_rows(FIND_OBJECTS, Vec::new()).await?;
    rows.iter().map(|row| Values::of(row).take()).collect()
}

/// Returns the expected objects that do not exist. Distributed tables have a foreign key instead of a trigger.
fn missing_objects(existing: &HashSet<String>) -> Vec<String> {
    let is_distributed = existing.contains("table _family_api_distributed");
    let expected = EXPECTED_OBJECTS.lines().filter(|object| !(is_distributed && object.starts_with("trigger ")));
    expected.filter(|object| !existing.contains(*object)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::{EXPECTED_OBJECTS, find_objects};
    use crate::postgres::query_plans::create_migrated_database;

    postgres_tests! {
        async fn the_expected_objects_are_those_of_a_new_database() {
            let database = create_migrated_database().await;
            let mut objects: Vec<String> =
                find_objects(&mut database.connect().await).await.unwrap().into_iter().collect();
            objects.sort_unstable();
            assert_eq!(objects, EXPECTED_OBJECTS.lines().collect::<Vec<_>>());
        }
    }
}
