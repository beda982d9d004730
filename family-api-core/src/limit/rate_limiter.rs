//! A bucket for each of many.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::limit::{Rate, RateLimitStatus};

/// How many buckets are remembered at max_keys.
const MAX_KEYS: usize = 65_536;

/// A token bucket for each key, full at first.
///
/// A bucket is kept as the instant at which it is full again (the generic cell rate algorithm), and forgotten once it
/// is. Where all that may be remembered are in use, all are forgotten: whoever comes next finds a full one, since a
/// limit that a crowd of strangers can exhaust would shut out everybody else.
#[derive(Debug)]
pub struct RateLimiter<K> {
    rate: Rate,
    max_keys: usize,
    full_at: Mutex<HashMap<K, Duration>>,
}

impl<K: Eq + Hash + Clone> RateLimiter<K> {
    /// RateLimiter that hold as many as come in a minute.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self { rate, max_keys: MAX_KEYS, full_at: Mutex::default() }
    }

    /// Takes one, if there is one. `now` is the time of [`Clock::monotonic`](crate::Clock::monotonic).
    pub fn check(&self, key: &K, now: Duration) -> RateLimitStatus {
        let mut buckets = self.lock();
        let full_at = buckets.get(key).map_or(now, |full_at| now.max(*full_at));
        let full_after = full_at + self.rate.interval();
        let missing = full_after.saturating_sub(now + self.capacity());
        let retry_after = (!missing.is_zero()).then_some(missing);
        let full_at = if retry_after.is_some() { full_at } else { full_after };
        match buckets.get_mut(key) {
            Some(bucket) => *bucket = full_at,
            None => self.insert(&mut buckets, key, full_at, now),
        }
        self.quota(full_at.saturating_sub(now), retry_after)
    }

    /// Gives back one that was taken, as it turned out, for nothing.
    pub fn give_back(&self, key: &K) {
        if let Some(full_at) = self.lock().get_mut(key) {
            *full_at = full_at.saturating_sub(self.rate.interval());
        }
    }

    /// What a whole bucket takes to fill up, to the nanosecond.
    fn capacity(&self) -> Duration {
        self.rate.interval() * self.rate.number()
    }

    fn insert(&self, buckets: &mut HashMap<K, Duration>, key: &K, full_at: Duration, now: Duration) {
        if buckets.len() >= self.max_keys {
            buckets.retain(|_, full_at| *full_at > now);
            // Going through them must free many, or every newcomer would go through all.
            if buckets.len() > self.max_keys / 2 {
                buckets.clear();
            }
        }
        buckets.insert(key.clone(), full_at);
    }

    fn quota(&self, full_in: Duration, retry_after: Option<Duration>) -> RateLimitStatus {
        let left = self.capacity().saturating_sub(full_in).as_nanos() / self.rate.interval().as_nanos();
        let remaining = u32::try_from(left).unwrap_or(u32::MAX);
        RateLimitStatus { rate: self.rate, remaining, full_in, retry_after }
    }

    /// What a panic may leave behind is a count that is one too high or too low.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Duration>> {
        self.full_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time since the buckets were made; their clock began before.
    fn at(millis: u64) -> Duration {
        Duration::from_millis(3_600_000 + millis)
    }

    fn limiter(number: u32) -> RateLimiter<u32> {
        RateLimiter::new(Rate::per_minute(number.try_into().unwrap()))
    }

    #[test]
    fn a_bucket_holds_a_minutes_worth_and_fills_up_steadily() {
        let limiter = limiter(60);
        for taken in 1..=60 {
            let quota = limiter.check(&1, at(0));
            assert!(quota.is_granted());
            assert_eq!((quota.remaining(), quota.full_in()), (60 - taken, Duration::from_secs(taken.into())));
        }
        let refused = limiter.check(&1, at(0));
        assert_eq!((refused.retry_after(), refused.remaining()), (Some(Duration::from_secs(1)), 0));
        assert!(!limiter.check(&1, at(999)).is_granted());
        assert!(limiter.check(&1, at(1_000)).is_granted());
        assert!(!limiter.check(&1, at(1_000)).is_granted());
        assert_eq!(limiter.check(&1, at(120_000)).remaining(), 59);
        assert_eq!(limiter.check(&2, at(0)).remaining(), 59);
    }

    #[test]
    fn what_is_given_back_is_there_again_and_no_more_than_there_ever_was() {
        let limiter = limiter(1);
        assert!(limiter.check(&1, at(0)).is_granted());
        assert_eq!(limiter.check(&1, at(1)).retry_after(), Some(Duration::from_millis(59_999)));
        limiter.give_back(&1);
        limiter.give_back(&1);
        limiter.give_back(&2);
        assert!(limiter.check(&1, at(1)).is_granted());
        assert!(!limiter.check(&1, at(1)).is_granted());
    }

    #[test]
    fn a_time_that_was_read_before_anothers_and_comes_after_it_is_counted() {
        let limiter = limiter(2);
        limiter.check(&1, at(1));
        limiter.check(&1, at(1));
        let refused = limiter.check(&1, at(0));
        assert_eq!((refused.retry_after(), refused.remaining()), (Some(Duration::from_millis(30_001)), 0));
    }

    #[test]
    fn a_clock_that_has_just_begun_gives_back_no_more_than_was_taken() {
        let limiter = limiter(1);
        assert!(limiter.check(&1, Duration::ZERO).is_granted());
        limiter.give_back(&1);
        limiter.give_back(&1);
        assert!(limiter.check(&1, Duration::ZERO).is_granted());
        assert!(!limiter.check(&1, Duration::ZERO).is_granted());
    }

    #[test]
    fn rates_that_divide_no_minute_grant_exactly_their_number() {
        for number in [1, 7, 299, 70_001] {
            let limiter = limiter(number);
            let granted = (0..=number).filter(|_| limiter.check(&1, at(0)).is_granted()).count();
            assert_eq!(u32::try_from(granted).unwrap(), number);
            let granted = (0..=number).filter(|_| limiter.check(&1, at(60_000)).is_granted()).count();
            assert_eq!(u32::try_from(granted).unwrap(), number);
        }
    }

    #[test]
    fn no_more_buckets_are_remembered_than_there_is_room_for() {
        let limiter = RateLimiter { max_keys: 8, ..limiter(1) };
        for key in 0..8 {
            assert!(limiter.check(&key, at(0)).is_granted());
        }
        // These are full again: they make room, and who is not stays.
        limiter.check(&8, at(60_000));
        limiter.check(&9, at(60_001));
        assert!(!limiter.check(&8, at(60_002)).is_granted());
        assert_eq!(limiter.lock().len(), 2);
        for key in 10..16 {
            limiter.check(&key, at(60_003));
        }
        // Of these none is.
        assert!(limiter.check(&16, at(60_004)).is_granted());
        assert_eq!(limiter.lock().len(), 1);
    }
}
