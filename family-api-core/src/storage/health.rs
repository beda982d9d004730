//! Whether a storage answers.

use async_trait::async_trait;

use crate::storage::StorageError;

/// Tells whether the storage can serve requests now.
#[async_trait]
pub trait Health: Send + Sync {
    /// Asks the storage for nothing, the way a request would.
    ///
    /// # Errors
    /// [`StorageError`] where a request would fail.
    async fn check(&self) -> Result<(), StorageError>;
}
