//! Migration of the database's schema.

use sqlx::migrate::Migrator;
use sqlx::{Executor, PgConnection, Postgres, Transaction};

use crate::migration_state::{compare, migration_fault, with_own_table};
use crate::postgres::OpenError;
use crate::postgres::database::{LONG_TRANSACTION, has_tables};
use crate::postgres::error::fault;

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
    if has_tables(&mut transaction).await? {
        compare(&mut *transaction, &migrator).await?.check_usable()?;
    }
    migrator.set_locking(false);
    // With a borrowed connection, the future of `run` is not `Send`.
    migrator.run_direct(None, &mut *transaction, false).await.map_err(|error| migration_fault(error, fault))?;
    Ok(transaction.commit().await.map_err(fault)?)
}

/// Checks that the database needs no migration. Reads only, because a worker of a distributed engine cannot migrate.
pub(super) async fn check_schema(connection: &mut PgConnection) -> Result<(), OpenError> {
    let schema = compare(connection, &migrator()).await?;
    schema.check_usable()?;
    if schema.is_current() { Ok(()) } else { Err(OpenError::NotCoordinator) }
}

#[cfg(test)]
mod tests {
    use super::migrator;

    /// A later migration can meet distributed tables. An engine that distributes tables accepts one change of them in a
    /// simple query.
    #[test]
    fn only_the_first_migration_has_several_statements() {
        for migration in migrator().iter() {
            let code = migration.sql.as_str().lines().filter(|line| !line.starts_with("--")).collect::<String>();
            let statements = code.split(';').filter(|statement| !statement.trim().is_empty());
            assert_eq!(statements.count() > 1, migration.version == 1, "migration {}", migration.version);
        }
    }
}
