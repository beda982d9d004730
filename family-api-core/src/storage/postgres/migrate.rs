//! Brings a database's schema up to date.

use sqlx::Executor;

use crate::storage::postgres::OpenError;
use crate::storage::postgres::connections::Lease;
use crate::storage::postgres::error::fault;
use crate::storage::schema::{MigrationFault, with_own_table};

/// Of two who come at once, the second waits for the first; a large table may take its time.
const ALONE: &str = "
    SET LOCAL statement_timeout = '10min';
    SELECT pg_advisory_xact_lock(28816739826464873)";

/// Migrates in one transaction: whoever dies in it leaves nothing, and who waited finds nothing left to do.
pub(super) async fn migrate(connection: &mut Lease) -> Result<(), OpenError> {
    let mut transaction = connection.begin().await?;
    transaction.execute(ALONE).await.map_err(fault)?;
    let mut migrator = with_own_table(sqlx::migrate!("migrations/postgres"));
    migrator.set_locking(false);
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
