//! A database for one test.

use std::error::Error;
use std::iter::successors;
use std::time::Duration;

use family_api_core::Timestamp;
use family_api_sql::Inspection;
pub(crate) use family_api_sql::postgres::OpenError;
use family_api_sql::postgres::{PostgresOptions, PostgresStorage, REVISION_TRIGGERS};
use family_api_testing::{Database, Server};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tokio::time::timeout;

/// Disables foreign keys for a connection.
pub(crate) const WITHOUT_FOREIGN_KEYS: &str = "SET session_replication_role = replica";

/// Adds a row to the table `counts` for each count of the records of a family.
pub(crate) const RECORD_COUNTS: &str = "
    CREATE TABLE counts (at TIMESTAMPTZ);
    CREATE FUNCTION count_counts() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO counts VALUES (NEW.records_counted_at); RETURN NULL; END $$;
    CREATE TRIGGER count_counts AFTER UPDATE OF records_counted_at ON families
    FOR EACH ROW EXECUTE FUNCTION count_counts()";

/// Returns SQL that executes a statement after each new `order` of a task, the row `NEW`.
pub(crate) fn after_each_new_order(statement: &str) -> String {
    format!(
        r#"
        CREATE FUNCTION new_orders() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {statement}; RETURN NULL; END $$;
        CREATE TRIGGER new_orders AFTER UPDATE OF "order" ON tasks FOR EACH ROW EXECUTE FUNCTION new_orders()"#
    )
}

/// SQL of an empty list of strings.
pub(crate) const EMPTY_LIST: &str = "'{}'";

/// Maximum time of a storage call in a test.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);

/// A database and a storage in it. Dropping the fixture removes the database.
pub(crate) struct Fixture {
    pub(crate) storage: PostgresStorage,
    pub(crate) database: Database,
}

impl Fixture {
    /// Creates an empty database.
    pub(crate) async fn empty() -> Self {
        let database = Server::shared().create_database().await;
        Self { storage: PostgresStorage::open(database.url()).await.unwrap(), database }
    }

    /// Creates a database with triggers that increment revisions when the host app writes.
    pub(crate) async fn with_revision_triggers(text: &str) -> Self {
        let fixture = Self::of(text).await;
        fixture.connect_host().await.execute(REVISION_TRIGGERS).await.unwrap();
        fixture
    }

    /// Opens the database again.
    pub(crate) async fn reopen(&self) -> Result<PostgresStorage, OpenError> {
        PostgresStorage::open(self.database.url()).await
    }

    /// Inspects the database.
    pub(crate) async fn inspect(&self, now: Timestamp) -> Inspection {
        PostgresOptions::new(self.database.url()).inspect(now).await.unwrap()
    }

    /// Opens another connection, such as a connection of the host app.
    pub(crate) async fn connect_host(&self) -> PgConnection {
        self.database.connect().await
    }

    /// Changes a setting of the database. It applies to new connections.
    pub(crate) async fn alter(&self, change: &str) {
        let mut administrator = PgConnection::connect(&Server::shared().url("postgres")).await.unwrap();
        let sql = format!("ALTER DATABASE {} {change}", self.database.name());
        administrator.execute(AssertSqlSafe(sql)).await.unwrap();
    }
}

/// Awaits a future. Panics if it does not complete within [`CALL_TIMEOUT`].
pub(crate) async fn within_timeout<T>(future: impl Future<Output = T>) -> T {
    timeout(CALL_TIMEOUT, future).await.unwrap_or_else(|_| panic!("the call hangs"))
}

/// Returns the `Debug` and `Display` texts of an error and of all its sources.
pub(crate) fn full_error_text(error: &(dyn Error + 'static)) -> String {
    let chain = successors(Some(error), |error| (*error).source());
    chain.map(|error| format!("{error:?} {error}")).collect::<Vec<_>>().join(" ")
}
