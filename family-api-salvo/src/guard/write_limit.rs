//! Limits how many writes a user makes in sessions per minute.

use family_api_core::Error;
use salvo::http::Method;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::HttpError;
use crate::request_context::RequestContext;

/// Answers 429 `rate_limited` if a user exceeds the rate limit of session writes (all methods except `GET` and `HEAD`).
///
/// Runs after the session and same-site checks. So requests that pages of other sites send do not count.
pub(crate) struct SessionWriteLimit;

impl SessionWriteLimit {
    fn check(req: &Request, depot: &Depot) -> Result<(), Error> {
        if matches!(*req.method(), Method::GET | Method::HEAD) {
            return Ok(());
        }
        let context = RequestContext::of(depot)?;
        context.api.count_session_write(&context.caller)
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
                res.render(HttpError::from(error));
                ctrl.skip_rest();
            }
        }
    }
}
