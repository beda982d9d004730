//! The outer guards. They run first, and all responses pass them, also those of the other guards.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use family_api_core::{Clock, Error, SystemClock};
use futures_util::{FutureExt, StreamExt};
use salvo::http::header::{CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, VARY, X_CONTENT_TYPE_OPTIONS};
use salvo::http::{Body, HeaderName, HeaderValue, Method, ReqBody, StatusCode, Version};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, async_trait};
use tokio::time::timeout;

use crate::HttpError;
use crate::origin::split_authority;

/// Builds a router with the guards that all routes have.
pub(crate) fn outer_router() -> Router {
    Router::new().hoop(OuterGuards)
}

/// [`RequestIdGuard`], [`PanicGuard`], [`ContentLength`] and [`DrainBody`] in one handler, because salvo allocates and
/// polls a future for each handler.
struct OuterGuards;

#[async_trait]
impl Handler for OuterGuards {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        RequestIdGuard::assign(req, res);
        PanicGuard::call_next(req, depot, res, ctrl).await;
        ContentLength::set(req, res);
        DrainBody::drain(req, res).await;
    }
}

/// Maximum number of bytes to drain. To drain more costs more than a new connection.
const MAX_DRAINED: usize = 1024 * 1024;

/// Maximum time to drain a body.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Reads and discards the rest of the request body, so that the connection can be reused.
///
/// If a server closes a connection while a body is arriving, the client may lose the response (RFC 9112, section 9.6).
/// This hoop reads at most 1 MiB, for at most one second. If the body has not ended by then, the response has
/// `Connection: close`.
#[derive(Debug, Clone, Copy, Default)]
pub struct DrainBody;

impl DrainBody {
    async fn drain(req: &mut Request, res: &mut Response) {
        // HTTP/2 ends only the stream of the request, so the connection stays open.
        if req.version() <= Version::HTTP_11 && !drain_request(req, res).await {
            res.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
    }
}

#[async_trait]
impl Handler for DrainBody {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        ctrl.call_next(req, depot, res).await;
        Self::drain(req, res).await;
    }
}

/// Drains the body. Returns whether the connection can be reused.
async fn drain_request(req: &mut Request, res: &Response) -> bool {
    // The body was read up to the size limit. The rest has no recognisable end, so the connection is not reused.
    if res.status_code == Some(StatusCode::PAYLOAD_TOO_LARGE) {
        let _ = timeout(DRAIN_TIMEOUT, drain(req.take_body())).await;
        return false;
    }
    if req.body().is_end_stream() {
        return true;
    }
    // The client waits for `100 Continue` and has not sent the body.
    if req.headers().contains_key(EXPECT) {
        return false;
    }
    timeout(DRAIN_TIMEOUT, drain(req.take_body())).await.unwrap_or(false)
}

/// Reads the body. Returns whether its end was reached.
async fn drain(mut body: ReqBody) -> bool {
    let mut read = 0;
    while let Some(frame) = body.next().await {
        match frame {
            Ok(frame) => read += frame.data_ref().map_or(0, bytes::Bytes::len),
            Err(_) => return false,
        }
        if read > MAX_DRAINED {
            return false;
        }
    }
    true
}

/// Maximum length of a request id that a client sends, in bytes.
const MAX_ID_LENGTH: usize = 64;

/// Sets `X-Request-Id` on every response.
///
/// Keeps the `X-Request-Id` of the request if there is exactly one and it consists of 1–64 characters from
/// `A–Z a–z 0–9 _ - .`. Otherwise generates a UUIDv7. An id that an outer hoop has set is kept.
#[derive(Debug, Clone, Copy, Default)]
pub struct RequestIdGuard;

impl RequestIdGuard {
    /// The header's name.
    pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

    /// Returns the request id of a response.
    #[must_use]
    pub fn of(res: &Response) -> Option<&str> {
        res.headers().get(Self::HEADER)?.to_str().ok()
    }

    /// Returns the request id of a response. Creates one if there is none.
    pub(crate) fn ensure(res: &mut Response) -> String {
        if let Some(id) = Self::of(res) {
            return id.to_owned();
        }
        let id = new_id();
        set_id(res, id.clone());
        id
    }

    fn assign(req: &Request, res: &mut Response) {
        if !res.headers().contains_key(Self::HEADER) {
            set_id(res, client_id(req).unwrap_or_else(new_id));
        }
    }
}

#[async_trait]
impl Handler for RequestIdGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        Self::assign(req, res);
        ctrl.call_next(req, depot, res).await;
    }
}

fn set_id(res: &mut Response, id: String) {
    if let Ok(value) = HeaderValue::try_from(id) {
        res.headers_mut().insert(RequestIdGuard::HEADER, value);
    }
}

fn client_id(req: &Request) -> Option<String> {
    let mut values = req.headers().get_all(RequestIdGuard::HEADER).iter();
    let id = values.next()?.to_str().ok()?;
    (values.next().is_none() && is_request_id(id)).then(|| id.to_owned())
}

fn is_request_id(id: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    (1..=MAX_ID_LENGTH).contains(&id.len()) && id.bytes().all(allowed)
}

