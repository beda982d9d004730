//! The invalidation of credentials after a restore.

use async_trait::async_trait;
use sqlx::Executor;

use crate::storage::postgres::PostgresStorage;
use crate::storage::postgres::connections::SET_LONG_TIMEOUT;
use crate::storage::postgres::error::fault;
use crate::storage::{RestoredStorage, StorageError, sql};
use crate::timestamp::Timestamp;

#[async_trait]
impl RestoredStorage for PostgresStorage {
    async fn invalidate_credentials(&self, now: Timestamp) -> Result<(), StorageError> {
        let mut transaction = self.connections.begin().await?;
        transaction.execute(SET_LONG_TIMEOUT).await.map_err(fault)?;
        sql::invalidate_credentials(&mut *transaction, now).await?;
        transaction.commit().await.map_err(fault)
    }
}
