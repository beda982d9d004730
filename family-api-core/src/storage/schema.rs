//! The migration table of a database, and the errors for a schema that does not fit this version.

use sqlx::migrate::{MigrateError, Migrator};

use crate::storage::StorageError;

/// Differs from the default of sqlx, `_sqlx_migrations`: the host can use the default for its own migrations.
const TABLE: &str = "_family_api_migrations";

/// What an `open` does with a database that has no tables of this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
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
    /// A migration was changed after it was applied to the database.
    #[error("migration {version} was changed after it was applied to the database")]
    ChangedMigration {
        /// The number of the migration.
        version: i64,
    },
}

/// Why a migration failed.
pub(super) enum MigrationFault {
    Schema(SchemaError),
    Sql(sqlx::Error),
    Other(StorageError),
}

/// Stores the migration history in a table of this crate.
pub(super) fn with_own_table(mut migrator: Migrator) -> Migrator {
    migrator.dangerous_set_table_name(TABLE);
    migrator
}

impl From<MigrateError> for MigrationFault {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::VersionMissing(version) => Self::Schema(SchemaError::UnknownMigration { version }),
            MigrateError::VersionMismatch(version) => Self::Schema(SchemaError::ChangedMigration { version }),
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => Self::Sql(error),
            other => Self::Other(StorageError::backend(other)),
        }
    }
}
