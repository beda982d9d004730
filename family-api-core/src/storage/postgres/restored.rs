//! The invalidation of credentials after a restore.

use async_trait::async_trait;
use sqlx::Executor;

use crate::storage::postgres::PostgresStorage;
use crate::storage::postgres::error::fault;
use crate::storage::{RestoredStorage, StorageError, sql};
use crate::timestamp::Timestamp;

/// The statements change every family and key, which can take longer than a request may.
const SET_TIMEOUT: &str = "SET LOCAL statement_timeout = '10min'";

#[async_trait]
impl RestoredStorage for PostgresStorage {
    async fn invalidate_credentials(&self, now: Timestamp) -> Result<(), StorageError> {
        let mut transaction = self.connections.begin().await?;
        transaction.execute(SET_TIMEOUT).await.map_err(fault)?;
        sql::invalidate_credentials(&mut *transaction, now).await?;
        transaction.commit().await.map_err(fault)
    }
}
