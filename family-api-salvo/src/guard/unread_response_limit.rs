//! Limits the memory of responses that clients have not read yet.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use bytes::Bytes;
use family_api_core::Error;
use salvo::http::ResBody;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::HttpError;

/// The default limit, in bytes.
const DEFAULT_MAX_BYTES: usize = 64 * 1024 * 1024;

/// Maximum size in bytes of a response that is not counted. A connection holds one response at a time, so the number of
/// connections limits the memory of small responses.
const MAX_UNCOUNTED: usize = 16 * 1024;

/// Answers 503 `unavailable` while responses that clients have not read reach the memory limit. Default: 64 MiB.
///
/// A response counts from the return of its handler until its last byte is passed to the operating system, or its
/// connection ends. Each response counts in full, even if several responses share bytes of the cache. Responses of at
/// most 16 KiB are not counted and never refused.
///
/// A read is refused after its response has been built. A write that returns a record is refused before the change is
/// made. The response to a completed change is always sent. The memory can therefore exceed the limit by one response
/// and by the records that are being changed.
///
/// Clones share one limit.
#[derive(Debug, Clone)]
pub struct UnreadResponseLimit(Arc<Memory>);

#[derive(Debug)]
struct Memory {
    max: usize,
    used: AtomicUsize,
}

impl UnreadResponseLimit {
    /// Sets the limit in bytes.
    #[must_use]
    pub fn of_bytes(max: usize) -> Self {
        Self(Arc::new(Memory { max, used: AtomicUsize::new(0) }))
    }

    /// Refuses a change if unread responses have reached the limit. Does nothing if the request is not limited.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if the limit is reached.
    pub(crate) fn check(req: &Request) -> Result<(), Error> {
        match req.extensions().get::<Self>() {
            Some(Self(memory)) if memory.used.load(Relaxed) >= memory.max => Err(Error::Overloaded),
            Some(_) | None => Ok(()),
        }
    }

    /// Counts a response until its bytes are dropped. Returns `None` if the limit is reached and the request is a read.
    fn count(&self, body: Bytes, is_read: bool) -> Option<Bytes> {
        let Self(memory) = self;
        let add = |used: usize| (!is_read || used < memory.max).then_some(used.saturating_add(body.len()));
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
