//! Limits the rate of invalid tokens from one peer.

use std::num::NonZeroU32;
use std::sync::Arc;

use family_api_core::limit::{Rate, RateLimiter};
use family_api_core::{Clock, Error, SystemClock};
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

    /// Counts `error` if it is [`Error::InvalidToken`]. Returns [`Error::RateLimited`] above the limit, otherwise
    /// `error`.
    pub(crate) fn count(&self, req: &Request, error: Error) -> Error {
        match (&error, Peer::of(req)) {
            (Error::InvalidToken, Some(peer)) => {
                self.0.check(&peer, SystemClock.monotonic()).into_result().err().map_or(error, Error::from)
            }
            _ => error,
        }
    }
}
