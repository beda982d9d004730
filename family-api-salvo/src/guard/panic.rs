//! Turns a panic into a response.

use std::panic::AssertUnwindSafe;

use family_api_core::Error;
use futures_util::FutureExt;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::HttpError;

/// Answers 500 `internal` if a later handler panics.
///
/// The panic message is neither sent nor logged by this crate, because it may contain secrets.
#[derive(Debug, Clone, Copy, Default)]
pub struct PanicGuard;

#[async_trait]
impl Handler for PanicGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        // Unwind safe: a panic can leave only the response half built, and the next line replaces the response.
        if AssertUnwindSafe(ctrl.call_next(req, depot, res)).catch_unwind().await.is_err() {
            res.render(HttpError::Api(Error::Internal("a handler panicked".into())));
            ctrl.skip_rest();
        }
    }
}
