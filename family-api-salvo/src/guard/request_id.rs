//! Names every request, so that an answer and the log can be held together.

use family_api_core::{Clock, SystemClock};
use salvo::http::{HeaderName, HeaderValue};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

const LONGEST: usize = 64;

/// Gives every answer an `X-Request-Id`.
///
/// A single one that comes with the request is kept if it is 1–64 of `A–Z a–z 0–9 _ - .`; otherwise a new UUIDv7 takes
/// its place. An id that an outer hoop has set already stays.
#[derive(Debug, Clone, Copy, Default)]
pub struct RequestIdGuard;

impl RequestIdGuard {
    /// The header's name.
    pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

    /// The id of the request that this answer belongs to.
    #[must_use]
    pub fn of(res: &Response) -> Option<&str> {
        res.headers().get(Self::HEADER)?.to_str().ok()
    }
}

#[async_trait]
impl Handler for RequestIdGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        if !res.headers().contains_key(Self::HEADER) {
            set(res, incoming(req).unwrap_or_else(fresh));
        }
        ctrl.call_next(req, depot, res).await;
    }
}

/// The id of the answer, given to it now if it has none.
pub(crate) fn ensure(res: &mut Response) -> String {
    if let Some(id) = RequestIdGuard::of(res) {
        return id.to_owned();
    }
    let id = fresh();
    set(res, id.clone());
    id
}

fn set(res: &mut Response, id: String) {
    if let Ok(value) = HeaderValue::try_from(id) {
        res.headers_mut().insert(RequestIdGuard::HEADER, value);
    }
}

fn incoming(req: &Request) -> Option<String> {
    let mut values = req.headers().get_all(RequestIdGuard::HEADER).iter();
    let id = values.next()?.to_str().ok()?;
    (values.next().is_none() && is_request_id(id)).then(|| id.to_owned())
}

fn is_request_id(id: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    (1..=LONGEST).contains(&id.len()) && id.bytes().all(allowed)
}

fn fresh() -> String {
    let millis = u64::try_from(SystemClock.now().as_millis()).unwrap_or(0);
    let mut random = [0; 10];
    // The id names the request to people, it protects nothing: whoever can guess it has won nothing.
    fastrand::fill(&mut random);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid().to_string()
}
