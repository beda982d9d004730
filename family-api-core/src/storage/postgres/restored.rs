//! The invalidation of credentials after a restore.

use async_trait::async_trait;

use crate::Timestamp;
use crate::storage::postgres::PostgresStorage;
use crate::storage::postgres::connections::in_transaction;
use crate::storage::postgres::error::fault;
use crate::storage::{RestoredStorage, StorageError, sql};

#[async_trait]
impl RestoredStorage for PostgresStorage {
    async fn invalidate_credentials(&self, now: Timestamp) -> Result<(), StorageError> {
        in_transaction!(self, |transaction| sql::invalidate_credentials(&mut *transaction, now).await?)
    }
}
