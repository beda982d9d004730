//! When each key was last used: recorded in memory by the request, and written in batches off its path (HTTP reference,
//! "Listing keys").

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Timestamp;
use crate::key::KeyDigest;

/// How many keys may wait to be written; past it, a use is noted by a later request of the same key.
const MAX_PENDING: usize = 65_536;

/// How many keys are written at once.
pub(super) const BATCH: usize = 1_000;

/// Uses that the storage does not know yet, to the minute.
#[derive(Debug, Default)]
pub(super) struct LastUse(Mutex<HashMap<KeyDigest, Timestamp>>);

impl LastUse {
    /// NoteService a use of a key, of which the storage knows the last one; tells whether it is the first there ever was.
    pub(super) fn note(&self, key: KeyDigest, known: Option<Timestamp>, now: Timestamp) -> bool {
        let minute = now.minute();
        if known.is_some_and(|known| known >= minute) {
            return false;
        }
        let mut waiting = self.lock();
        if waiting.len() >= MAX_PENDING && !waiting.contains_key(&key) {
            return false;
        }
        let before = waiting.get(&key).copied();
        // The clock may have been set back, or another thread have been faster.
        waiting.insert(key, before.map_or(minute, |before| before.max(minute)));
        before.is_none() && known.is_none()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// The keys that wait, by the minute of their last use.
    pub(super) fn waiting(&self) -> BTreeMap<Timestamp, Vec<KeyDigest>> {
        let mut waiting: Vec<_> = self.lock().iter().map(|(key, minute)| (*key, *minute)).collect();
        // Nodes that write the same keys at once take them in the same order.
        waiting.sort_unstable_by_key(|(key, _)| *key.as_bytes());
        let mut minutes: BTreeMap<Timestamp, Vec<KeyDigest>> = BTreeMap::new();
        for (key, minute) in waiting {
            minutes.entry(minute).or_default().push(key);
        }
        minutes
    }

    /// They are written: who was used again meanwhile goes on to wait.
    pub(super) fn written(&self, keys: &[KeyDigest], minute: Timestamp) {
        let mut waiting = self.lock();
        for key in keys {
            if waiting.get(key) == Some(&minute) {
                waiting.remove(key);
            }
        }
    }

    /// A panic leaves each entry as it was or as it should be.
    fn lock(&self) -> MutexGuard<'_, HashMap<KeyDigest, Timestamp>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_use_waits_once_a_minute_and_the_first_is_told() {
        let (uses, key) = (LastUse::default(), KeyDigest::of("k"));
        assert!(uses.note(key, None, at("2026-11-20T10:15:30.123Z")));
        assert!(!uses.note(key, None, at("2026-11-20T10:15:59.999Z")));
        let minute = at("2026-11-20T10:15:00.000Z");
        assert_eq!(uses.waiting(), [(minute, vec![key])].into_iter().collect());

        // Used again before it was written: that goes on to wait.
        assert!(!uses.note(key, None, at("2026-11-20T10:16:00Z")));
        assert!(!uses.note(key, None, at("2026-11-20T10:15:00Z")));
        uses.written(&[key], minute);
        assert!(!uses.is_empty());
        uses.written(&[key], at("2026-11-20T10:16:00Z"));
        assert!(uses.is_empty());

        assert!(!uses.note(key, Some(at("2026-11-20T10:16:00Z")), at("2026-11-20T10:16:59Z")));
        assert!(uses.is_empty());
        assert!(!uses.note(key, Some(at("2026-11-20T10:16:00Z")), at("2026-11-20T10:17:00Z")));
        assert!(!uses.is_empty());
    }

    #[test]
    fn no_more_keys_wait_than_there_is_room_for() {
        let uses = LastUse::default();
        for number in 0..MAX_PENDING + 10 {
            uses.note(KeyDigest::of(&number.to_string()), None, at("2026-11-20T10:15:00Z"));
        }
        assert_eq!(uses.lock().len(), MAX_PENDING);
    }
}
