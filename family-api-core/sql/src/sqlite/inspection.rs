//! Inspection of a file.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use family_api_core::Timestamp;
use family_api_core::storage::StorageError;
use family_api_core::storage::value::Values;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::inspection::{Finding, Inspection, Query, inspect_rows};
use crate::migration_state::{NoTables, compare};
use crate::sql_connection::{SqlConnection, VisitRows};
use crate::sqlite::database::{BUSY_TIMEOUT, check_path, ensure_file, has_tables};
use crate::sqlite::error::fault;
use crate::sqlite::migrate::{migrate, migrator};
use crate::sqlite::{OpenError, SqliteOptions};

/// Checks all pages, rows and indexes. Returns up to 100 faults, or `ok`.
const CHECK_INTEGRITY: &str = "PRAGMA integrity_check(100)";

static MISSING_PARENTS: LazyLock<Query> = LazyLock::new(|| {
    Query::new(
        "missingParents",
        "rows that refer to a missing row",
        r#"SELECT "table" || ' refers to ' || parent AS id FROM pragma_foreign_key_check"#,
    )
});

/// Tables are compared by their names, because SQLite rewrites their statements when a column is added.
const FIND_OBJECTS: &str = "
    SELECT name, type, CASE type WHEN 'table' THEN '' ELSE sql END FROM sqlite_schema
    WHERE type IN ('table', 'index', 'trigger') AND sql IS NOT NULL";

impl SqliteOptions {
    /// Inspects the file without migrating it. `now` decides what is old.
    ///
    /// Reads the whole file, while other processes can read and write it.
    ///
    /// # Errors
    /// [`OpenError`] if the file does not exist, has no tables of this crate, or cannot be read.
    pub async fn inspect(self, now: Timestamp) -> Result<Inspection, OpenError> {
        let file = self.file()?;
        ensure_file(check_path(&file)?, NoTables::Refuse)?;
        let mut connection = open(file).await.map_err(fault)?;
        if !has_tables(&mut connection).await.map_err(fault)? {
            return Err(OpenError::Missing);
        }
        let inspection = inspect(&mut connection, now).await?;
        connection.close().await.map_err(fault)?;
        Ok(inspection)
    }
}

/// Opens a file for reading. SQLite may still have to write: it finishes what a killed process has begun.
async fn open(file: SqliteConnectOptions) -> Result<SqliteConnection, sqlx::Error> {
    file.create_if_missing(false).busy_timeout(BUSY_TIMEOUT).pragma("query_only", "ON").connect().await
}

async fn inspect(connection: &mut SqliteConnection, now: Timestamp) -> Result<Inspection, OpenError> {
    let schema = compare(connection, &migrator()).await?;
    let objects = find_objects(connection).await?;
    let mut damage = Vec::new();
    damage.extend(find_faults(connection).await?);
    if damage.is_empty() {
        damage.extend(MISSING_PARENTS.find(connection, now).await?);
    }
    if schema.is_current() {
        damage.extend(find_changed_objects(&objects).await?);
    }
    let tables: Vec<String> = objects.into_iter().map(|object| object.name).collect();
    Ok(inspect_rows(connection, schema, damage, &tables, now).await?)
}

async fn find_faults(connection: &mut SqliteConnection) -> Result<Option<Finding>, StorageError> {
    let mut faults: Vec<String> = Vec::new();
    let checked = connection.visit_rows(CHECK_INTEGRITY, Vec::new(), |row| {
        faults.push(Values::of(row).take()?);
        Ok(ControlFlow::Continue(()))
    });
    match checked.await {
        // Damage can keep SQLite from completing the check.
        Err(StorageError::Corrupt(error)) => faults.push(error.to_string()),
        checked => checked?,
    }
    faults.retain(|fault| fault != "ok");
    Ok(Finding::of("faults", "faults of pages, rows and indexes", faults))
}

/// A table, or an index or trigger with the statement that creates it.
#[derive(PartialEq)]
struct Object {
    name: String,
    kind: String,
    sql: String,
}

async fn find_objects(connection: &mut SqliteConnection) -> Result<Vec<Object>, StorageError> {
    let rows = connection.find_rows(FIND_OBJECTS, Vec::new()).await?;
    let objects = rows.iter().map(|row| {
        let mut values = Values::of(row);
        Ok(Object { name: values.take()?, kind: values.take()?, sql: values.take()? })
    });
    objects.collect()
}

/// Compares the schema with the one that the migrations create in an empty database.
async fn find_changed_objects(objects: &[Object]) -> Result<Option<Finding>, OpenError> {
    let mut empty = SqliteConnectOptions::new().in_memory(true).connect().await.map_err(fault)?;
    migrate(&mut empty).await?;
    let expected = find_objects(&mut empty).await?;
    empty.close().await.map_err(fault)?;
    let changed = expected.into_iter().filter(|object| !objects.contains(object));
    let changed = changed.map(|object| format!("{} {}", object.kind, object.name)).collect();
    Ok(Finding::of("changedSchema", "tables, indexes and triggers that are missing or changed", changed))
}
