//! Limits the rate of invalid tokens from one peer.

use std::num::NonZeroU32;
use std::sync::Arc;

use family_api_core::limit::{Rate, RateLimiter};
use family_api_core::{Clock, Error, SystemClock};
use salvo::Request;

use crate::Peer;

/// Default number of invalid tokens a minute. Far more than a program sends by mistake, and too few to cause load.
const MAX_FAILURES: NonZeroU32 = NonZeroU32::new(1_000).unwrap();

/// Counts failed authentications by peer. Clones share the counts.
///
/// Only invalid tokens are limited. Clients with valid tokens are accepted even if they share an address with an
/// attacker, for example behind one proxy.
#[derive(Debug, Clone)]
pub(crate) struct Failures(Arc<RateLimiter<Peer>>);

impl Default for Failures {
    /// 1,000 a minute.
    fn default() -> Self {
        Self::at_most(Rate::per_minute(MAX_FAILURES))
    }
}

impl Failures {
    pub(crate) fn at_most(rate: Rate) -> Self {
        Self(Arc::new(RateLimiter::new(rate)))
    }

    /// Counts an invalid token. Returns the error for the response: `error`, or rate limited if the limit is reached.
    pub(crate) fn count(&self, req: &Request, error: Error) -> Error {
        match (&error, Peer::of(req)) {
            (Error::InvalidToken, Some(peer)) => {
                self.0.check(&peer, SystemClock.monotonic()).into_result().err().unwrap_or(error)
            }
            _ => error,
        }
    }
}
