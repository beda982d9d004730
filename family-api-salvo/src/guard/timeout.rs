//! Ends a request that takes too long.

use std::time::Duration;

use family_api_core::Error;
use salvo::http::header::CONNECTION;
use salvo::http::{HeaderValue, Version};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::time::timeout;

use crate::Failure;

/// Answers 503 `unavailable` where what stands behind it, reading the body included, takes longer than 30 seconds, or
/// another time.
///
/// What was under way is dropped: the storages of `family-api-core` do a change as a whole then, or not at all. The
/// connection closes, since the rest of the body may still be on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeoutGuard(Duration);

impl TimeoutGuard {
    /// So long, from the moment when the head of the request is read.
    #[must_use]
    pub const fn new(time: Duration) -> Self {
        Self(time)
    }
}

impl Default for TimeoutGuard {
    /// 30 seconds.
    fn default() -> Self {
        Self(Duration::from_secs(30))
    }
}

#[async_trait]
impl Handler for TimeoutGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        if timeout(self.0, ctrl.call_next(req, depot, res)).await.is_err() {
            res.render(Failure(Error::Unavailable("the request took too long".into())));
            // A stream of HTTP/2 ends by itself.
            if req.version() <= Version::HTTP_11 {
                res.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            ctrl.skip_rest();
        }
    }
}
