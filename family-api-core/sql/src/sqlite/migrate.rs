//! Migration of the file's schema.

use sqlx::migrate::Migrator;
use sqlx::{Connection, SqliteConnection};

use crate::migration_state::{compare, migration_fault, with_own_table};
use crate::sqlite::OpenError;
use crate::sqlite::database::has_tables;
use crate::sqlite::error::fault;

/// Returns the migrations of this version.
pub(super) fn migrator() -> Migrator {
    with_own_table(sqlx::migrate!("migrations/sqlite"))
}

/// Migrates in one transaction. If two processes migrate at the same time, the second waits and then has nothing to do.
pub(super) async fn migrate(writer: &mut SqliteConnection) -> Result<(), OpenError> {
    let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await.map_err(fault)?;
    let migrator = migrator();
    if has_tables(&mut transaction).await.map_err(fault)? {
        compare(&mut *transaction, &migrator).await?.check_usable()?;
    }
    // With a borrowed connection, the future of `run` is not `Send`.
    migrator.run_direct(None, &mut *transaction, false).await.map_err(|error| migration_fault(error, fault))?;
    Ok(transaction.commit().await.map_err(fault)?)
}
