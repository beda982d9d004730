//! Inspection of a database.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use sqlx::migrate::Migrator;
use sqlx::{Executor, PgConnection};

use crate::storage::postgres::connections::{has_tables, single_connection};
use crate::storage::postgres::error::fault;
use crate::storage::postgres::migrate::migrator;
use crate::storage::postgres::{OpenError, PostgresOptions};
use crate::storage::schema::compare;
use crate::storage::sql::{Query, SqlConnection, Values, inspect_rows};
use crate::storage::{Finding, Inspection, StorageError};
use crate::timestamp::Timestamp;

/// The statements read whole tables, which can take longer than a request may.
const SETTINGS: &str = "SET statement_timeout = '1h'; SET default_transaction_read_only = on";

const FIND_TABLES: &str = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()";

const FIND_INDEXES: &str = "SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema()";

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
        let pool = single_connection(self.server()?).await?;
        let mut connection = pool.acquire().await.map_err(fault)?;
        if !has_tables(&mut connection).await? {
            return Err(OpenError::Missing);
        }
        connection.execute(SETTINGS).await.map_err(fault)?;
        let inspection = inspect(&mut connection, now).await?;
        drop(connection);
        pool.close().await;
        Ok(inspection)
    }
}

async fn inspect(connection: &mut PgConnection, now: Timestamp) -> Result<Inspection, StorageError> {
    let migrator = migrator();
    let schema = compare(connection, &migrator).await?;
    let tables = find_names(connection, FIND_TABLES).await?;
    let mut damage = Vec::new();
    if schema.is_current() {
        let existing: BTreeSet<String> =
            tables.iter().cloned().chain(find_names(connection, FIND_INDEXES).await?).collect();
        let missing = created(&migrator).difference(&existing).cloned().collect();
        damage.extend(Finding::of("missingObjects", "tables and indexes that are missing", missing));
    }
    for query in DAMAGE.iter() {
        damage.extend(query.find(connection, now).await?);
    }
    inspect_rows(connection, schema, damage, &tables, now).await
}

async fn find_names(connection: &mut PgConnection, sql: &'static str) -> Result<Vec<String>, StorageError> {
    let rows = connection.find_rows(sql, Vec::new()).await?;
    rows.iter().map(|row| Values::of(row).take()).collect()
}

/// Returns the names of the tables and indexes that the migrations create.
fn created(migrator: &Migrator) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for migration in migrator.iter() {
        let words: Vec<&str> = migration.sql.as_str().split_whitespace().collect();
        for words in words.windows(3) {
            match *words {
                ["CREATE", "TABLE" | "INDEX", name] | ["UNIQUE", "INDEX", name] => names.insert(name.to_owned()),
                ["DROP", "TABLE" | "INDEX", name] => names.remove(name.trim_end_matches(';')),
                _ => false,
            };
        }
    }
    names
}
