//! Replaces the address, scheme and host of a request by what trusted proxies state.

use std::sync::Arc;

use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::ProxyNetwork;
use crate::proxy::claim::Claim;

/// Takes the client's address, scheme and host from the headers of trusted proxies. Default: no proxy is trusted.
///
/// Add it to the whole server with `Service::hoop`, before every other middleware. Then [`Peer`](crate::Peer),
/// [`SameSite`](crate::SameSite) and everything else that reads the address, the scheme or `Host` of a request sees
/// those of the client. The headers of every other sender are ignored.
///
/// - **Address.** The rightmost address in `Forwarded` (RFC 7239) or `X-Forwarded-For` that is not a trusted proxy. If
///   a trusted proxy does not name its sender, the address of this proxy. At most 32 hops are read.
/// - **Scheme and host.** Those in the same element of `Forwarded`, or `X-Forwarded-Proto` and `X-Forwarded-Host`,
///   which must have a single value. An invalid value is ignored.
/// - **Both kinds of header.** They must state the same, otherwise both are ignored: a proxy that writes one kind can
///   pass on the other kind from the client. A proxy should remove the kind that it does not write.
/// - **Headers that a trusted proxy passes on unchanged** cannot be distinguished from its own. The client then chooses
///   their values.
///
/// ```
/// use family_api_salvo::TrustedProxies;
/// use salvo::prelude::*;
///
/// let proxies = TrustedProxies::new(["127.0.0.1".parse()?, "10.0.0.0/8".parse()?]);
/// let service = Service::new(Router::new()).hoop(proxies);
/// # Ok::<(), family_api_salvo::InvalidNetwork>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies {
    networks: Arc<[ProxyNetwork]>,
}

impl TrustedProxies {
    /// Trusts the proxies of these networks.
    #[must_use]
    pub fn new(networks: impl IntoIterator<Item = ProxyNetwork>) -> Self {
        Self { networks: networks.into_iter().collect() }
    }

    /// Rewrites a request. For hosts that cannot use the hoop.
    pub fn apply(&self, req: &mut Request) {
        let is_trusted = |address| self.networks.iter().any(|network| network.contains(address));
        let proxy = req.remote_addr().ip().filter(|address| is_trusted(*address));
        if let Some(claim) = proxy.and_then(|proxy| Claim::of(req.headers(), proxy, is_trusted)) {
            claim.apply(req);
        }
    }
}

#[async_trait]
impl Handler for TrustedProxies {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        self.apply(req);
        ctrl.call_next(req, depot, res).await;
    }
}
