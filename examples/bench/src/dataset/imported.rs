//! A database with the families, for tests.

use std::path::Path;

use family_api_core::storage::{BulkLoad, Record};
use family_api_sql::sqlite::SqliteStorage;

/// Imports the measured family and two other families into an SQLite file.
pub(crate) async fn import(path: &Path) -> SqliteStorage {
    let storage = SqliteStorage::open(path).await.unwrap();
    let mut lines = vec![];
    super::write(&mut lines, super::Others::Medium(2)).unwrap();
    let mut load = storage.begin_load().await.unwrap();
    for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        load.insert(Record::from_json(line).unwrap()).await.unwrap();
    }
    load.commit().await.unwrap();
    storage
}
