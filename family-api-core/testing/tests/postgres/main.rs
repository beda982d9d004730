//! Tests of the server, its databases and the proxy.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod cleanup;
mod databases;
mod proxy;
mod restart;

use sqlx::{Executor, PgConnection, Row};

/// Creates a table. Tests insert rows (marks) into it, and check later which rows were stored.
pub(crate) async fn create_marks(connection: &mut PgConnection) {
    connection.execute("CREATE TABLE marks (mark integer)").await.unwrap();
}

pub(crate) async fn insert_mark(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    connection.execute("INSERT INTO marks VALUES (1)").await.map(drop)
}

pub(crate) async fn count_marks(connection: &mut PgConnection) -> i64 {
    connection.fetch_one("SELECT count(*) FROM marks").await.unwrap().get(0)
}
