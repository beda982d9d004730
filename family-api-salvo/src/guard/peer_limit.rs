//! Limits the rate of a kind of request from one peer.

use std::num::NonZeroU32;
use std::sync::Arc;

use family_api_core::limit::{Rate, RateLimited, RateLimiter};
use family_api_core::{Clock, SystemClock};
use salvo::Request;

use crate::Peer;

/// Default number of invalid tokens a minute, and of invalid sessions. A program with a wrong token sends fewer.
/// Checking 1,000 tokens a minute causes no noticeable load.
const MAX_INVALID_CREDENTIALS: NonZeroU32 = NonZeroU32::new(1_000).unwrap();

/// Default number of registrations a minute. A registration stores nothing. All clients behind a proxy that is not
/// trusted share one address.
#[cfg(feature = "oauth")]
const MAX_REGISTRATIONS: NonZeroU32 = NonZeroU32::new(3_000).unwrap();

/// Counts the requests of each peer. Clones share the counts.
#[derive(Debug, Clone)]
pub(crate) struct PeerLimit(Arc<RateLimiter<Peer>>);

impl PeerLimit {
    pub(crate) fn at_most(rate: Rate) -> Self {
        Self(Arc::new(RateLimiter::new(rate)))
    }

    /// The default limit of invalid tokens, and that of invalid sessions: 1,000 a minute.
    ///
    /// Valid credentials are not counted and never refused. So an attacker cannot lock out other clients behind the
    /// same proxy.
    pub(crate) fn of_invalid_credentials() -> Self {
        Self::at_most(Rate::per_minute(MAX_INVALID_CREDENTIALS))
    }

    /// The default limit of registered clients: 3,000 a minute.
    #[cfg(feature = "oauth")]
    pub(crate) fn of_registrations() -> Self {
        Self::at_most(Rate::per_minute(MAX_REGISTRATIONS))
    }

    /// Counts a request of its peer.
    ///
    /// # Errors
    /// [`RateLimited`] above the limit.
    pub(crate) fn count(&self, req: &Request) -> Result<(), RateLimited> {
        Peer::of(req).map_or(Ok(()), |peer| self.0.check(&peer, SystemClock.monotonic()).into_result())
    }

    /// Returns whether the next request of the same peer is above the limit.
    pub(crate) fn is_reached(&self, req: &Request) -> bool {
        Peer::of(req).is_some_and(|peer| self.0.is_exhausted(&peer, SystemClock.monotonic()))
    }
}
