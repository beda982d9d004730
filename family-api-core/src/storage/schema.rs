//! The history of a database's schema, and why it may not fit this version.

use sqlx::migrate::{MigrateError, Migrator};

use crate::storage::StorageError;

/// The driver's own name for it may be the host's.
const TABLE: &str = "_family_api_migrations";

/// A database whose schema is not one that this version makes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The database was migrated by another version of this crate, a newer one as a rule.
    #[error("the database has migration {version}, which this version does not know: a newer one has used it")]
    UnknownMigration {
        /// The migration's number.
        version: i64,
    },
    /// A migration is not the one that the database was migrated with.
    #[error("migration {version} was changed after the database was migrated with it")]
    ChangedMigration {
        /// The migration's number.
        version: i64,
    },
}

/// Why a migration failed.
pub(super) enum MigrationFault {
    Schema(SchemaError),
    Sql(sqlx::Error),
    Other(StorageError),
}

/// Keeps the history in a table of our own.
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
