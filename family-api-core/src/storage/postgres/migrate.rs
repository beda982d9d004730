//! Migration of the database's schema.

use sqlx::migrate::Migrator;
use sqlx::{Executor, Postgres, Transaction};

use crate::storage::postgres::OpenError;
use crate::storage::postgres::connections::LONG_TRANSACTION;
use crate::storage::postgres::error::fault;
use crate::storage::schema::{MigrationFault, with_own_table};

/// Makes other nodes that migrate at the same time wait.
const LOCK: &str = "SELECT pg_advisory_xact_lock(28816739826464873)";

/// Returns the migrations of this version.
pub(super) fn migrator() -> Migrator {
    with_own_table(sqlx::migrate!("migrations/postgres"))
}

/// Migrates in the transaction, and commits it. If a node dies during the migration, the database is unchanged. A node
/// that waited for another node's migration has nothing left to do. The migration of a large table can take minutes.
pub(super) async fn migrate(mut transaction: Transaction<'_, Postgres>) -> Result<(), OpenError> {
    for statement in [LONG_TRANSACTION, LOCK] {
        transaction.execute(statement).await.map_err(fault)?;
    }
    let mut migrator = migrator();
    migrator.set_locking(false);
    // With a borrowed connection, the future of `run` is not `Send`.
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
