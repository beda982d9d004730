//! Health check of the file.

use async_trait::async_trait;
use family_api_core::storage::{Health, StorageError};

use crate::sqlite::SqliteStorage;
use crate::sqlite::error::fault;

/// Reads a table. An open connection alone does not prove that the file can be read.
pub(super) const CHECK: &str = "SELECT count(*) FROM families WHERE id = ''";

#[async_trait]
impl Health for SqliteStorage {
    async fn check(&self) -> Result<(), StorageError> {
        sqlx::query(CHECK).fetch_one(self.database.readers()).await.map_err(fault)?;
        self.documents.check().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::query_plans::assert_index_lookups;

    #[tokio::test]
    async fn the_health_check_does_not_scan_families() {
        assert_index_lookups(&[CHECK]).await;
    }

    #[tokio::test]
    async fn the_health_check_fails_if_no_document_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
        storage.check().await.unwrap();
        storage.documents.close().await;
        let checked = storage.check().await;
        assert!(matches!(checked, Err(StorageError::Unavailable(_))), "{checked:?}");
    }
}
