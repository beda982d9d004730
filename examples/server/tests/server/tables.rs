//! Looks into the tables of a sandbox, and changes them, as an operator does.

use std::time::{Duration, Instant};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};
use tokio::time::sleep;

use crate::sandbox::Sandbox;

/// Maximum time until the background task has deleted rows.
const TIMEOUT: Duration = Duration::from_mins(1);

impl Sandbox {
    /// Executes a statement in the database.
    pub(crate) async fn execute(&self, sql: &str) {
        if let Some(database) = self.database() {
            database.connect().await.execute(AssertSqlSafe(sql)).await.unwrap();
        } else {
            let mut file = self.file().connect().await.unwrap();
            file.execute(AssertSqlSafe(sql)).await.unwrap();
            file.close().await.unwrap();
        }
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
        if let Some(database) = self.database() {
            return sqlx::query_scalar(sql).fetch_one(&mut database.connect().await).await.unwrap();
        }
        let mut file = self.file().connect().await.unwrap();
        let count = sqlx::query_scalar(sql).fetch_one(&mut file).await.unwrap();
        file.close().await.unwrap();
        count
    }

    /// Returns the texts that a query selects.
    pub(crate) async fn texts(&self, sql: &str) -> Vec<String> {
        let sql = AssertSqlSafe(sql);
        if let Some(database) = self.database() {
            return sqlx::query_scalar(sql).fetch_all(&mut database.connect().await).await.unwrap();
        }
        let mut file = self.file().connect().await.unwrap();
        let texts = sqlx::query_scalar(sql).fetch_all(&mut file).await.unwrap();
        file.close().await.unwrap();
        texts
    }

    pub(crate) fn file(&self) -> SqliteConnectOptions {
        SqliteConnectOptions::new().filename(self.path("family.db"))
    }
}
