//! The rate of a limit.

use std::num::NonZeroU32;
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);

/// A number of operations per minute. A bucket holds the operations of one minute and refills at a constant rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate(NonZeroU32);

impl Rate {
    /// Creates a rate of `number` operations per minute.
    #[must_use]
    pub const fn per_minute(number: NonZeroU32) -> Self {
        Self(number)
    }

    /// Returns the capacity of a bucket.
    #[must_use]
    pub const fn capacity(self) -> u32 {
        self.0.get()
    }

    /// Returns the period of the rate: one minute.
    #[must_use]
    pub const fn window(self) -> Duration {
        MINUTE
    }

    /// Returns the time in which one token refills.
    pub(super) fn interval(self) -> Duration {
        MINUTE / self.0.get()
    }
}
