//! CORS: lets pages of listed origins call the API from a browser (Fetch standard, section 3.3).

use std::sync::Arc;

use salvo::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use salvo::http::{HeaderMap, HeaderValue, Method, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::Origin;

/// The request headers that a page may send.
const ALLOWED_HEADERS: &str = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id";

/// The request headers that a page may send if the MCP endpoints are mounted.
const ALLOWED_HEADERS_WITH_MCP: &str = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, \
                                        Mcp-Method, Mcp-Name, MCP-Protocol-Version, X-Request-Id";

/// The response headers that a page may read, in addition to the CORS-safelisted headers.
const EXPOSED_HEADERS: &str = "ETag, Family-Api-Notice, Family-Api-Truncated, Family-State, Location, RateLimit, \
                               RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id";

/// How long browsers may cache a preflight response, in seconds: two hours, the longest time that Chromium allows.
const PREFLIGHT_MAX_AGE: &str = "7200";

/// Allows pages of the listed origins to call the API with a bearer token. Cookies are never allowed.
///
/// Answers preflights of listed origins. All other requests, including other `OPTIONS` requests, continue to the
/// routes. salvo's own CORS handler is not used, because it answers every preflight and must be added to the host's
/// whole app.
#[derive(Debug, Clone)]
pub(crate) struct Cors {
    origins: Arc<[Origin]>,
    methods: HeaderValue,
    headers: &'static str,
}

impl Cors {
    /// Creates a handler that allows these methods and `HEAD`.
    pub(crate) fn new<'a>(origins: &Arc<[Origin]>, methods: impl Iterator<Item = &'a Method>) -> Self {
        let mut names: Vec<&str> = methods.map(Method::as_str).chain([Method::HEAD.as_str()]).collect();
        names.sort_unstable();
        names.dedup();
        // Method names are always valid header values.
        let methods = HeaderValue::try_from(names.join(", ")).unwrap_or(HeaderValue::from_static("GET, HEAD"));
        Self { origins: Arc::clone(origins), methods, headers: ALLOWED_HEADERS }
    }

    /// Also allows the headers of the MCP endpoints.
    pub(crate) fn allow_mcp_headers(self) -> Self {
        Self { headers: ALLOWED_HEADERS_WITH_MCP, ..self }
    }

    /// Returns the request's `Origin` header, unchanged, if it names a listed origin.
    fn listed_origin(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let mut values = headers.get_all(ORIGIN).iter();
        let value = values.next().filter(|_| values.next().is_none())?;
        let origin: Origin = value.to_str().ok()?.parse().ok()?;
        self.origins.contains(&origin).then(|| value.clone())
    }

    fn answer_preflight(&self, res: &mut Response) {
        res.status_code(StatusCode::NO_CONTENT);
        let headers = res.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, self.methods.clone());
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(self.headers));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(PREFLIGHT_MAX_AGE));
    }
}

fn is_preflight(req: &Request) -> bool {
    req.method() == Method::OPTIONS && req.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

#[async_trait]
impl Handler for Cors {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        res.headers_mut().append(VARY, HeaderValue::from_static("Origin"));
        if let Some(origin) = self.listed_origin(req.headers()) {
            res.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            if is_preflight(req) {
                self.answer_preflight(res);
                ctrl.skip_rest();
                return;
            }
            res.headers_mut().insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED_HEADERS));
        }
        ctrl.call_next(req, depot, res).await;
    }
}
