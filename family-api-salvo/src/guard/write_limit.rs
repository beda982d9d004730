//! Limits how many writes a user makes in sessions.

use family_api_core::Error;
use salvo::http::Method;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::Failure;
use crate::call::Call;

/// Answers 429 `rate_limited` to anything but `GET` and `HEAD` if the user has made too many writes.
///
/// It stands behind the guard of the session and of its site: a request from elsewhere takes nothing of the limit.
pub(crate) struct SessionWriteLimit;

impl SessionWriteLimit {
    fn check(req: &Request, depot: &Depot) -> Result<(), Error> {
        if matches!(*req.method(), Method::GET | Method::HEAD) {
            return Ok(());
        }
        let call = Call::of(depot)?;
        call.api.count_session_write(&call.caller)
    }
}

#[async_trait]
impl Handler for SessionWriteLimit {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        match Self::check(req, depot) {
            Ok(()) => {
                ctrl.call_next(req, depot, res).await;
            }
            Err(error) => {
                res.render(Failure(error));
                ctrl.skip_rest();
            }
        }
    }
}
