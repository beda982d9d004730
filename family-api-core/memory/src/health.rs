//! The health check.

use async_trait::async_trait;

use crate::MemoryStorage;
use family_api_core::storage::{Health, StorageError};

#[async_trait]
impl Health for MemoryStorage {
    async fn check(&self) -> Result<(), StorageError> {
        self.lock().map(drop)
    }
}
