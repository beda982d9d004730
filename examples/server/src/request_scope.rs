//! Makes the id of the current request available to log lines.

use family_api_salvo::RequestIdGuard;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::task_local;

task_local! {
    static REQUEST_ID: String;
}

/// Sets the request id for all later handlers. It must run after `RequestIdGuard`, which assigns the id.
pub(crate) struct RequestScope;

impl RequestScope {
    /// Returns the id of the current request, or `None` outside a request.
    pub(crate) fn id() -> Option<String> {
        REQUEST_ID.try_with(String::clone).ok()
    }
}

#[async_trait]
impl Handler for RequestScope {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let id = RequestIdGuard::of(res).unwrap_or_default().to_owned();
        REQUEST_ID.scope(id, ctrl.call_next(req, depot, res)).await;
    }
}
