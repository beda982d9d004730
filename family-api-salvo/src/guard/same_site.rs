//! Refuses cross-site writes, which protects against CSRF (HTTP reference, "Calls from other sites").

use salvo::http::Method;
use salvo::http::header::{HeaderName, ORIGIN};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::origin::{SingleHeader, single_header, target_origin};
use crate::{HttpError, Origin};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Answers 403 `cross_site_request` to cross-site requests. `GET` and `HEAD` are always allowed.
///
/// `Sec-Fetch-Site` must be `same-origin` or `none`. If an older browser does not send it, `Origin` must be the
/// server's own origin. If both headers are absent, the request is allowed: the client is not a browser, so it does not
/// attach cookies automatically. Repeated or unreadable headers are refused.
#[derive(Debug, Clone, Default)]
pub struct SameSite {
    address: Option<Origin>,
}

impl SameSite {
    /// Sets the public address with which `Origin` is compared. `None` means the address that the request was sent to.
    #[must_use]
    pub fn new(address: Option<Origin>) -> Self {
        Self { address }
    }

    /// Checks a write request. For handlers that must check at a certain point and cannot use the hoop.
    ///
    /// # Errors
    /// [`HttpError::CrossSiteRequest`] if the request comes from another site.
    pub fn check(&self, req: &Request) -> Result<(), HttpError> {
        if self.allows(req) { Ok(()) } else { Err(HttpError::CrossSiteRequest) }
    }

    fn allows(&self, req: &Request) -> bool {
        match (single_header(req.headers(), FETCH_SITE), single_header(req.headers(), ORIGIN)) {
            (SingleHeader::Absent, SingleHeader::Absent) => true,
            (SingleHeader::One(site), _) => matches!(site, "same-origin" | "none"),
            (SingleHeader::Absent, SingleHeader::One(origin)) => {
                let server = server_origin(self.address.as_ref(), req);
                origin.parse::<Origin>().is_ok_and(|origin| server.is_some_and(|server| server == origin))
            }
            (SingleHeader::Invalid, _) | (SingleHeader::Absent, SingleHeader::Invalid) => false,
        }
    }
}

/// Returns the public address of the server, or the origin that the request was sent to if no address is set.
fn server_origin(address: Option<&Origin>, req: &Request) -> Option<Origin> {
    address.cloned().or_else(|| target_origin(req))
}

#[async_trait]
impl Handler for SameSite {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        if matches!(*req.method(), Method::GET | Method::HEAD) || self.allows(req) {
            ctrl.call_next(req, depot, res).await;
        } else {
            res.render(HttpError::CrossSiteRequest);
            ctrl.skip_rest();
        }
    }
}
