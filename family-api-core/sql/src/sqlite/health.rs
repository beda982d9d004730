//! Health check of the file.

use async_trait::async_trait;
use family_api_core::storage::{Health, StorageError};

use crate::sqlite::SqliteStorage;
use crate::sqlite::error::fault;

/// Reads a table. An open connection alone does not prove that the file can be read.
const CHECK: &str = "SELECT count(*) FROM families WHERE id = ''";

#[async_trait]
impl Health for SqliteStorage {
    async fn check(&self) -> Result<(), StorageError> {
        sqlx::query(CHECK).fetch_one(self.database.readers()).await.map_err(fault)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqlite::query_plans::assert_index_lookups;

    #[tokio::test]
    async fn the_health_check_does_not_scan_families() {
        assert_index_lookups(&[CHECK]).await;
    }
}
