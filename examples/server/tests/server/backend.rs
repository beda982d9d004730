//! The kinds of database that a test runs on.

use family_api_testing::Database;
use sqlx::{AssertSqlSafe, Executor};

/// The database of a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backend {
    /// A separate file.
    Sqlite,
    /// A separate database on the PostgreSQL server shared by all tests.
    Postgres,
}

/// Makes two tests of each `async fn test(backend: Backend)`. The test on PostgreSQL is ignored if it is not installed.
macro_rules! on_each_backend {
    ($($test:ident),+ $(,)?) => {$(
        mod $test {
            crate::backend::async_test! { on_sqlite = super::$test(crate::backend::Backend::Sqlite) }
            family_api_testing::on_postgres! {
                crate::backend::async_test, on_postgres = super::$test(crate::backend::Backend::Postgres)
            }
        }
    )+};
}
pub(crate) use on_each_backend;

macro_rules! async_test {
    ($(#[$attribute:meta])* $name:ident = $test:expr) => {
        #[tokio::test]
        $(#[$attribute])*
        async fn $name() {
            $test.await;
        }
    };
}
pub(crate) use async_test;

/// Returns the rows of every table as text, with the table's name. Bytes that are ASCII appear as their characters.
pub(crate) async fn rows(database: &Database) -> Vec<(String, String)> {
    let mut connection = database.connect().await;
    connection.execute("SET bytea_output = 'escape'").await.unwrap();
    let tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'";
    let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut connection).await.unwrap();
    let mut rows = Vec::new();
    for table in tables {
        let all = AssertSqlSafe(format!("SELECT coalesce(string_agg(t::text, chr(10)), '') FROM {table} AS t"));
        rows.push((table, sqlx::query_scalar(all).fetch_one(&mut connection).await.unwrap()));
    }
    rows
}
