//! How often.

use std::num::NonZeroU32;
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);

/// So many a minute: a bucket holds one minute's worth, and fills up steadily.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate(NonZeroU32);

impl Rate {
    /// So many a minute.
    #[must_use]
    pub const fn per_minute(number: NonZeroU32) -> Self {
        Self(number)
    }

    /// How many a full bucket holds.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0.get()
    }

    /// How long an empty bucket takes to fill up.
    #[must_use]
    pub const fn window(self) -> Duration {
        MINUTE
    }

    /// How long one takes to come back.
    pub(super) fn interval(self) -> Duration {
        MINUTE / self.0.get()
    }
}
