//! Keys that are looked for at the same time are found by one statement.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::key::KeyDigest;
use crate::storage::coalescer::Coalescer;
use crate::storage::{FoundKey, StorageError};

/// The keys that there are; what is wrong with one is no fault of the others.
pub(super) type FoundKeys = HashMap<KeyDigest, Result<Arc<FoundKey>, StorageError>>;

/// Finds keys as the database has them at some moment after they are asked for.
pub(super) struct KeyBatcher(Coalescer<KeyDigest, FoundKeys>);

impl KeyBatcher {
    pub(super) fn new() -> Self {
        Self(Coalescer::new())
    }

    /// Finds a key, by a statement of its own where those of others are slow or fail.
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
