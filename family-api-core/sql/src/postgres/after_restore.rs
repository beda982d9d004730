//! The invalidation of credentials after a restore.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::storage::{RestoredStorage, StorageError};

use crate::after_restore;
use crate::postgres::PostgresStorage;
use crate::postgres::database::in_transaction;
use crate::postgres::error::fault;

#[async_trait]
impl RestoredStorage for PostgresStorage {
    async fn invalidate_credentials(&self, now: Timestamp) -> Result<(), StorageError> {
        in_transaction!(self, |transaction| after_restore::invalidate_credentials(&mut *transaction, now).await?)
    }
}
