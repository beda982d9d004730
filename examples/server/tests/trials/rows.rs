//! The number of rows of each table.

use std::collections::BTreeMap;

use crate::sandbox::Sandbox;

/// Returns the number of rows of each table, without those of the database itself.
pub(crate) async fn rows(sandbox: &Sandbox) -> BTreeMap<String, i64> {
    let tables = if sandbox.database().is_some() {
        "SELECT tablename::text FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
    } else {
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    };
    let mut rows = BTreeMap::new();
    for table in sandbox.texts(tables).await {
        let count = sandbox.count_rows(&format!("\"{table}\"")).await;
        rows.insert(table, count);
    }
    rows
}
