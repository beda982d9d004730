//! Batches concurrent key lookups into one statement.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::key::KeyDigest;
use crate::storage::coalescer::Coalescer;
use crate::storage::{FoundKey, StorageError};

/// The keys that exist. An unreadable key is an error for that key only.
pub(super) type FoundKeys = HashMap<KeyDigest, Result<Arc<FoundKey>, StorageError>>;

/// Finds keys in the state that the database has at some moment after the call begins.
pub(super) struct KeyBatcher(Coalescer<KeyDigest, FoundKeys>);

impl KeyBatcher {
    pub(super) fn new() -> Self {
        Self(Coalescer::new())
    }

    /// Finds a key. If the shared statement is slow or fails, a separate statement finds it.
    pub(super) async fn find<F>(
        &self,
        digest: &KeyDigest,
        find: impl Fn(HashSet<KeyDigest>) -> F,
    ) -> Result<Option<FoundKey>, StorageError>
    where
        F: Future<Output = Result<FoundKeys, StorageError>>,
    {
        let find_all = |digests: Vec<KeyDigest>| find(digests.into_iter().collect());
        let found = match self.0.query(*digest, find_all, |found| found.get(digest).cloned()).await? {
            Some(found) => found,
            None => find(HashSet::from([*digest])).await?.remove(digest),
        };
        Ok(found.transpose()?.map(Arc::unwrap_or_clone))
    }
}
