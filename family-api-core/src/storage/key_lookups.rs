//! Keys that are looked for at the same time are found by one statement.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::timeout;

use crate::key::KeyDigest;
use crate::storage::shared_look::SharedLook;
use crate::storage::{FoundKey, StorageError};

pub(super) type FoundKeys = HashMap<KeyDigest, FoundKey>;

/// How long a statement that others share is waited for: where one connection is silent, those who wait for it use others.
const PATIENCE: Duration = Duration::from_millis(100);

/// Finds keys as the database has them at some moment after they are asked for.
pub(super) struct KeyLookups(SharedLook<KeyDigest, Option<FoundKeys>>);

impl KeyLookups {
    pub(super) fn new() -> Self {
        Self(SharedLook::new())
    }

    /// Finds a key, by a statement of its own where the shared one fails, be it because of another's key.
    pub(super) async fn find<F>(
        &self,
        digest: &KeyDigest,
        find: impl Fn(Vec<KeyDigest>) -> F,
    ) -> Result<Option<FoundKey>, StorageError>
    where
        F: Future<Output = Result<FoundKeys, StorageError>>,
    {
        let look = |digests| async { find(digests).await.ok() };
        let take = |found: &Option<FoundKeys>| found.as_ref().map(|keys| keys.get(digest).cloned());
        if let Ok(Some(found)) = timeout(PATIENCE, self.0.ask(*digest, look, take)).await {
            return Ok(found);
        }
        Ok(find(vec![*digest]).await?.remove(digest))
    }
}
