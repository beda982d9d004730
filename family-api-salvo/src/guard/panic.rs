//! Turns a panic into a response.

use std::panic::AssertUnwindSafe;

use family_api_core::Error;
use futures_util::FutureExt;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::Failure;

/// Answers 500 `internal` if a later handler panics.
///
/// The panic message appears neither in the response nor in this crate's log, because it may contain secrets.
#[derive(Debug, Clone, Copy, Default)]
pub struct PanicGuard;

#[async_trait]
impl Handler for PanicGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        // Unwind safe: a panic can only leave the response half done, and the response is replaced.
        if AssertUnwindSafe(ctrl.call_next(req, depot, res)).catch_unwind().await.is_err() {
            res.render(Failure(Error::Internal("a handler panicked".into())));
            ctrl.skip_rest();
        }
    }
}
