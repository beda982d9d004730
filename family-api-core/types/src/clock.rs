//! The source of the current time: the only file that reads the clocks of the operating system.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use jiff::SignedDuration;

use crate::Timestamp;

/// A source of the current time. Tests use a [`ManualClock`] to control the time.
pub trait Clock: Send + Sync {
    /// Returns the current time of the wall clock.
    fn now(&self) -> Timestamp;

    /// Returns the time since an arbitrary instant. It never decreases, and changes of the wall clock do not affect it.
    fn monotonic(&self) -> Duration;
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
    fn now(&self) -> Timestamp {
        (**self).now()
    }

    fn monotonic(&self) -> Duration {
        (**self).monotonic()
    }
}

/// The clocks of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// The instant from which [`SystemClock::monotonic`] counts. It is the same for the whole process.
static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the only place that reads the wall clock")]
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(jiff::Timestamp::now().as_millisecond()).unwrap_or(Timestamp::MAX)
    }

    fn monotonic(&self) -> Duration {
        ORIGIN.elapsed()
    }
}

/// A clock for tests, which moves only when the test moves it. Clones share the time.
#[derive(Debug, Clone)]
pub struct ManualClock(Arc<Times>);

/// The wall-clock time and the monotonic time, in milliseconds.
#[derive(Debug)]
struct Times {
    wall: AtomicI64,
    monotonic: AtomicU64,
}

impl ManualClock {
    /// Creates a clock with the wall-clock time `now`.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self(Arc::new(Times { wall: AtomicI64::new(now.as_millis()), monotonic: AtomicU64::new(0) }))
    }

    /// Sets the wall clock, as an administrator does. The monotonic time does not change.
    pub fn set(&self, now: Timestamp) {
        self.0.wall.store(now.as_millis(), Ordering::SeqCst);
    }

    /// Moves the wall clock and the monotonic time forward. A negative duration moves only the wall clock, backward.
    pub fn advance(&self, by: SignedDuration) {
        self.set(self.now().saturating_add(by));
        let passed = u64::try_from(by.as_millis()).unwrap_or(0);
        self.0.monotonic.fetch_add(passed, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.wall.load(Ordering::SeqCst)).unwrap_or(Timestamp::MAX)
    }

    fn monotonic(&self) -> Duration {
        Duration::from_millis(self.0.monotonic.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_the_wall_clock_does_not_change_the_monotonic_time() {
        let clock = ManualClock::new(Timestamp::MIN);
        clock.advance(SignedDuration::from_secs(3));
        clock.set(Timestamp::MAX);
        assert_eq!((clock.now(), clock.monotonic()), (Timestamp::MAX, Duration::from_secs(3)));
        clock.advance(SignedDuration::from_secs(-1));
        assert_eq!(clock.monotonic(), Duration::from_secs(3));
    }

    #[test]
    fn the_monotonic_system_time_never_decreases() {
        let earlier = SystemClock.monotonic();
        assert!(SystemClock.monotonic() >= earlier);
    }
}
