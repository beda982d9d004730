//! Brings a file's schema up to date.

use sqlx::{Connection, SqliteConnection};

use crate::storage::schema::{MigrationFault, with_own_table};
use crate::storage::sqlite::OpenError;
use crate::storage::sqlite::error::fault;

/// Migrates in one transaction: of two who come at once, the second finds nothing left to do.
pub(super) async fn migrate(writer: &mut SqliteConnection) -> Result<(), OpenError> {
    let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await.map_err(fault)?;
    let migrator = with_own_table(sqlx::migrate!("migrations/sqlite"));
    // Where `run` is asked with a borrowed connection, its future cannot go to another thread.
    migrator.run_direct(None, &mut *transaction, false).await.map_err(MigrationFault::from)?;
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
