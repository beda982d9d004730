//! Whether the file answers.

use async_trait::async_trait;

use crate::storage::sqlite::SqliteStorage;
use crate::storage::sqlite::error::fault;
use crate::storage::{Health, StorageError};

/// Reads the file: an open connection alone says nothing about it.
const CHECK: &str = "SELECT count(*) FROM families WHERE id = ''";

#[async_trait]
impl Health for SqliteStorage {
    async fn check(&self) -> Result<(), StorageError> {
        sqlx::query(CHECK).fetch_one(self.connections.readers()).await.map_err(fault)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::storage::sqlite::query_plans::assert_looked_up;

    #[tokio::test]
    async fn health_is_checked_without_going_through_the_families() {
        assert_looked_up(&[CHECK]).await;
    }
}
