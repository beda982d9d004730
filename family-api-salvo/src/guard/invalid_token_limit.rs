//! Limits the rate of invalid tokens from one peer.

use std::num::NonZeroU32;
use std::sync::Arc;

use family_api_core::limit::{Rate, RateLimited, RateLimiter};
use family_api_core::{Clock, SystemClock};
use salvo::Request;

use crate::Peer;

/// Default number of invalid tokens a minute. A program with a wrong token sends fewer. Checking 1,000 tokens a minute
/// causes no noticeable load.
const MAX_INVALID_TOKENS: NonZeroU32 = NonZeroU32::new(1_000).unwrap();

/// Counts the invalid tokens of each peer. Clones share the counts.
///
/// Valid tokens are not counted and never refused. So an attacker cannot lock out other clients behind the same proxy.
#[derive(Debug, Clone)]
pub(crate) struct InvalidTokenLimit(Arc<RateLimiter<Peer>>);

impl Default for InvalidTokenLimit {
    /// 1,000 a minute.
    fn default() -> Self {
        Self::at_most(Rate::per_minute(MAX_INVALID_TOKENS))
    }
}

impl InvalidTokenLimit {
    pub(crate) fn at_most(rate: Rate) -> Self {
        Self(Arc::new(RateLimiter::new(rate)))
    }

    /// Counts an invalid token of the request's peer.
    ///
    /// # Errors
    /// [`RateLimited`] above the limit.
    pub(crate) fn count(&self, req: &Request) -> Result<(), RateLimited> {
        Peer::of(req).map_or(Ok(()), |peer| self.0.check(&peer, SystemClock.monotonic()).into_result())
    }

    /// Returns whether the next invalid token of the request's peer is above the limit.
    pub(crate) fn is_reached(&self, req: &Request) -> bool {
        Peer::of(req).is_some_and(|peer| self.0.is_exhausted(&peer, SystemClock.monotonic()))
    }
}
