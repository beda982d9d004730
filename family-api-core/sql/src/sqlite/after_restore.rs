//! The invalidation of credentials after a restore.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::storage::{RestoredStorage, StorageError};

use crate::after_restore;
use crate::sqlite::SqliteStorage;
use crate::sqlite::database::in_transaction;
use crate::sqlite::error::fault;

#[async_trait]
impl RestoredStorage for SqliteStorage {
    async fn invalidate_credentials(&self, now: Timestamp) -> Result<(), StorageError> {
        in_transaction!(self, |transaction| after_restore::invalidate_credentials(&mut *transaction, now).await?)
    }
}
