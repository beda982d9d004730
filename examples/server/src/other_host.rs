//! Warns the operator that connecting without a key is off for the name in a request.

use std::sync::Once;

use family_api_salvo::OAuth;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

/// Logs one warning at the first request to another host than this machine, as through a tunnel.
pub(crate) struct OtherHostWarning {
    oauth: OAuth,
    once: Once,
}

impl OtherHostWarning {
    pub(crate) fn new(oauth: OAuth) -> Self {
        Self { oauth, once: Once::new() }
    }
}

#[async_trait]
impl Handler for OtherHostWarning {
    async fn handle(&self, req: &mut Request, _: &mut Depot, _: &mut Response, _: &mut FlowCtrl) {
        if !self.once.is_completed() && self.oauth.issuer_of(req).is_none() {
            self.once.call_once(|| {
                tracing::warn!(
                    "a request names another host than this machine: set --public-url to its https URL, so that \
                     assistants can connect there without a key"
                );
            });
        }
    }
}
