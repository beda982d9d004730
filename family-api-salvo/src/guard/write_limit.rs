//! Limits the rate of a user's session writes.

use family_api_core::Error;
use salvo::http::Method;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::Failure;
use crate::call::Call;

/// Answers 429 `rate_limited` if the user exceeds the limit of session writes (all methods except `GET` and `HEAD`).
///
/// Runs after the session and same-site checks, so requests from other sites do not count.
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
