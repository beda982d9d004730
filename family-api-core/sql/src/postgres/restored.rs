//! The invalidation of credentials after a restore.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::storage::{RestoredStorage, StorageError};

use crate::postgres::PostgresStorage;
use crate::postgres::database::in_transaction;
use crate::postgres::error::fault;
use crate::restored;

#[async_trait]
impl RestoredStorage for PostgresStorage {
    async fn invalidate_credentials(&self, now: Timestamp) -> Result<(), StorageError> {
        in_transaction!(self, |transaction| restored::invalidate_credentials(&mut *transaction, now).await?)
    }
}
