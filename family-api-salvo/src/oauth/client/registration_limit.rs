//! Limits the rate of registrations from one peer.

use std::num::NonZeroU32;
use std::sync::Arc;

use family_api_core::limit::{Rate, RateLimiter};
use family_api_core::{Clock, Error, SystemClock};
use salvo::Request;

use crate::Peer;

/// Default number of registrations a minute. A registration stores nothing. All clients behind a proxy that is not
/// trusted share one address.
const MAX_REGISTRATIONS: NonZeroU32 = NonZeroU32::new(3_000).unwrap();

/// Counts the registrations of each peer. Clones share the counts.
#[derive(Debug, Clone)]
pub(crate) struct RegistrationLimit(Arc<RateLimiter<Peer>>);

impl Default for RegistrationLimit {
    /// 3,000 a minute.
    fn default() -> Self {
        Self::at_most(Rate::per_minute(MAX_REGISTRATIONS))
    }
}

impl RegistrationLimit {
    pub(crate) fn at_most(rate: Rate) -> Self {
        Self(Arc::new(RateLimiter::new(rate)))
    }

    /// Counts a registration. Returns [`Error::RateLimited`] above the limit.
    pub(crate) fn check(&self, req: &Request) -> Result<(), Error> {
        match Peer::of(req) {
            Some(peer) => Ok(self.0.check(&peer, SystemClock.monotonic()).into_result()?),
            None => Ok(()),
        }
    }
}
