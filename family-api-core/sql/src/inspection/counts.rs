//! The numbers of records and credentials.

use std::sync::LazyLock;

use family_api_core::storage::value::Values;
use family_api_core::storage::{KindCount, Record, StorageError};

use crate::sql_connection::SqlConnection;

/// A table with the kind of its rows.
struct CountedTable {
    kind: &'static str,
    name: &'static str,
    count: String,
}

static TABLES: LazyLock<Vec<CountedTable>> = LazyLock::new(|| {
    let records = Record::TABLES.iter().map(|table| (table.kind, table.name));
    let others = [("deletedRecord", "deleted_records"), ("session", "sessions"), ("connection", "grants")];
    let count = |(kind, name)| CountedTable { kind, name, count: format!("SELECT count(*) FROM {name}") };
    records.chain(others).map(count).collect()
});

/// Counts the rows of the tables that exist. An older schema has fewer tables.
pub(super) async fn count_tables(
    connection: &mut impl SqlConnection,
    existing: &[String],
) -> Result<Vec<KindCount>, StorageError> {
    let mut counts = Vec::new();
    for CountedTable { kind, name, count } in TABLES.iter() {
        if existing.iter().any(|table| table == name) {
            let row = connection.find_row(count, Vec::new()).await?;
            let count: i64 = row.map_or(Ok(0), |row| Values::of(&row).take())?;
            counts.push(KindCount { kind, count: count.try_into().map_err(StorageError::corrupt)? });
        }
    }
    Ok(counts)
}
