//! The state of a rate limit after a check.

use std::time::Duration;

use crate::limit::Rate;

/// The operation exceeds the rate limit. Converts to [`Error::RateLimited`](crate::Error::RateLimited).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many operations")]
pub struct RateLimited {
    /// Time until the next operation is granted.
    pub retry_after: Duration,
}

/// The state of a bucket after [`RateLimiter::check`](crate::limit::RateLimiter::check).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitStatus {
    pub(super) rate: Rate,
    pub(super) remaining: u32,
    pub(super) full_in: Duration,
    pub(super) retry_after: Option<Duration>,
}

impl RateLimitStatus {
    /// Returns the rate of the limit.
    #[must_use]
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// Returns the number of operations that the bucket still grants.
    #[must_use]
    pub const fn remaining(&self) -> u32 {
        self.remaining
    }

    /// Returns the time until the bucket is full again, if no further operation is granted.
    #[must_use]
    pub const fn full_in(&self) -> Duration {
        self.full_in
    }

    /// Returns the time until the next operation is granted, or `None` if this operation was granted.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// Returns whether the operation was granted.
    #[must_use]
    pub const fn is_granted(&self) -> bool {
        self.retry_after.is_none()
    }

    /// Converts the status into a result.
    ///
    /// # Errors
    /// [`RateLimited`] if the operation was not granted.
    pub fn into_result(self) -> Result<(), RateLimited> {
        self.retry_after.map_or(Ok(()), |retry_after| Err(RateLimited { retry_after }))
    }
}