fn new_id() -> String {
    let millis = u64::try_from(SystemClock.now().as_millis()).unwrap_or(0);
    let mut random = [0; 10];
    // An id is not a secret, so a fast random number generator is enough.
    fastrand::fill(&mut random);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid().to_string()
}

/// Sets the `Content-Length` of a `HEAD` response to the length of the `GET` body (RFC 9110, section 9.3.2).
///
/// salvo removes the body of a `HEAD` response later and cannot compute its length then. A 304 is skipped, because the
/// 304 of a `GET` has no body either.
#[derive(Debug, Clone, Copy, Default)]
pub struct ContentLength;

impl ContentLength {
    fn set(req: &Request, res: &mut Response) {
        if req.method() == Method::HEAD
            && res.status_code != Some(StatusCode::NOT_MODIFIED)
            && let Some(length) = res.body.size()
        {
            res.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
        }
    }
}

#[async_trait]
impl Handler for ContentLength {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        ctrl.call_next(req, depot, res).await;
        Self::set(req, res);
    }
}

/// Answers 500 `internal` if a later handler panics.
///
/// The panic message is neither sent nor logged by this crate, because it may contain secrets.
#[derive(Debug, Clone, Copy, Default)]
pub struct PanicGuard;

impl PanicGuard {
    async fn call_next(req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        // Unwind safe: a panic can leave only the response half built, and the next line replaces the response.
        if AssertUnwindSafe(ctrl.call_next(req, depot, res)).catch_unwind().await.is_err() {
            res.render(HttpError::Api(Error::Internal("a handler panicked".into())));
            ctrl.skip_rest();
        }
    }
}

#[async_trait]
impl Handler for PanicGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        Self::call_next(req, depot, res, ctrl).await;
    }
}

/// Marks every response, including errors, as private to one user.
///
/// Sets `Cache-Control: private, no-cache`, `X-Content-Type-Options: nosniff`, and `Vary` with the header that
/// identifies the user.
#[derive(Debug, Clone)]
pub struct PrivateResponse {
    vary: HeaderValue,
}

impl PrivateResponse {
    /// Creates the middleware. `Vary` gets this header, which identifies the user.
    #[must_use]
    pub fn vary(header: &HeaderName) -> Self {
        let name = HeaderValue::try_from(title_case(header.as_str()));
        Self { vary: name.unwrap_or_else(|_| header.clone().into()) }
    }

    /// Sets `Cache-Control: no-store` on a response that contains a secret. Then not even the user's browser caches it.
    pub fn no_store(res: &mut Response) {
        res.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

#[async_trait]
impl Handler for PrivateResponse {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let headers = res.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.append(VARY, self.vary.clone());
        ctrl.call_next(req, depot, res).await;
    }
}

/// Returns a header name with upper-case initials: `x-request-id` becomes `X-Request-Id`.
fn title_case(name: &str) -> String {
    let mut starts_word = true;
    let chars = name.chars().map(|char| {
        let cased = if starts_word { char.to_ascii_uppercase() } else { char };
        starts_word = char == '-';
        cased
    });
    chars.collect()
}

/// Answers 400 if an HTTP/1.1 request has no `Host` header (RFC 9112, section 3.2). Any request with two `Host` headers
/// or with an invalid one gets 400 too.
///
/// Add it to the whole server with `Service::hoop`, after [`RequestIdGuard`](crate::RequestIdGuard).
#[derive(Debug, Clone, Copy, Default)]
pub struct HostHeader;

#[async_trait]
impl Handler for HostHeader {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        match host_error(req) {
            None => {
                ctrl.call_next(req, depot, res).await;
            }
            Some(reason) => {
                res.render(HttpError::InvalidRequest(reason));
                ctrl.skip_rest();
            }
        }
    }
}

/// Returns why the `Host` header is refused, or `None` if it is accepted.
fn host_error(req: &Request) -> Option<&'static str> {
    let mut hosts = req.headers().get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        // HTTP/1.0 does not require the header, and HTTP/2 sends the host in `:authority`.
        (None, _) => (req.version() == Version::HTTP_11).then_some("the `Host` header is missing"),
        (Some(_), Some(_)) => Some("the `Host` header occurs more than once"),
        (Some(host), None) => (!is_host(host)).then_some("the `Host` header is not a valid host"),
    }
}

/// Returns whether a value is a host name or address with an optional port.
pub(crate) fn is_host(value: &HeaderValue) -> bool {
    value.to_str().is_ok_and(|text| split_authority(text).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_is_a_name_or_address_with_an_optional_port() {
        for host in ["family.example", "localhost:8080", "127.0.0.1", "[::1]:8080", "[::1]", "family.example:"] {
            assert!(is_host(&HeaderValue::from_static(host)), "{host}");
        }
        for host in
            ["", " ", ":80", "a b", "a, b", "user@a", "a:b", "a:80:80", "a/b", "http://a", "a?b", "[::1", "a\u{7f}"]
        {
            assert!(!HeaderValue::from_bytes(host.as_bytes()).is_ok_and(|host| is_host(&host)), "{host}");
        }
    }
}
