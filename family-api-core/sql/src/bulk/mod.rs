//! Loads records into a database in batches: each statement inserts or updates many rows of one kind, because a
//! statement costs more than a row.
//!
//! The statements follow from the [tables](family_api_core::storage::table) of the kinds. The keys of the database
//! detect a record whose id exists or whose parent is missing. Only then are the rows examined.

mod batch;
mod changes;
mod destination;
mod event_zones;
mod export;
mod load_sql;
mod loader;
mod missing_records;
mod rows;
mod update;
mod update_sql;

#[cfg(all(test, feature = "sqlite"))]
pub(crate) use export::all_statements as all_export_statements;
pub(crate) use export::{BulkExporter, Snapshot};
#[cfg(test)]
pub(crate) use load_sql::all_statements;
#[cfg(all(test, feature = "postgres"))]
pub(crate) use load_sql::repeats_key_id;
pub(crate) use load_sql::{Dialect, plain_value};
pub(crate) use loader::BulkLoader;
#[cfg(test)]
pub(crate) use update_sql::all_statements as all_update_statements;

use std::collections::HashSet;

use async_trait::async_trait;
use family_api_core::storage::value::{StoredRow, Values};
use family_api_core::storage::{LoadError, LoadFault, Record, StorageError};
use sqlx::error::{DatabaseError, ErrorKind};

/// Returns the row of a record: a JSON array of the values of its table's columns.
fn json_row(record: &Record) -> Result<String, StorageError> {
    serde_json::to_string(&record.values()).map_err(StorageError::backend)
}

/// Returns whether the records of a kind belong to a user, not to a family.
pub(crate) fn is_credential(kind: &str) -> bool {
    ["key", "calendarFeed"].contains(&kind)
}

/// Returns the field with the digest of a credential.
pub(crate) fn digest_field(kind: &str) -> &'static str {
    if kind == "key" { "tokenHash" } else { "secretHash" }
}

/// The transaction of a load. Dropping it rolls it back.
#[async_trait]
pub(crate) trait BulkTransaction: Send {
    const DIALECT: Dialect;

    type Row: StoredRow + Send;

    /// Whether a constraint refuses a key whose id exists.
    fn has_unique_key_ids(&self) -> bool {
        true
    }

    /// Whether a foreign key refuses a key whose owner does not exist.
    fn has_keyed_owners(&self) -> bool {
        false
    }

    /// Executes the statements. The only argument of each is the same JSON array of rows. If a row violates a
    /// constraint, that statement stores no row, later statements are not executed, and the violation is returned.
    async fn execute(&mut self, statements: Vec<String>, rows: &str) -> Result<Option<Violation>, StorageError>;

    /// Executes a query whose only argument is a JSON array of rows. Returns its only value.
    async fn query_bool(&mut self, sql: String, rows: &str) -> Result<bool, StorageError> {
        let found = self.run(sql, Some(rows)).await?;
        let row = found.first().ok_or_else(|| StorageError::backend("a query returned no row"))?;
        Values::of(row).take()
    }

    /// Executes a statement that violates no constraint, and returns its rows. Its only argument is a JSON array of
    /// rows. `None` if it has no argument.
    async fn run(&mut self, sql: String, rows: Option<&str>) -> Result<Vec<Self::Row>, StorageError>;

    /// Sets the time zone of the events without one in these families.
    async fn set_event_zones(&mut self, zone: &str, families: &[String]) -> Result<(), StorageError>;

    /// Increments the revisions of these families, and commits the transaction.
    async fn commit(self, families: HashSet<String>) -> Result<(), LoadError>
    where
        Self: Sized;
}

/// Why a row cannot be stored.
pub(crate) enum Violation {
    /// The row has a fault.
    Fault(LoadFault),
    /// A referenced record does not exist. The error is returned if the record exists again when it is looked up.
    Reference(StorageError),
}

/// Converts an error of an insert. `kind` returns the kind of a violated constraint, and `fault` converts all other
/// errors.
pub(crate) fn violation(
    error: sqlx::Error,
    kind: fn(&dyn DatabaseError) -> ErrorKind,
    fault: fn(sqlx::Error) -> StorageError,
) -> Result<Option<Violation>, StorageError> {
    let Some(violated) = error.as_database_error() else { return Err(fault(error)) };
    match kind(violated) {
        ErrorKind::UniqueViolation => {
            Ok(Some(Violation::Fault(LoadFault::exists(duplicate_field(violated.message())))))
        }
        ErrorKind::ForeignKeyViolation => Ok(Some(Violation::Reference(fault(error)))),
        _ => Err(fault(error)),
    }
}

/// Returns the field of a violated unique constraint. The message of SQLite contains the column, that of PostgreSQL the
/// name of the constraint. The name on a worker of Citus ends with the number of a shard, such as
/// `users_email_key_102008`.
fn duplicate_field(message: &str) -> &'static str {
    let fields = [
        ("users.email", "email"),
        ("users_email_key", "email"),
        ("integration_keys.digest", "tokenHash"),
        ("integration_keys_pkey", "tokenHash"),
        ("calendar_feeds.digest", "secretHash"),
        ("calendar_feeds_pkey", "secretHash"),
    ];
    fields.into_iter().find(|(constraint, _)| message.contains(constraint)).map_or("id", |(_, field)| field)
}
