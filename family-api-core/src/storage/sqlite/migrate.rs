//! Brings a file's schema up to date.

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{Connection, SqliteConnection};

use crate::storage::StorageError;
use crate::storage::sqlite::OpenError;
use crate::storage::sqlite::error::fault;

/// The driver's own name for it may be the host's.
const TABLE: &str = "_family_api_migrations";

/// Migrates in one transaction: of two who come at once, the second finds nothing left to do.
pub(super) async fn migrate(writer: &mut SqliteConnection) -> Result<(), OpenError> {
    let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await.map_err(fault)?;
    // Where `run` is asked with a borrowed connection, its future cannot go to another thread.
    migrator().run_direct(None, &mut *transaction, false).await.map_err(meaning)?;
    Ok(transaction.commit().await.map_err(fault)?)
}

fn migrator() -> Migrator {
    let mut migrator = sqlx::migrate!("migrations/sqlite");
    migrator.dangerous_set_table_name(TABLE);
    migrator
}

fn meaning(error: MigrateError) -> OpenError {
    match error {
        MigrateError::VersionMissing(version) => OpenError::UnknownMigration { version },
        MigrateError::VersionMismatch(version) => OpenError::ChangedMigration { version },
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => fault(error).into(),
        other => StorageError::backend(other).into(),
    }
}
