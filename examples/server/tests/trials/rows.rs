//! The number of rows of each table.

use std::collections::BTreeMap;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::sandbox::Sandbox;

/// Returns the number of rows of each table, without those of the database itself.
pub(crate) async fn rows(sandbox: &Sandbox) -> BTreeMap<String, i64> {
    /// Counts on an open connection, of either type.
    macro_rules! count {
        ($connection:expr, $tables:expr) => {{
            let mut connection = $connection;
            let tables: Vec<String> = sqlx::query_scalar($tables).fetch_all(&mut connection).await.unwrap();
            let mut rows = BTreeMap::new();
            for table in tables {
                let count = AssertSqlSafe(format!(r#"SELECT count(*) FROM "{table}""#));
                rows.insert(table, sqlx::query_scalar(count).fetch_one(&mut connection).await.unwrap());
            }
            connection.close().await.unwrap();
            rows
        }};
    }
    if let Some(database) = sandbox.database() {
        count!(
            database.connect().await,
            "SELECT tablename::text FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        )
    } else {
        let file = SqliteConnectOptions::new().filename(sandbox.path("family.db")).read_only(true);
        count!(
            file.connect().await.unwrap(),
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        )
    }
}
