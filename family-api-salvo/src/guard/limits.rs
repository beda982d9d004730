//! The limits on requests: size, time, concurrency, memory and invalid credentials.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use bytes::Bytes;
use family_api_core::Error;
use salvo::http::header::CONNECTION;
use salvo::http::{HeaderMap, HeaderValue, ResBody, StatusCode, Version};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, async_trait};
use tokio::time::{Instant, timeout};

use crate::HttpError;
use crate::body::BodyLimit;
use crate::guard::{CredentialSource, KnownFirst, LoadShed, PeerLimit, UnknownCredentials};

/// The limits of all routes but the OpenAPI document, its page, the assets and the metadata of OAuth (HTTP reference,
/// "Limits").
pub(crate) struct Limits {
    pub(crate) body: BodyLimit,
    pub(crate) headers: Option<HeaderLimit>,
    pub(crate) timeout: Option<TimeoutGuard>,
    pub(crate) in_flight: Option<LoadShed>,
    pub(crate) unknown: UnknownCredentials,
    pub(crate) unread_responses: Option<UnreadResponseLimit>,
    pub(crate) invalid_tokens: Option<PeerLimit>,
    /// Counts invalid sessions. They have a count of their own, because a signed-out browser sends its cookies with
    /// every request.
    pub(crate) invalid_sessions: Option<PeerLimit>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: BodyLimit::default(),
            headers: Some(HeaderLimit::default()),
            timeout: Some(TimeoutGuard::default()),
            in_flight: Some(LoadShed::default()),
            unknown: UnknownCredentials::default(),
            unread_responses: Some(UnreadResponseLimit::default()),
            invalid_tokens: Some(PeerLimit::of_invalid_credentials()),
            invalid_sessions: Some(PeerLimit::of_invalid_credentials()),
        }
    }
}

impl Limits {
    /// Adds the limits that do not need an authenticated caller. The cheapest check runs first.
    ///
    /// `source` is where the routes expect the credential of a request.
    pub(crate) fn apply(&self, mut router: Router, source: CredentialSource) -> Router {
        if let Some(headers) = self.headers {
            router = router.hoop(headers);
        }
        if let Some(timeout) = self.timeout {
            router = router.hoop(timeout);
        }
        if let Some(in_flight) = &self.in_flight {
            let invalid = match source {
                CredentialSource::Session(_) => &self.invalid_sessions,
                CredentialSource::Token(..) | CredentialSource::Feed(_) | CredentialSource::Body => {
                    &self.invalid_tokens
                }
            };
            router = router.hoop(KnownFirst {
                load_shed: in_flight.clone(),
                unknown: self.unknown.clone(),
                invalid: invalid.clone(),
                source,
            });
        }
        match &self.unread_responses {
            Some(limit) => router.hoop(limit.clone()),
            None => router,
        }
    }
}

/// The bytes of `: ` and CRLF in each header line.
const SEPARATOR_BYTES: usize = 4;

/// Answers 431 without a body if the headers are larger than the limit. Default: 16 KiB.
///
/// The server has already read the headers when this middleware runs. To limit what the server reads, also set
/// `http1_mut().max_header_size(…)` and `http2_mut().max_header_list_size(…)` of salvo's server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeaderLimit(usize);

impl HeaderLimit {
    /// Sets the maximum size of all headers in bytes, counted as in HTTP/1.1: `name: value` and CRLF for each header.
    #[must_use]
    pub const fn of_bytes(bytes: usize) -> Self {
        Self(bytes)
    }
}

impl Default for HeaderLimit {
    /// 16 KiB.
    fn default() -> Self {
        Self(16 * 1024)
    }
}

#[async_trait]
impl Handler for HeaderLimit {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        if header_size(req.headers()) > self.0 {
            res.status_code(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
            // An empty body prevents the framework from adding its own error page.
            res.replace_body(ResBody::Once(Bytes::new()));
            ctrl.skip_rest();
        } else {
            ctrl.call_next(req, depot, res).await;
        }
    }
}

fn header_size(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + SEPARATOR_BYTES).sum()
}

/// Answers 503 `unavailable` if a request takes longer than the timeout, including the time to read its body. Default:
/// 30 seconds.
///
/// The handler's future is dropped. A change in progress is applied completely or not at all, because the storages of
/// `family-api-core` use transactions. An HTTP/1 connection is closed, because the rest of the body may still arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeoutGuard(Duration);

impl TimeoutGuard {
    /// Sets the timeout. It starts when the request head has been read.
    #[must_use]
    pub const fn new(time: Duration) -> Self {
        Self(time)
    }
}

impl Default for TimeoutGuard {
    /// 30 seconds.
    fn default() -> Self {
        Self(Duration::from_secs(30))
    }
}

/// The time after which a request with several writes begins no further one, so that the timeout interrupts none: five
/// sixths of the timeout. Stored in the extensions of a request that is not safe.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WriteDeadline(Instant);

impl WriteDeadline {
    /// Returns the deadline of a request, or `None` if the request has no timeout.
    pub(crate) fn of(req: &Request) -> Option<Instant> {
        req.extensions().get().map(|Self(deadline)| *deadline)
    }

