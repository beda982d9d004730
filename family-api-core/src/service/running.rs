//! What is running on this node, so that it does not run twice at once.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The keys of what is running. It has at most one entry for each request in progress.
///
/// Other nodes do not know them. Two nodes can run creations with the same idempotency key at once: the storage then
/// decides which of them creates the record.
#[derive(Debug)]
pub(super) struct RunningSet<K: Eq + Hash>(Mutex<HashSet<K>>);

/// Something that is running. It ends on drop, also if the request is cancelled.
#[derive(Debug)]
pub(super) struct Running<'a, K: Eq + Hash> {
    set: &'a RunningSet<K>,
    key: K,
}

impl<K: Eq + Hash + Clone> RunningSet<K> {
    /// Begins what has this key. Returns `None` if it is running.
    pub(super) fn begin(&self, key: K) -> Option<Running<'_, K>> {
        let is_first = self.lock().insert(key.clone());
        is_first.then(|| Running { set: self, key })
    }
}

impl<K: Eq + Hash> RunningSet<K> {
    /// Ignores a poisoned lock: a panic cannot leave the set inconsistent.
    fn lock(&self) -> MutexGuard<'_, HashSet<K>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash> Default for RunningSet<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash> Drop for Running<'_, K> {
    fn drop(&mut self) {
        self.set.lock().remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_refused_until_it_ends() {
        let running = RunningSet::default();
        let first = running.begin(("ana", "k")).unwrap();
        assert!(running.begin(("ana", "k")).is_none());
        let others = [running.begin(("ben", "k")).unwrap(), running.begin(("ana", "K")).unwrap()];
        drop(first);
        assert!(running.begin(("ana", "k")).is_some());
        drop(others);
        assert!(running.lock().is_empty());
    }
}
