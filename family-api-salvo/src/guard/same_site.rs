//! Refuses cross-site writes, which protects against CSRF (HTTP reference, "Calls from other sites").

use family_api_core::Error;
use salvo::http::header::{HOST, HeaderName, ORIGIN};
use salvo::http::{HeaderMap, Method};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::{Failure, Origin};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Answers 403 `cross_site_request` to cross-site requests, except for `GET` and `HEAD`.
///
/// `Sec-Fetch-Site` must be `same-origin` or `none`. If an older browser does not send it, `Origin` must be the
/// server's own origin. If both headers are absent, the request is allowed: the client is not a browser, so it does not
/// attach cookies automatically. Repeated or unreadable headers are refused.
#[derive(Debug, Clone, Default)]
pub struct SameSite {
    address: Option<Origin>,
}

impl SameSite {
    /// Sets the public address to compare with. `None` means the address that the request was sent to.
    #[must_use]
    pub fn new(address: Option<Origin>) -> Self {
        Self { address }
    }

    /// Checks a write request. For handlers that must choose when to check and cannot use the hoop.
    ///
    /// # Errors
    /// [`Error::CrossSiteRequest`] if the request comes from another site.
    pub fn check(&self, req: &Request) -> Result<(), Error> {
        if self.allows(req) { Ok(()) } else { Err(Error::CrossSiteRequest) }
    }

    fn allows(&self, req: &Request) -> bool {
        match (single(req.headers(), FETCH_SITE), single(req.headers(), ORIGIN)) {
            (Value::Absent, Value::Absent) => true,
            (Value::One(site), _) => matches!(site, "same-origin" | "none"),
            (Value::Absent, Value::One(origin)) => {
                origin.parse::<Origin>().is_ok_and(|origin| self.own_origin(req).is_some_and(|own| own == origin))
            }
            (Value::Unclear, _) | (Value::Absent, Value::Unclear) => false,
        }
    }

    fn own_origin(&self, req: &Request) -> Option<Origin> {
        self.address.clone().or_else(|| target_origin(req))
    }
}

/// Returns the origin that the request was sent to, or `None` if its headers are unclear.
fn target_origin(req: &Request) -> Option<Origin> {
    let scheme = match single(req.headers(), FORWARDED_PROTO) {
        Value::One(scheme) => scheme,
        Value::Absent => req.scheme().as_str(),
        Value::Unclear => return None,
    };
    let authority = match single(req.headers(), HOST) {
        Value::One(host) => host,
        Value::Absent => req.uri().authority()?.as_str(),
        Value::Unclear => return None,
    };
    format!("{scheme}://{authority}").parse().ok()
}

enum Value<'a> {
    Absent,
    One(&'a str),
    Unclear,
}

fn single(headers: &HeaderMap, name: HeaderName) -> Value<'_> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Value::Absent,
        (Some(value), None) => value.to_str().map_or(Value::Unclear, Value::One),
        (Some(_), Some(_)) => Value::Unclear,
    }
}

#[async_trait]
impl Handler for SameSite {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        if matches!(*req.method(), Method::GET | Method::HEAD) || self.allows(req) {
            ctrl.call_next(req, depot, res).await;
        } else {
            res.render(Failure(Error::CrossSiteRequest));
            ctrl.skip_rest();
        }
    }
}
