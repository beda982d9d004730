//! The creations with an idempotency key that are running on this node.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::id::UserId;
use crate::idempotency::IdempotencyKey;

/// The users and keys of the running creations. It has one entry for each request in progress.
///
/// Two nodes can run creations with the same key at once. The storage then decides which of them creates the record.
#[derive(Debug, Default)]
pub(super) struct RunningCreations(Mutex<HashSet<(UserId, IdempotencyKey)>>);

/// A running creation. It ends on drop, also if the request is cancelled.
#[derive(Debug)]
pub(super) struct RunningCreation<'a> {
    running: &'a RunningCreations,
    entry: (UserId, IdempotencyKey),
}

impl RunningCreations {
    /// Begins a creation.
    ///
    /// # Errors
    /// [`Error::IdempotencyRunning`] if a creation of the user with this key is running.
    pub(super) fn begin(&self, user: &UserId, key: &IdempotencyKey) -> Result<RunningCreation<'_>, Error> {
        let entry = (user.clone(), key.clone());
        let is_first = self.lock().insert(entry.clone());
        if is_first { Ok(RunningCreation { running: self, entry }) } else { Err(Error::IdempotencyRunning) }
    }

    /// Ignores a poisoned lock: a panic cannot leave the set inconsistent.
    fn lock(&self) -> MutexGuard<'_, HashSet<(UserId, IdempotencyKey)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningCreation<'_> {
    fn drop(&mut self) {
        self.running.lock().remove(&self.entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_refused_until_its_creation_ends() {
        let running = RunningCreations::default();
        let (ana, ben) = ("ana".parse().unwrap(), "ben".parse().unwrap());
        let (key, other) = ("k".parse().unwrap(), "K".parse().unwrap());
        let first = running.begin(&ana, &key).unwrap();
        assert!(matches!(running.begin(&ana, &key), Err(Error::IdempotencyRunning)));
        let others = [running.begin(&ben, &key).unwrap(), running.begin(&ana, &other).unwrap()];
        drop(first);
        assert!(running.begin(&ana, &key).is_ok());
        drop(others);
        assert!(running.lock().is_empty());
    }
}
