//! The invalidation of credentials after a restore.

use async_trait::async_trait;

use crate::Timestamp;
use crate::storage::StorageError;

/// Invalidates the credentials that a restored backup brings back.
#[async_trait]
pub trait RestoredStorage: Send + Sync {
    /// Revokes all keys at `now`, deletes all sessions, grants and the signing key, and moves the revision of each
    /// family, in one transaction. Passwords stay valid.
    ///
    /// The backup contains the signing key in plain text, so the next node that needs one stores a new one. A running
    /// process keeps the old signing key until it restarts.
    ///
    /// A revision moves by `now` in microseconds. So no revision is used twice, even if a backup is restored more than
    /// once, and no client gets 304 Not Modified for data that has changed.
    ///
    /// # Errors
    /// [`StorageError`] for a fault. Then nothing is invalidated.
    async fn invalidate_credentials(&self, now: Timestamp) -> Result<(), StorageError>;
}
