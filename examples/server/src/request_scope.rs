//! Makes the id and the sender of the current request available to log lines.

use std::cell::Cell;
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
    is_access_logged: Cell<bool>,
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

    /// Leaves the current request out of the access log, because another line describes it.
    pub(crate) fn omit_access_line() {
        // Outside a request, there is no access line.
        let _ = REQUEST.try_with(|request| request.is_access_logged.set(false));
    }

    /// Returns whether the access log has a line for the current request.
    pub(crate) fn is_access_logged() -> bool {
        REQUEST.try_with(|request| request.is_access_logged.get()).unwrap_or(true)
    }
}

#[async_trait]
impl Handler for RequestScope {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let id = RequestIdGuard::of(res).unwrap_or_default().to_owned();
        let address = req.remote_addr().ip().map(|address| address.to_canonical());
        let request = CurrentRequest { id, address, is_access_logged: Cell::new(true) };
        REQUEST.scope(request, ctrl.call_next(req, depot, res)).await;
    }
}
