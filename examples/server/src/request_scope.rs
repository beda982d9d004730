//! Which request is being answered, for who writes a line of the log on its way.

use family_api_salvo::RequestIdGuard;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::task_local;

task_local! {
    static REQUEST_ID: String;
}

/// Lets whatever runs behind it ask for the request's id, which `RequestIdGuard` has given it before.
pub(crate) struct RequestScope;

impl RequestScope {
    /// The id of the request that is being answered, if one is.
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
