//! Lets pages of every origin read documents and call endpoints that use no cookie (Fetch standard, section 3.3).

use salvo::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
};
use salvo::http::{HeaderValue, Method, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

/// The request headers that a page may send. Clients of MCP send the version with every request.
const ALLOWED_HEADERS: HeaderValue = HeaderValue::from_static("Authorization, Content-Type, MCP-Protocol-Version");

/// The response headers that a page may read beyond those that browsers always show.
const EXPOSED_HEADERS: HeaderValue = HeaderValue::from_static("Retry-After, WWW-Authenticate");

/// How long browsers may cache a preflight response, in seconds: the longest time that Chromium allows.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");

/// Allows pages of every origin, without cookies. Clients that run in a browser need the metadata and the endpoints
/// for tokens.
#[derive(Debug, Clone)]
pub(super) struct PublicCors {
    methods: HeaderValue,
}

impl PublicCors {
    pub(super) const GET: Self = Self { methods: HeaderValue::from_static("GET, HEAD") };
    pub(super) const POST: Self = Self { methods: HeaderValue::from_static("POST") };
}

#[async_trait]
impl Handler for PublicCors {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let headers = res.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        if req.method() == Method::OPTIONS && req.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, self.methods.clone());
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS);
            headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
            res.status_code(StatusCode::NO_CONTENT);
            ctrl.skip_rest();
        } else {
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
            ctrl.call_next(req, depot, res).await;
        }
    }
}