    /// Sets the deadline. Keeps an earlier one, which a guard of the host has set.
    fn set(req: &mut Request, timeout: Duration) {
        let time = timeout.saturating_sub(timeout / 6);
        if let Some(deadline) = Instant::now().checked_add(time) {
            let earliest = Self::of(req).map_or(deadline, |other| other.min(deadline));
            req.extensions_mut().insert(Self(earliest));
        }
    }
}

#[async_trait]
impl Handler for TimeoutGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        if !req.method().is_safe() {
            WriteDeadline::set(req, self.0);
        }
        if timeout(self.0, ctrl.call_next(req, depot, res)).await.is_err() {
            res.render(HttpError::Api(Error::Unavailable("the request took too long".into())));
            // HTTP/2 ends only the stream of the request, so the connection stays open.
            if req.version() <= Version::HTTP_11 {
                res.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            ctrl.skip_rest();
        }
    }
}

/// The default limit, in bytes.
const DEFAULT_MAX_BYTES: usize = 64 * 1024 * 1024;

/// Maximum size in bytes of a response that is not counted. A connection holds one response at a time, so the number of
/// connections limits the memory of small responses.
const MAX_UNCOUNTED: usize = 16 * 1024;

/// Answers 503 `unavailable` if responses that clients have not read would exceed the memory limit. Default: 64 MiB.
///
/// Responses to reads and to other requests are counted apart, so that unread documents cannot prevent changes. The
/// limit is that of reads. The other responses have a quarter of it in addition.
///
/// A response counts from the return of its handler until its last byte is passed to the operating system, or its
/// connection ends. Each response counts in full, even if several responses share bytes of the cache. Responses of at
/// most 16 KiB are not counted and never refused.
///
/// A read is refused after its response has been built, if the response does not fit. It always fits if no other response
/// is unread, so a document that is larger than the limit can be read. A write that returns a record is refused before the
/// change is made, while the limit is reached. The response to a completed change is always sent. So the memory can exceed
/// the limit of the other responses by the records that are being changed.
///
/// Clones share one limit.
#[derive(Debug, Clone)]
pub struct UnreadResponseLimit {
    reads: Arc<Memory>,
    others: Arc<Memory>,
}

#[derive(Debug)]
struct Memory {
    max: usize,
    used: AtomicUsize,
}

impl Memory {
    fn of_bytes(max: usize) -> Arc<Self> {
        Arc::new(Self { max, used: AtomicUsize::new(0) })
    }
}

impl UnreadResponseLimit {
    /// Sets the limit in bytes.
    #[must_use]
    pub fn of_bytes(max: usize) -> Self {
        Self { reads: Memory::of_bytes(max), others: Memory::of_bytes(max.div_ceil(4)) }
    }

    /// Refuses a change if unread responses to changes have reached the limit. Does nothing if the request is not
    /// limited.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if the limit is reached.
    pub(crate) fn check(req: &Request) -> Result<(), Error> {
        match req.extensions().get::<Self>() {
            Some(Self { others, .. }) if others.used.load(Relaxed) >= others.max => Err(Error::Overloaded),
            Some(_) | None => Ok(()),
        }
    }

    /// Counts a response until its bytes are dropped. Returns `None` if the request is a read, and its response does not
    /// fit beside the other ones.
    fn count(&self, body: Bytes, is_read: bool) -> Option<Bytes> {
        let memory = if is_read { &self.reads } else { &self.others };
        let add = |used: usize| {
            let sum = used.saturating_add(body.len());
            (!is_read || used == 0 || sum <= memory.max).then_some(sum)
        };
        memory.used.fetch_update(Relaxed, Relaxed, add).ok()?;
        Some(Bytes::from_owner(CountedBytes { body, memory: Arc::clone(memory) }))
    }
}

impl Default for UnreadResponseLimit {
    /// 64 MiB.
    fn default() -> Self {
        Self::of_bytes(DEFAULT_MAX_BYTES)
    }
}

#[async_trait]
impl Handler for UnreadResponseLimit {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let is_read = req.method().is_safe();
        if !is_read {
            req.extensions_mut().insert(self.clone());
        }
        ctrl.call_next(req, depot, res).await;
        let body = match res.take_body() {
            ResBody::Once(body) if body.len() > MAX_UNCOUNTED => self.count(body, is_read).map(ResBody::Once),
            other => Some(other),
        };
        match body {
            Some(body) => res.body = body,
            None => res.render(HttpError::Api(Error::Overloaded)),
        }
    }
}

/// The bytes of a counted response. Dropping the bytes decreases the count. The drop of the body cannot decrease it,
/// because hyper drops the body before it has written the bytes.
struct CountedBytes {
    body: Bytes,
    memory: Arc<Memory>,
}

impl AsRef<[u8]> for CountedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

impl Drop for CountedBytes {
    fn drop(&mut self) {
        self.memory.used.fetch_sub(self.body.len(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_passes_if_its_response_fits_or_no_other_is_unread() {
        let limit = UnreadResponseLimit::of_bytes(100);
        let count = |bytes: usize, is_read| limit.count(Bytes::from(vec![0; bytes]), is_read);
        let first = count(60, true).unwrap();
        assert!(count(41, true).is_none());
        let second = count(40, true).unwrap();
        assert!(count(1, true).is_none());
        drop((first, second));
        let alone = count(1_000, true).unwrap();
        assert!(count(1, true).is_none());
        // The responses to changes are counted apart, and always sent.
        assert!(count(1_000, false).is_some());
        drop(alone);
        assert!(count(100, true).is_some());
    }
}
