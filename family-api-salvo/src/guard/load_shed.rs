//! Sheds load: limits the number of concurrent requests.

use std::num::NonZeroUsize;
use std::sync::Arc;

use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::sync::Semaphore;

use crate::HttpError;
use crate::guard::InFlightPermit;

/// Default maximum number of concurrent requests.
///
/// With four database connections and 1 ms per request, 64 requests take 16 ms.
const MAX_IN_FLIGHT: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// Answers 503 `unavailable` at once if the maximum number of concurrent requests is reached. Default: 64.
///
/// As a middleware, it is for a host's own routes. The router of [`FamilyRoutes`](crate::FamilyRoutes) takes its
/// permits in an order that depends on credentials: those that were accepted recently come first.
///
/// Clones share one limit. A request does not count while it waits for the rest of its body
/// ([`read_json`](crate::read_json), [`read_body`](crate::read_body)), or while its response is sent. So slow clients
/// do not hold permits.
#[derive(Debug, Clone)]
pub struct LoadShed {
    permits: Arc<Semaphore>,
    max: usize,
}

impl LoadShed {
    /// Sets the maximum number of concurrent requests.
    #[must_use]
    pub fn new(max: NonZeroUsize) -> Self {
        let max = max.get().min(Semaphore::MAX_PERMITS);
        Self { permits: Arc::new(Semaphore::new(max)), max }
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
