//! What is left.

use std::time::Duration;

use crate::error::Error;
use crate::limit::Rate;

/// What a bucket holds, after one was asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitStatus {
    pub(super) rate: Rate,
    pub(super) remaining: u32,
    pub(super) full_in: Duration,
    pub(super) retry_after: Option<Duration>,
}

impl RateLimitStatus {
    /// How often it may happen.
    #[must_use]
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// How many are left.
    #[must_use]
    pub const fn remaining(&self) -> u32 {
        self.remaining
    }

    /// How long until the bucket is full again, if nothing more is taken.
    #[must_use]
    pub const fn full_in(&self) -> Duration {
        self.full_in
    }

    /// How long until there is one again; `None` where one was granted.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// Whether one was granted.
    #[must_use]
    pub const fn is_granted(&self) -> bool {
        self.retry_after.is_none()
    }

    /// The same as a result.
    ///
    /// # Errors
    /// [`Error::RateLimited`].
    pub fn into_result(self) -> Result<(), Error> {
        match self.retry_after {
            None => Ok(()),
            Some(retry_after) => Err(Error::RateLimited { retry_after }),
        }
    }
}
