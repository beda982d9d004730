//! A rate limiter with a token bucket for each key.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::limit::{Rate, RateLimitStatus};

/// Maximum number of buckets in memory.
const MAX_KEYS: usize = 65_536;

/// A rate limiter with a token bucket for each key. A new bucket is full.
///
/// The limiter stores for each bucket the time at which the bucket is full again (the generic cell rate algorithm). At
/// the maximum number of buckets, it discards the full buckets. If more than half of the maximum are left, it discards
/// all buckets. A discarded bucket starts full again. Rejecting new keys instead would let an attacker with many keys
/// lock out all other clients.
#[derive(Debug)]
pub struct RateLimiter<K> {
    rate: Rate,
    max_keys: usize,
    full_at: Mutex<HashMap<K, Duration>>,
}

impl<K: Eq + Hash + Clone> RateLimiter<K> {
    /// Creates a rate limiter. Each bucket holds the number of operations of one minute.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self { rate, max_keys: MAX_KEYS, full_at: Mutex::default() }
    }

    /// Takes one token from the bucket of the key, if the bucket is not empty. `now` is the time of
    /// [`Clock::monotonic`](crate::Clock::monotonic).
    pub fn check(&self, key: &K, now: Duration) -> RateLimitStatus {
        let mut buckets = self.lock();
        let full_at = buckets.get(key).map_or(now, |full_at| now.max(*full_at));
        let full_after = full_at + self.rate.interval();
        let missing = full_after.saturating_sub(now + self.refill_time());
        let retry_after = (!missing.is_zero()).then_some(missing);
        let full_at = if retry_after.is_some() { full_at } else { full_after };
        match buckets.get_mut(key) {
            Some(bucket) => *bucket = full_at,
            None => self.insert(&mut buckets, key, full_at, now),
        }
        self.status(full_at.saturating_sub(now), retry_after)
    }

    /// Returns whether the bucket of the key is empty, so that [`check`](Self::check) would refuse. Takes no token.
    #[must_use]
    pub fn is_exhausted(&self, key: &K, now: Duration) -> bool {
        let full_at = self.lock().get(key).copied();
        full_at.is_some_and(|full_at| full_at + self.rate.interval() > now + self.refill_time())
    }

    /// Returns one token to the bucket of the key, for an operation that does not count, such as a successful sign-in.
    pub fn refund(&self, key: &K) {
        if let Some(full_at) = self.lock().get_mut(key) {
            *full_at = full_at.saturating_sub(self.rate.interval());
        }
    }

    /// Returns the time in which an empty bucket refills. The rounded interval can make it slightly shorter than a
    /// minute.
    fn refill_time(&self) -> Duration {
        self.rate.interval() * self.rate.capacity()
    }

    fn insert(&self, buckets: &mut HashMap<K, Duration>, key: &K, full_at: Duration, now: Duration) {
        if buckets.len() >= self.max_keys {
            buckets.retain(|_, full_at| *full_at > now);
            // The scan must free many buckets. Otherwise every new key would cause another scan.
            if buckets.len() > self.max_keys / 2 {
                buckets.clear();
            }
        }
        buckets.insert(key.clone(), full_at);
    }

    fn status(&self, full_in: Duration, retry_after: Option<Duration>) -> RateLimitStatus {
        let left = self.refill_time().saturating_sub(full_in).as_nanos() / self.rate.interval().as_nanos();
        let remaining = u32::try_from(left).unwrap_or(u32::MAX);
        RateLimitStatus { rate: self.rate, remaining, full_in, retry_after }
    }

    /// Ignores a poisoned lock: a panic can leave a count that is wrong by at most one.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Duration>> {
        self.full_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a time of a clock that began one hour before the buckets were created.
    fn at(millis: u64) -> Duration {
        Duration::from_millis(3_600_000 + millis)
    }

    fn limiter(number: u32) -> RateLimiter<u32> {
        RateLimiter::new(Rate::per_minute(number.try_into().unwrap()))
    }

    #[test]
    fn a_bucket_holds_one_minute_and_refills_at_a_constant_rate() {
        let limiter = limiter(60);
        for taken in 1..=60 {
            let status = limiter.check(&1, at(0));
            assert!(status.is_granted());
            assert_eq!((status.remaining(), status.full_in()), (60 - taken, Duration::from_secs(taken.into())));
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
    fn a_refunded_token_is_available_again_up_to_the_capacity() {
        let limiter = limiter(1);
        assert!(limiter.check(&1, at(0)).is_granted());
        assert_eq!(limiter.check(&1, at(1)).retry_after(), Some(Duration::from_millis(59_999)));
        limiter.refund(&1);
        limiter.refund(&1);
        limiter.refund(&2);
        assert!(limiter.check(&1, at(1)).is_granted());
        assert!(!limiter.check(&1, at(1)).is_granted());
    }

    #[test]
    fn an_exhausted_bucket_is_one_that_refuses_the_next_check() {
        let limiter = limiter(2);
        assert!(!limiter.is_exhausted(&1, at(0)));
        for taken in [1, 2] {
            assert!(limiter.check(&1, at(0)).is_granted());
            assert_eq!(limiter.is_exhausted(&1, at(0)), taken == 2);
        }
        assert!(limiter.is_exhausted(&1, at(29_999)));
        assert!(!limiter.is_exhausted(&1, at(30_000)) && !limiter.is_exhausted(&2, at(0)));
        assert!(limiter.check(&1, at(30_000)).is_granted());
        assert!(limiter.is_exhausted(&1, at(30_000)));
    }

    #[test]
    fn a_check_with_an_earlier_time_is_counted() {
        let limiter = limiter(2);
        limiter.check(&1, at(1));
        limiter.check(&1, at(1));
        let refused = limiter.check(&1, at(0));
        assert_eq!((refused.retry_after(), refused.remaining()), (Some(Duration::from_millis(30_001)), 0));
    }

    #[test]
    fn a_refund_at_time_zero_does_not_exceed_the_capacity() {
        let limiter = limiter(1);
        assert!(limiter.check(&1, Duration::ZERO).is_granted());
        limiter.refund(&1);
        limiter.refund(&1);
        assert!(limiter.check(&1, Duration::ZERO).is_granted());
        assert!(!limiter.check(&1, Duration::ZERO).is_granted());
    }

    #[test]
    fn rates_that_do_not_divide_a_minute_grant_exactly_their_number() {
        for number in [1, 7, 299, 70_001] {
            let limiter = limiter(number);
            let granted = (0..=number).filter(|_| limiter.check(&1, at(0)).is_granted()).count();
            assert_eq!(u32::try_from(granted).unwrap(), number);
            let granted = (0..=number).filter(|_| limiter.check(&1, at(60_000)).is_granted()).count();
            assert_eq!(u32::try_from(granted).unwrap(), number);
        }
    }

    #[test]
    fn the_number_of_buckets_is_bounded() {
        let limiter = RateLimiter { max_keys: 8, ..limiter(1) };
        for key in 0..8 {
            assert!(limiter.check(&key, at(0)).is_granted());
        }
        // The first eight buckets are full again and are discarded. Bucket 8 is not full and stays.
        limiter.check(&8, at(60_000));
        limiter.check(&9, at(60_001));
        assert!(!limiter.check(&8, at(60_002)).is_granted());
        assert_eq!(limiter.lock().len(), 2);
        for key in 10..16 {
            limiter.check(&key, at(60_003));
        }
        // None of these buckets is full, so all are discarded.
        assert!(limiter.check(&16, at(60_004)).is_granted());
        assert_eq!(limiter.lock().len(), 1);
    }
}
