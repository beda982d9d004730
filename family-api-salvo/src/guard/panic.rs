//! Turns a panic into an answer.

use std::panic::AssertUnwindSafe;

use family_api_core::Error;
use futures_util::FutureExt;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::Failure;

/// Answers 500 `internal` where anything behind it panics.
///
/// The panic's message reaches neither the answer nor this crate's log: it may quote what it should not.
#[derive(Debug, Clone, Copy, Default)]
pub struct PanicGuard;

#[async_trait]
impl Handler for PanicGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        // What a panic may leave half done is the answer alone, and that is replaced.
        if AssertUnwindSafe(ctrl.call_next(req, depot, res)).catch_unwind().await.is_err() {
            res.render(Failure(Error::Internal("a handler panicked".into())));
            ctrl.skip_rest();
        }
    }
}
