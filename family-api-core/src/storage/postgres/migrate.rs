//! Migration of the database's schema.

use sqlx::migrate::Migrator;
use sqlx::{Executor, PgConnection, Postgres, Transaction};

use crate::storage::SchemaError;
use crate::storage::postgres::OpenError;
use crate::storage::postgres::connections::LONG_TRANSACTION;
use crate::storage::postgres::error::fault;
use crate::storage::schema::{MigrationFault, SchemaState, compare, with_own_table};

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

/// Checks that the database needs no migration. Reads only, because a worker of a distributed engine cannot migrate.
pub(super) async fn check_schema(connection: &mut PgConnection) -> Result<(), OpenError> {
    let SchemaState { pending, unknown, changed } = compare(connection, &migrator()).await?;
    match (unknown.first(), changed.first(), pending.first()) {
        (Some(&version), ..) => Err(SchemaError::UnknownMigration { version }.into()),
        (_, Some(&version), _) => Err(SchemaError::ChangedMigration { version }.into()),
        (.., Some(_)) => Err(OpenError::NotCoordinator),
        (None, None, None) => Ok(()),
    }
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

#[cfg(test)]
mod tests {
    use super::migrator;

    /// The last migration with several statements.
    const LAST_WITH_SEVERAL_STATEMENTS: i64 = 6;

    /// An engine that distributes tables accepts one change of a distributed table in a simple query.
    #[test]
    fn a_new_migration_has_one_statement() {
        for migration in migrator().iter().filter(|migration| migration.version > LAST_WITH_SEVERAL_STATEMENTS) {
            let code = migration.sql.as_str().lines().filter(|line| !line.starts_with("--")).collect::<String>();
            let statements = code.split(';').filter(|statement| !statement.trim().is_empty());
            assert_eq!(statements.count(), 1, "migration {}", migration.version);
        }
    }
}
