//! The migration table of a database, and the errors for a schema that does not fit this version.

use family_api_core::storage::StorageError;
use family_api_core::storage::value::StoredRow;
use serde::Serialize;
use sqlx::migrate::{MigrateError, Migrator};

use crate::sql_connection::SqlConnection;

/// Differs from the default of sqlx, `_sqlx_migrations`: the host can use the default for its own migrations.
const TABLE: &str = "_family_api_migrations";

/// What an `open` does with a database that has no tables of this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoTables {
    /// Creates them.
    Create,
    /// Fails, and changes nothing.
    Refuse,
}

/// The schema of the database does not fit this version.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The database was migrated by another version of this crate, usually a newer one.
    #[error(
        "the database has migration {version}, which this version does not know: a newer version has used the database"
    )]
    UnknownMigration {
        /// The number of the migration.
        version: i64,
    },
    /// A migration was changed after it was applied to the database: another build has created the database.
    #[error(
        "migration {version} of the database differs from the one of this version: export the database with the program \
         that created it, and import it into a new one"
    )]
    ChangedMigration {
        /// The number of the migration.
        version: i64,
    },
}

/// The migrations of a database, compared with those of this version. Each is given by its number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SchemaState {
    /// Migrations that the next `open` will apply.
    pub pending: Vec<i64>,
    /// Migrations that this version does not know: a newer version has used the database.
    pub unknown: Vec<i64>,
    /// Migrations that were changed after they were applied.
    pub changed: Vec<i64>,
}

impl SchemaState {
    /// Returns whether the schema is the one of this version.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.pending.is_empty() && self.is_usable()
    }

    /// Returns whether this version can use the database, possibly after the pending migrations.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.unknown.is_empty() && self.changed.is_empty()
    }

    /// Checks that this version can use the database. A changed migration comes first: the numbers of the unknown ones
    /// then say nothing, because they belong to another series.
    pub(crate) fn check_usable(&self) -> Result<(), SchemaError> {
        match (self.changed.first(), self.unknown.first()) {
            (Some(&version), _) => Err(SchemaError::ChangedMigration { version }),
            (None, Some(&version)) => Err(SchemaError::UnknownMigration { version }),
            (None, None) => Ok(()),
        }
    }
}

const FIND_APPLIED: &str = "SELECT version, checksum FROM _family_api_migrations ORDER BY version";

/// Compares the migrations of a database with those of this version.
pub(crate) async fn compare(
    connection: &mut impl SqlConnection,
    migrator: &Migrator,
) -> Result<SchemaState, StorageError> {
    let pending = migrator.iter().map(|migration| migration.version).collect();
    let mut state = SchemaState { pending, ..SchemaState::default() };
    for row in connection.find_rows(FIND_APPLIED, Vec::new()).await? {
        let version = row.integer(0)?.unwrap_or_default();
        state.pending.retain(|pending| *pending != version);
        match migrator.iter().find(|migration| migration.version == version) {
            None => state.unknown.push(version),
            Some(migration) if row.bytes(1)? != Some(&*migration.checksum) => state.changed.push(version),
            Some(_) => {}
        }
    }
    Ok(state)
}

/// Stores the migration history in a table of this crate.
pub(crate) fn with_own_table(mut migrator: Migrator) -> Migrator {
    migrator.dangerous_set_table_name(TABLE);
    migrator
}

/// Converts the error of a migration. `fault` converts the errors of the database.
pub(crate) fn migration_fault(error: MigrateError, fault: fn(sqlx::Error) -> StorageError) -> StorageError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => fault(error),
        other => StorageError::backend(other),
    }
}
