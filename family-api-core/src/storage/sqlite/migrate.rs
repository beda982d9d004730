//! Migration of the file's schema.

use sqlx::migrate::Migrator;
use sqlx::{Connection, SqliteConnection};

use crate::storage::schema::{MigrationFault, with_own_table};
use crate::storage::sqlite::OpenError;
use crate::storage::sqlite::error::fault;

/// Returns the migrations of this version.
pub(super) fn migrator() -> Migrator {
    with_own_table(sqlx::migrate!("migrations/sqlite"))
}

/// Migrates in one transaction. If two processes migrate at the same time, the second waits and then has nothing to do.
pub(super) async fn migrate(writer: &mut SqliteConnection) -> Result<(), OpenError> {
    let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await.map_err(fault)?;
    // With a borrowed connection, the future of `run` is not `Send`.
    migrator().run_direct(None, &mut *transaction, false).await.map_err(MigrationFault::from)?;
    Ok(transaction.commit().await.map_err(fault)?)
}

impl From<MigrationFault> for OpenError {
    fn from(error: MigrationFault) -> Self {
        match error {
            MigrationFault::Schema(error) => error.into(),
            MigrationFault::Sql(error) => fault(error).into(),
            MigrationFault::Other(error) => error.into(),
        }
    }
}
