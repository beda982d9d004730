//! The health check of a storage.

use async_trait::async_trait;

use crate::storage::StorageError;

/// Checks whether the storage can serve requests now.
#[async_trait]
pub trait Health: Send + Sync {
    /// Runs a trivial query, such as `SELECT 1`, on a connection from the pool that requests use.
    ///
    /// # Errors
    /// [`StorageError`] if the storage cannot serve requests.
    async fn check(&self) -> Result<(), StorageError>;
}
