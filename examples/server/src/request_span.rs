//! Lines of the log that are written on the way of a request say which.

use family_api_salvo::RequestId;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tracing::Instrument;

/// Puts whatever is logged behind it into a span with the request's id, which `RequestId` has given it before.
pub(crate) struct RequestSpan;

#[async_trait]
impl Handler for RequestSpan {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let span = tracing::info_span!("request", request_id = RequestId::of(res));
        ctrl.call_next(req, depot, res).instrument(span).await;
    }
}
