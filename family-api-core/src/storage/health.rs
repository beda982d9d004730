//! The health check of a storage.

use async_trait::async_trait;

use crate::storage::StorageError;

/// Checks whether the storage can serve requests now.
#[async_trait]
pub trait Health: Send + Sync {
    /// Runs an empty query through the same connection pool as a request.
    ///
    /// # Errors
    /// [`StorageError`] if a request would fail.
    async fn check(&self) -> Result<(), StorageError>;
}
