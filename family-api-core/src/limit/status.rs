//! The state of a rate limit after a check.

use std::time::Duration;

use crate::error::Error;
use crate::limit::Rate;

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

    /// Returns the number of operations that are left.
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
    /// [`Error::RateLimited`] if the operation was not granted.
    pub fn into_result(self) -> Result<(), Error> {
        match self.retry_after {
            None => Ok(()),
            Some(retry_after) => Err(Error::RateLimited { retry_after }),
        }
    }
}
