//! Bounds how often one peer may present tokens that are nobody's.

use std::num::NonZeroU32;
use std::sync::Arc;

use family_api_core::limit::{Rate, RateLimiter};
use family_api_core::{Clock, Error, SystemClock};
use salvo::Request;

use crate::Peer;

/// How many a minute, unless it is set: far more than a program makes by mistake, and too few to matter.
const MAX_FAILURES: NonZeroU32 = NonZeroU32::new(1_000).unwrap();

/// Failed authentications, by peer; clones count together.
///
/// A token is looked up before anybody is turned away: whoever shares an address with an attacker, as behind one proxy,
/// is let in as ever.
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

    /// What a request is told that was refused with this error.
    pub(crate) fn count(&self, req: &Request, error: Error) -> Error {
        match (&error, Peer::of(req)) {
            (Error::InvalidToken, Some(peer)) => {
                self.0.check(&peer, SystemClock.monotonic()).into_result().err().unwrap_or(error)
            }
            _ => error,
        }
    }
}
