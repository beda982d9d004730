//! Cancels requests that take too long.

use std::time::Duration;

use family_api_core::Error;
use salvo::http::header::CONNECTION;
use salvo::http::{HeaderValue, Version};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::time::timeout;

use crate::HttpError;

/// Answers 503 `unavailable` if a request takes longer than the timeout, including the time to read its body. Default:
/// 30 seconds.
///
/// The handler's future is dropped. A change in progress is applied completely or not at all, because the storages of
/// `family-api-core` use transactions. An HTTP/1 connection is closed, because the rest of the body may still arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeoutGuard(Duration);

impl TimeoutGuard {
    /// Sets the timeout. It starts when the request head has been read.
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
            res.render(HttpError::Api(Error::Unavailable("the request took too long".into())));
            // HTTP/2 ends only the stream of the request, so the connection stays open.
            if req.version() <= Version::HTTP_11 {
                res.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            ctrl.skip_rest();
        }
    }
}
