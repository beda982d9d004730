//! A bucket for each of many.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::Timestamp;
use crate::limit::{Quota, Rate};

/// How many buckets are remembered at most.
const MOST: usize = 65_536;

/// A token bucket for each key, full at first.
///
/// A bucket is kept as the instant at which it is full again (the generic cell rate algorithm), and forgotten once it
/// is. Where all that may be remembered are in use, all are forgotten: whoever comes next finds a full one, since a
/// limit that a crowd of strangers can exhaust would shut out everybody else.
#[derive(Debug)]
pub struct Buckets<K> {
    rate: Rate,
    most: usize,
    full_at: Mutex<HashMap<K, Nanos>>,
}

/// Nanoseconds since 1970: what comes back in less than a millisecond must be counted too.
type Nanos = i128;

impl<K: Eq + Hash + Clone> Buckets<K> {
    /// Buckets that hold as many as come in a minute.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self { rate, most: MOST, full_at: Mutex::default() }
    }

    /// Takes one, if there is one.
    pub fn take(&self, key: &K, now: Timestamp) -> Quota {
        let now = nanos_of(now);
        let mut buckets = self.lock();
        let full_at = self.full_at(&buckets, key, now);
        let missing = self.missing(full_at, now);
        let full_at = if missing.is_some() { full_at } else { full_at + nanos(self.rate.interval()) };
        match buckets.get_mut(key) {
            Some(bucket) => *bucket = full_at,
            None => self.insert(&mut buckets, key, full_at, now),
        }
        self.quota(full_at - now, missing)
    }

    /// Gives back one that was taken, as it turned out, for nothing.
    pub fn give_back(&self, key: &K) {
        if let Some(full_at) = self.lock().get_mut(key) {
            *full_at -= nanos(self.rate.interval());
        }
    }

    /// When the bucket is full: now at the earliest; and a window away at the latest, also where the clock was set back.
    fn full_at(&self, buckets: &HashMap<K, Nanos>, key: &K, now: Nanos) -> Nanos {
        buckets.get(key).map_or(now, |full_at| (*full_at).clamp(now, now + self.window()))
    }

    /// How long until there is one to take, where there is none.
    fn missing(&self, full_at: Nanos, now: Nanos) -> Option<Duration> {
        let missing = full_at + nanos(self.rate.interval()) - now - self.window();
        (missing > 0).then(|| duration(missing))
    }

    /// What a whole bucket takes to fill up, to the nanosecond.
    fn window(&self) -> Nanos {
        nanos(self.rate.interval()) * Nanos::from(self.rate.number())
    }

    fn insert(&self, buckets: &mut HashMap<K, Nanos>, key: &K, full_at: Nanos, now: Nanos) {
        if buckets.len() >= self.most {
            buckets.retain(|_, full_at| *full_at > now);
            // Going through them must free many, or every newcomer would go through all.
            if buckets.len() > self.most / 2 {
                buckets.clear();
            }
        }
        buckets.insert(key.clone(), full_at);
    }

    fn quota(&self, until_full: Nanos, retry_after: Option<Duration>) -> Quota {
        let left = (self.window() - until_full) / nanos(self.rate.interval());
        let remaining = u32::try_from(left).unwrap_or(u32::MAX);
        Quota { rate: self.rate, remaining, full_in: duration(until_full), retry_after }
    }

    /// What a panic may leave behind is a count that is one too high or too low.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Nanos>> {
        self.full_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn nanos_of(instant: Timestamp) -> Nanos {
    Nanos::from(instant.as_millis()) * 1_000_000
}

fn nanos(duration: Duration) -> Nanos {
    Nanos::try_from(duration.as_nanos()).unwrap_or(Nanos::MAX)
}

fn duration(nanos: Nanos) -> Duration {
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: i64 = 1_800_000_000_000;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(NOON + millis).unwrap()
    }

    fn buckets(number: u32) -> Buckets<u32> {
        Buckets::new(Rate::per_minute(number.try_into().unwrap()))
    }

    #[test]
    fn a_bucket_holds_a_minutes_worth_and_fills_up_steadily() {
        let buckets = buckets(60);
        for taken in 1..=60 {
            let quota = buckets.take(&1, at(0));
            assert!(quota.is_granted());
            assert_eq!((quota.remaining(), quota.full_in()), (60 - taken, Duration::from_secs(taken.into())));
        }
        let refused = buckets.take(&1, at(0));
        assert_eq!((refused.retry_after(), refused.remaining()), (Some(Duration::from_secs(1)), 0));
        assert!(!buckets.take(&1, at(999)).is_granted());
        assert!(buckets.take(&1, at(1_000)).is_granted());
        assert!(!buckets.take(&1, at(1_000)).is_granted());
        assert_eq!(buckets.take(&1, at(120_000)).remaining(), 59);
        assert_eq!(buckets.take(&2, at(0)).remaining(), 59);
    }

    #[test]
    fn what_is_given_back_is_there_again_and_no_more_than_there_ever_was() {
        let buckets = buckets(1);
        assert!(buckets.take(&1, at(0)).is_granted());
        assert_eq!(buckets.take(&1, at(1)).retry_after(), Some(Duration::from_millis(59_999)));
        buckets.give_back(&1);
        buckets.give_back(&1);
        buckets.give_back(&2);
        assert!(buckets.take(&1, at(1)).is_granted());
        assert!(!buckets.take(&1, at(1)).is_granted());
    }

    #[test]
    fn a_clock_that_is_set_back_locks_nobody_out_for_longer_than_a_minute() {
        let buckets = buckets(2);
        buckets.take(&1, at(0));
        buckets.take(&1, at(0));
        let a_year_ago = -31_536_000_000;
        assert_eq!(buckets.take(&1, at(a_year_ago)).retry_after(), Some(Duration::from_secs(30)));
        assert!(buckets.take(&1, at(a_year_ago + 30_000)).is_granted());
    }

    #[test]
    fn rates_that_divide_no_minute_grant_exactly_their_number() {
        for number in [1, 7, 299, 70_001] {
            let buckets = buckets(number);
            let granted = (0..=number).filter(|_| buckets.take(&1, at(0)).is_granted()).count();
            assert_eq!(u32::try_from(granted).unwrap(), number);
            let granted = (0..=number).filter(|_| buckets.take(&1, at(60_000)).is_granted()).count();
            assert_eq!(u32::try_from(granted).unwrap(), number);
        }
    }

    #[test]
    fn no_more_buckets_are_remembered_than_there_is_room_for() {
        let buckets = Buckets { most: 8, ..buckets(1) };
        for key in 0..8 {
            assert!(buckets.take(&key, at(0)).is_granted());
        }
        // These are full again: they make room, and who is not stays.
        buckets.take(&8, at(60_000));
        buckets.take(&9, at(60_001));
        assert!(!buckets.take(&8, at(60_002)).is_granted());
        assert_eq!(buckets.lock().len(), 2);
        for key in 10..16 {
            buckets.take(&key, at(60_003));
        }
        // Of these none is.
        assert!(buckets.take(&16, at(60_004)).is_granted());
        assert_eq!(buckets.lock().len(), 1);
    }
}
