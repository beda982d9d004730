//! The invalidation of credentials after a restore.

use async_trait::async_trait;

use crate::Timestamp;
use crate::storage::sqlite::SqliteStorage;
use crate::storage::sqlite::error::fault;
use crate::storage::{RestoredStorage, StorageError, sql};

#[async_trait]
impl RestoredStorage for SqliteStorage {
    async fn invalidate_credentials(&self, now: Timestamp) -> Result<(), StorageError> {
        let mut transaction = self.connections.begin().await?;
        sql::invalidate_credentials(&mut *transaction, now).await?;
        transaction.commit().await.map_err(fault)
    }
}
