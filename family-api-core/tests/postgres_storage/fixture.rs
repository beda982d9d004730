//! A database of a test's own.

use std::error::Error;
use std::iter::successors;
use std::time::Duration;

pub(crate) use family_api_core::storage::postgres::OpenError;
use family_api_core::storage::postgres::{PostgresStorage, REVISION_TRIGGERS};
use family_api_testing::{Database, Server};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tokio::time::timeout;

/// The operator's page.
pub(crate) const OPERATING: &str = include_str!("../../src/storage/postgres/operating.md");

/// Lets a connection delete what others refer to.
pub(crate) const WITHOUT_FOREIGN_KEYS: &str = "SET session_replication_role = replica";

/// A list of no texts, as SQL.
pub(crate) const NO_TEXTS: &str = "'{}'";

/// More than a call may ever take.
const LIMIT: Duration = Duration::from_secs(10);

/// A database that goes when it does, and a storage in it.
pub(crate) struct Fixture {
    pub(crate) storage: PostgresStorage,
    pub(crate) database: Database,
}

impl Fixture {
    /// A database with nothing in it.
    pub(crate) async fn empty() -> Self {
        let database = Server::shared().create_database().await;
        Self { storage: PostgresStorage::open(database.url()).await.unwrap(), database }
    }

    /// A database whose revisions also count what a host writes.
    pub(crate) async fn counting(text: &str) -> Self {
        let fixture = Self::of(text).await;
        fixture.by_hand().await.execute(REVISION_TRIGGERS).await.unwrap();
        fixture
    }

    /// Opens the database again.
    pub(crate) async fn reopen(&self) -> Result<PostgresStorage, OpenError> {
        PostgresStorage::open(self.database.url()).await
    }

    /// A connection of somebody else.
    pub(crate) async fn by_hand(&self) -> PgConnection {
        self.database.connect().await
    }

    /// Changes a setting of the database, for the connections that begin from now on.
    pub(crate) async fn alter(&self, change: &str) {
        let mut elsewhere = PgConnection::connect(&Server::shared().url("postgres")).await.unwrap();
        let sql = format!("ALTER DATABASE {} {change}", self.database.name());
        elsewhere.execute(AssertSqlSafe(sql)).await.unwrap();
    }
}

/// What comes of a future that must not hang.
pub(crate) async fn within_limit<T>(future: impl Future<Output = T>) -> T {
    timeout(LIMIT, future).await.unwrap_or_else(|_| panic!("it hangs"))
}

/// Everything that an error says to anybody.
pub(crate) fn full_error_text(error: &(dyn Error + 'static)) -> String {
    let chain = successors(Some(error), |error| (*error).source());
    chain.map(|error| format!("{error:?} {error}")).collect::<Vec<_>>().join(" ")
}
