//! Lets the pages of listed origins call the API from a browser (the Fetch standard, section 3.3).

use std::sync::Arc;

use salvo::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use salvo::http::{HeaderMap, HeaderValue, Method, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::Origin;

/// What a page may send.
const ALLOWED: &str = "Authorization, Content-Type, If-Match, If-None-Match, X-Request-Id";

/// What a page may read, beside what every page may.
const EXPOSED: &str = "ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id";

/// How long a browser may remember the answer to its preflight, in seconds: two hours, the most that any of them does.
const MAX_AGE: &str = "7200";

/// Tells browsers that pages of the listed origins may call with a token. It never allows cookies.
///
/// A preflight of a listed origin is answered here. Any other request goes on and is judged as if it came from no
/// browser, `OPTIONS` too: salvo's own handler would answer every preflight, and needs to stand before a host's whole app.
#[derive(Debug, Clone)]
pub(crate) struct Cors {
    origins: Arc<[Origin]>,
    methods: HeaderValue,
}

impl Cors {
    /// For routes that take these methods.
    pub(crate) fn new<'a>(origins: &Arc<[Origin]>, methods: impl Iterator<Item = &'a Method>) -> Self {
        let mut names: Vec<&str> = methods.map(Method::as_str).chain([Method::HEAD.as_str()]).collect();
        names.sort_unstable();
        names.dedup();
        // Names of methods are always good values.
        let methods = HeaderValue::try_from(names.join(", ")).unwrap_or(HeaderValue::from_static("GET, HEAD"));
        Self { origins: Arc::clone(origins), methods }
    }

    /// The origin of the page that sends the request, as it is written there, if it is listed.
    fn listed(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let mut values = headers.get_all(ORIGIN).iter();
        let value = values.next().filter(|_| values.next().is_none())?;
        let origin: Origin = value.to_str().ok()?.parse().ok()?;
        self.origins.contains(&origin).then(|| value.clone())
    }

    fn answer_preflight(&self, res: &mut Response) {
        res.status_code(StatusCode::NO_CONTENT);
        let headers = res.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, self.methods.clone());
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(ALLOWED));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
    }
}

fn is_preflight(req: &Request) -> bool {
    req.method() == Method::OPTIONS && req.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

#[async_trait]
impl Handler for Cors {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        res.headers_mut().append(VARY, HeaderValue::from_static("Origin"));
        if let Some(origin) = self.listed(req.headers()) {
            res.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            if is_preflight(req) {
                self.answer_preflight(res);
                ctrl.skip_rest();
                return;
            }
            res.headers_mut().insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
        }
        ctrl.call_next(req, depot, res).await;
    }
}
