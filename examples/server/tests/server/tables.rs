//! Looks into the tables of a sandbox, and changes them, as an operator does.

use std::time::{Duration, Instant};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};
use tokio::time::sleep;

use crate::sandbox::Sandbox;

/// Maximum time until the background task has deleted rows.
const TIMEOUT: Duration = Duration::from_mins(1);

impl Sandbox {
    /// Executes a statement in the database.
    pub(crate) async fn execute(&self, sql: &str) {
        match self.database() {
            Some(database) => {
                database.connect().await.execute(AssertSqlSafe(sql)).await.unwrap();
            }
            None => {
                self.file().connect().await.unwrap().execute(AssertSqlSafe(sql)).await.unwrap();
            }
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

    async fn count_rows(&self, table: &str) -> i64 {
        let sql = AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
        match self.database() {
            Some(database) => sqlx::query_scalar(sql).fetch_one(&mut database.connect().await).await.unwrap(),
            None => sqlx::query_scalar(sql).fetch_one(&mut self.file().connect().await.unwrap()).await.unwrap(),
        }
    }

    fn file(&self) -> SqliteConnectOptions {
        SqliteConnectOptions::new().filename(self.path("family.db"))
    }
}
