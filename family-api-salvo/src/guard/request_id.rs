//! Gives every request an id. The response and the log lines of the request contain it.

use family_api_core::{Clock, SystemClock};
use salvo::http::{HeaderName, HeaderValue};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

/// Maximum length of a request id that a client sends, in bytes.
const MAX_LENGTH: usize = 64;

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
}

#[async_trait]
impl Handler for RequestIdGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        if !res.headers().contains_key(Self::HEADER) {
            set(res, client_id(req).unwrap_or_else(new_id));
        }
        ctrl.call_next(req, depot, res).await;
    }
}

/// Returns the request id of a response. Creates one if there is none.
pub(crate) fn ensure(res: &mut Response) -> String {
    if let Some(id) = RequestIdGuard::of(res) {
        return id.to_owned();
    }
    let id = new_id();
    set(res, id.clone());
    id
}

fn set(res: &mut Response, id: String) {
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
    (1..=MAX_LENGTH).contains(&id.len()) && id.bytes().all(allowed)
}

fn new_id() -> String {
    let millis = u64::try_from(SystemClock.now().as_millis()).unwrap_or(0);
    let mut random = [0; 10];
    // An id is not a secret, so a fast random number generator is enough.
    fastrand::fill(&mut random);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid().to_string()
}
