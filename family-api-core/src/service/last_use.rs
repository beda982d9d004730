//! The last use of each key, grant and calendar feed. A request records the use in memory. A background task writes the uses to the
//! storage in batches (HTTP reference, "Listing keys").

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracing::instrument;

use crate::Timestamp;
use crate::error::Error;
use crate::id::GrantId;
use crate::key::KeyDigest;
use crate::service::FamilyApi;
use crate::service::storage_call::StorageCall;

/// Maximum number of pending keys, of pending grants, and of pending feeds. When it is reached, uses of others are not recorded.
const MAX_PENDING: usize = 65_536;

/// Maximum number of keys, grants or feeds in one write.
const BATCH_SIZE: usize = 1_000;

/// The last uses that are not written to the storage yet, truncated to the minute.
#[derive(Debug)]
pub(super) struct PendingUses<K>(Mutex<HashMap<K, Timestamp>>);

/// What identifies a key or a grant in its storage.
pub(super) trait UsedId: Clone + Eq + Hash {
    /// Returns the bytes by which writes are sorted.
    fn bytes(&self) -> &[u8];
}

impl UsedId for KeyDigest {
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl UsedId for GrantId {
    fn bytes(&self) -> &[u8] {
        self.as_str().as_bytes()
    }
}

impl<K> Default for PendingUses<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: UsedId> PendingUses<K> {
    /// Records a use of a key or grant. `stored` is the last use that the storage has. Returns whether this is the first
    /// use.
    pub(super) fn record(&self, key: K, stored: Option<Timestamp>, now: Timestamp) -> bool {
        let minute = now.minute();
        if stored.is_some_and(|stored| stored >= minute) {
            return false;
        }
        let mut uses = self.lock();
        if uses.len() >= MAX_PENDING && !uses.contains_key(&key) {
            return false;
        }
        let before = uses.get(&key).copied();
        // `before` can be later if the clock was set back or another thread was faster.
        uses.insert(key, before.map_or(minute, |before| before.max(minute)));
        before.is_none() && stored.is_none()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Returns the pending keys, grouped by the minute of their last use.
    pub(super) fn pending(&self) -> BTreeMap<Timestamp, Vec<K>> {
        let mut uses: Vec<_> = self.lock().iter().map(|(key, minute)| (key.clone(), *minute)).collect();
        // In sorted order, nodes that write the same keys concurrently lock them in the same order and cannot deadlock.
        uses.sort_unstable_by(|(a, _), (b, _)| a.bytes().cmp(b.bytes()));
        let mut minutes: BTreeMap<Timestamp, Vec<K>> = BTreeMap::new();
        for (key, minute) in uses {
            minutes.entry(minute).or_default().push(key);
        }
        minutes
    }

    /// Removes written keys. A key that was used again during the write stays pending.
    pub(super) fn remove_written(&self, keys: &[K], minute: Timestamp) {
        let mut uses = self.lock();
        for key in keys {
            if uses.get(key) == Some(&minute) {
                uses.remove(key);
            }
        }
    }

    /// Ignores a poisoned lock: a panic cannot leave an entry half updated.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Timestamp>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FamilyApi {
    /// Writes the pending last uses of keys, grants and calendar feeds to the storage, in batches.
    ///
    /// A background task writes them about one second after each use. A host calls this method at shutdown, when the
    /// last request has ended and before the storage is closed. If a batch fails, its uses stay pending, and the other
    /// batches are still written.
    ///
    /// # Errors
    /// The error of the storage.
    #[instrument(level = "debug", skip_all)]
    pub async fn record_uses(&self) -> Result<(), Error> {
        let mut outcome = Ok(());
        for (minute, keys) in self.pending_uses.pending() {
            for batch in keys.chunks(BATCH_SIZE) {
                match self.storage.record_uses(batch, minute).traced("record_uses").await {
                    Ok(()) => self.pending_uses.remove_written(batch, minute),
                    Err(fault) => outcome = Err(fault.into()),
                }
            }
        }
        if let Some(grants) = &self.grants {
            for (minute, used) in grants.pending_uses.pending() {
                for batch in used.chunks(BATCH_SIZE) {
                    match grants.storage.record_grant_uses(batch, minute).traced("record_grant_uses").await {
                        Ok(()) => grants.pending_uses.remove_written(batch, minute),
                        Err(fault) => outcome = Err(fault.into()),
                    }
                }
            }
        }
        if let Some(feeds) = &self.feeds {
            for (minute, used) in feeds.pending_uses.pending() {
                for batch in used.chunks(BATCH_SIZE) {
                    match feeds.storage.record_feed_uses(batch, minute).traced("record_feed_uses").await {
                        Ok(()) => feeds.pending_uses.remove_written(batch, minute),
                        Err(fault) => outcome = Err(fault.into()),
                    }
                }
            }
        }
        outcome
    }

    pub(super) fn has_pending_uses(&self) -> bool {
        !self.pending_uses.is_empty()
            || self.grants.as_ref().is_some_and(|grants| !grants.pending_uses.is_empty())
            || self.feeds.as_ref().is_some_and(|feeds| !feeds.pending_uses.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_key_is_pending_once_a_minute_and_its_first_use_is_reported() {
        let (uses, key) = (PendingUses::default(), KeyDigest::of("k"));
        assert!(uses.record(key, None, at("2026-11-20T10:15:30.123Z")));
        assert!(!uses.record(key, None, at("2026-11-20T10:15:59.999Z")));
        let minute = at("2026-11-20T10:15:00.000Z");
        assert_eq!(uses.pending(), [(minute, vec![key])].into_iter().collect());

        // The key is used again before the write, so it stays pending.
        assert!(!uses.record(key, None, at("2026-11-20T10:16:00Z")));
        assert!(!uses.record(key, None, at("2026-11-20T10:15:00Z")));
        uses.remove_written(&[key], minute);
        assert!(!uses.is_empty());
        uses.remove_written(&[key], at("2026-11-20T10:16:00Z"));
        assert!(uses.is_empty());

        assert!(!uses.record(key, Some(at("2026-11-20T10:16:00Z")), at("2026-11-20T10:16:59Z")));
        assert!(uses.is_empty());
        assert!(!uses.record(key, Some(at("2026-11-20T10:16:00Z")), at("2026-11-20T10:17:00Z")));
        assert!(!uses.is_empty());
    }

    #[test]
    fn the_number_of_pending_keys_is_bounded() {
        let uses = PendingUses::default();
        for number in 0..MAX_PENDING + 10 {
            uses.record(KeyDigest::of(&number.to_string()), None, at("2026-11-20T10:15:00Z"));
        }
        assert_eq!(uses.lock().len(), MAX_PENDING);
    }
}
