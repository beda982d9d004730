//! Sheds load: limits the number of concurrent requests.

use std::num::NonZeroUsize;
use std::sync::Arc;

use family_api_core::Error;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::HttpError;
use crate::guard::InFlightPermit;

/// Default maximum number of concurrent requests.
///
/// With four database connections and 1 ms per request, 64 requests take 16 ms.
const MAX_IN_FLIGHT: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// Maximum size in bytes of a body that needs no permit while it arrives. The number of connections limits the memory
/// of such bodies.
const SMALL_BODY: usize = 256 * 1024;

/// Answers 503 `unavailable` at once if the maximum number of concurrent requests is reached. Default: 64.
///
/// As a middleware, it is for a host's own routes. The router of [`FamilyRoutes`](crate::FamilyRoutes) takes its
/// permits in an order that depends on credentials: those that were accepted recently come first.
///
/// Clones share one limit. A request does not count while it waits for the rest of its body
/// ([`read_json`](crate::read_json), [`read_body`](crate::read_body)), or while its response is sent. So slow clients
/// do not hold permits. Bodies of more than 256 KiB have as many permits of their own from the byte after that, or get
/// 503 at once.
#[derive(Debug, Clone)]
pub struct LoadShed {
    permits: Arc<Semaphore>,
    large_bodies: Arc<Semaphore>,
    max: usize,
}

impl LoadShed {
    /// Sets the maximum number of concurrent requests.
    #[must_use]
    pub fn new(max: NonZeroUsize) -> Self {
        let max = max.get().min(Semaphore::MAX_PERMITS);
        let permits = || Arc::new(Semaphore::new(max));
        Self { permits: permits(), large_bodies: permits(), max }
    }

    /// Returns the number of requests that count as concurrent now, for a host's metrics.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.max.saturating_sub(self.permits.available_permits())
    }

    /// Returns the maximum number of concurrent requests.
    #[must_use]
    pub const fn max(&self) -> usize {
        self.max
    }

    pub(super) fn permits(&self) -> &Arc<Semaphore> {
        &self.permits
    }

    /// Lets a request that has a body find this limit.
    pub(super) fn attach(&self, req: &mut Request) {
        if !req.method().is_safe() {
            req.extensions_mut().insert(self.clone());
        }
    }

    /// Returns the limit of a request that has a body. Returns `None` if concurrency is not limited.
    pub(crate) fn of(req: &Request) -> Option<Self> {
        req.extensions().get().cloned()
    }

    /// Takes the permit that a body needs as soon as `length` bytes of it have arrived. Returns `None` if it needs none.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if no permit is free.
    pub(crate) fn expect_body(&self, length: usize) -> Result<Option<OwnedSemaphorePermit>, Error> {
        if length <= SMALL_BODY {
            return Ok(None);
        }
        Arc::clone(&self.large_bodies).try_acquire_owned().map(Some).map_err(|_| Error::Overloaded)
    }
}

impl Default for LoadShed {
    /// 64 requests.
    fn default() -> Self {
        Self::new(MAX_IN_FLIGHT)
    }
}

impl From<NonZeroUsize> for LoadShed {
    fn from(max: NonZeroUsize) -> Self {
        Self::new(max)
    }
}

#[async_trait]
impl Handler for LoadShed {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        match InFlightPermit::try_acquire(&self.permits, None) {
            Ok(permit) => {
                self.attach(req);
                let _held = permit.hold(req);
                ctrl.call_next(req, depot, res).await;
            }
            Err(error) => {
                res.render(HttpError::Api(error));
                ctrl.skip_rest();
            }
        }
    }
}
