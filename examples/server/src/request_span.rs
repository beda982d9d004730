//! Lines of the log that are written on the way of a request say which.

use family_api_salvo::RequestId;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::task_local;
use tracing::{Span, info_span};

task_local! {
    static REQUEST_ID: String;
}

/// Lets whatever is logged behind it know the request's id, which `RequestId` has given it before.
pub(crate) struct RequestScope;

#[async_trait]
impl Handler for RequestScope {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let id = RequestId::of(res).unwrap_or_default().to_owned();
        REQUEST_ID.scope(id, ctrl.call_next(req, depot, res)).await;
    }
}

/// The span of the request that is being answered, for a line of the log. It is made where there is one: most requests
/// have none but their own, and a span costs as much as a line.
pub(crate) fn current() -> Span {
    REQUEST_ID.try_with(|id| info_span!("request", request_id = id)).unwrap_or_else(|_| Span::none())
}
