//! The sessions that a server has in PostgreSQL.

use std::time::{Duration, Instant};

use family_api_testing::Database;
use sqlx::{AssertSqlSafe, Executor, Row};
use tokio::time::sleep;

const TIMEOUT: Duration = Duration::from_secs(30);

/// Waits until this number of the server's sessions meets a condition.
pub(crate) async fn wait_for_sessions(database: &Database, condition: &str, number: i64) {
    let mut connection = database.connect().await;
    let count = format!(
        "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'family-api' AND {condition}"
    );
    let began = Instant::now();
    while connection.fetch_one(AssertSqlSafe(count.clone())).await.unwrap().get::<i64, _>(0) != number {
        assert!(began.elapsed() < TIMEOUT, "not {number} sessions: {condition}");
        sleep(Duration::from_millis(10)).await;
    }
}
