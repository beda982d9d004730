//! Looks into the tables of a sandbox, and changes them, as an operator does.

use std::time::{Duration, Instant};

use family_api_testing::Database;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor, any};
use tokio::time::sleep;

use crate::sandbox::Sandbox;

/// Maximum time until the background task has deleted rows.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The sessions of the servers of a sandbox in PostgreSQL.
pub(crate) const SESSIONS: &str =
    "pg_stat_activity WHERE datname = current_database() AND application_name = 'family-api'";

impl Sandbox {
    async fn connect(&self) -> AnyConnection {
        any::install_default_drivers();
        let file = format!("sqlite:{}", self.path("family.db").display());
        AnyConnection::connect(self.database().map_or(&*file, Database::url)).await.unwrap()
    }

    /// Executes a statement in the database.
    pub(crate) async fn execute(&self, sql: &str) {
        let mut connection = self.connect().await;
        connection.execute(AssertSqlSafe(sql)).await.unwrap();
        connection.close().await.unwrap();
    }

    /// Waits until a table has this number of rows.
    pub(crate) async fn wait_for_rows(&self, table: &str, rows: i64) {
        let began = Instant::now();
        loop {
            match self.count_rows(table).await {
                count if count == rows => return,
                count => assert!(began.elapsed() < TIMEOUT, "{table} has {count} rows"),
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    pub(crate) async fn count_rows(&self, table: &str) -> i64 {
        let sql = AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
        let mut connection = self.connect().await;
        let count = sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        count
    }

    /// Returns the texts that a query selects.
    pub(crate) async fn texts(&self, sql: &str) -> Vec<String> {
        let mut connection = self.connect().await;
        let texts = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        texts
    }

    pub(crate) fn file(&self) -> SqliteConnectOptions {
        SqliteConnectOptions::new().filename(self.path("family.db"))
    }
}
