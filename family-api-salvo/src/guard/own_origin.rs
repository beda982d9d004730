//! Refuses requests of pages that belong to another origin (HTTP reference, "MCP endpoints").

use std::sync::Arc;

use salvo::http::header::ORIGIN;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::origin::target_origin;
use crate::{HttpError, Origin};

/// Requires that `Origin`, if it is present, is the server's own origin or an origin that CORS allows.
///
/// Unlike [`SameSite`](crate::SameSite), it does not trust `Sec-Fetch-Site`: MCP requires a check of `Origin`. The
/// check also stops DNS rebinding: a page whose name resolves to this server sends its own name as `Host` and `Origin`.
/// So without a public address, only a loopback name or address is trusted as the server's own.
#[derive(Debug, Clone)]
pub(crate) struct OwnOrigin {
    address: Option<Origin>,
    allowed: Arc<[Origin]>,
}

impl OwnOrigin {
    /// `address` is the public address. `None` means the address that the request was sent to, if it is loopback.
    pub(crate) fn new(address: Option<Origin>, allowed: Arc<[Origin]>) -> Self {
        Self { address, allowed }
    }

    fn allows(&self, req: &Request) -> bool {
        let mut values = req.headers().get_all(ORIGIN).iter();
        let Some(value) = values.next() else { return true };
        let origin: Option<Origin> = value.to_str().ok().and_then(|value| value.parse().ok());
        let is_allowed = |origin: &Origin| self.allowed.contains(origin) || self.is_own(origin, req);
        values.next().is_none() && origin.is_some_and(|origin| is_allowed(&origin))
    }

    fn is_own(&self, origin: &Origin, req: &Request) -> bool {
        match &self.address {
            Some(address) => origin == address,
            None => origin.is_loopback() && target_origin(req).as_ref() == Some(origin),
        }
    }
}

#[async_trait]
impl Handler for OwnOrigin {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        if self.allows(req) {
            ctrl.call_next(req, depot, res).await;
        } else {
            res.render(HttpError::CrossSiteRequest);
            ctrl.skip_rest();
        }
    }
}
