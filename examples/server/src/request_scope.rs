//! Makes the id and the sender of the current request available to log lines.

use std::net::IpAddr;

use family_api_salvo::RequestIdGuard;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::task_local;

task_local! {
    static REQUEST: CurrentRequest;
}

struct CurrentRequest {
    id: String,
    address: Option<IpAddr>,
}

/// Sets the request id and the client's address for all later handlers. It must run after `RequestIdGuard`, which
/// assigns the id, and after `TrustedProxies`, which finds the address.
pub(crate) struct RequestScope;

impl RequestScope {
    /// Returns the id of the current request, or `None` outside a request.
    pub(crate) fn id() -> Option<String> {
        REQUEST.try_with(|request| request.id.clone()).ok()
    }

    /// Returns the client's address of the current request, or `None` outside a request.
    pub(crate) fn address() -> Option<IpAddr> {
        REQUEST.try_with(|request| request.address).ok().flatten()
    }
}

#[async_trait]
impl Handler for RequestScope {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let id = RequestIdGuard::of(res).unwrap_or_default().to_owned();
        let address = req.remote_addr().ip().map(|address| address.to_canonical());
        REQUEST.scope(CurrentRequest { id, address }, ctrl.call_next(req, depot, res)).await;
    }
}
