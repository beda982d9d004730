//! Bounds the memory of answers that wait until their clients read them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use bytes::Bytes;
use family_api_core::Error;
use salvo::http::ResBody;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::Failure;

/// The default limit, in bytes.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Answers of at most so many bytes are not counted. A connection holds one of them at a time, so the number of
/// connections bounds them.
const SMALL: usize = 16 * 1024;

/// Answers 503 `unavailable` while the answers that clients have not read take 64 MiB, or another number of bytes.
///
/// An answer counts from the moment when its handler returns until its last byte was given to the operating system, or
/// its connection has ended. Bytes that several answers share count for each: the cache may drop them at any time. An
/// answer of at most 16 KiB does not count and is never refused.
///
/// A read is refused when its answer is there. A PATCH is refused before the change is made, and the answer to a change
/// that was made is always sent. So the memory is the limit, one answer more, and the records that are being changed.
///
/// Clones share one limit.
#[derive(Debug, Clone)]
pub struct UnreadAnswers(Arc<Memory>);

#[derive(Debug)]
struct Memory {
    max: usize,
    used: AtomicUsize,
}

impl UnreadAnswers {
    /// Limits the answers that wait to so many bytes.
    #[must_use]
    pub fn of_bytes(max: usize) -> Self {
        Self(Arc::new(Memory { max, used: AtomicUsize::new(0) }))
    }

    /// Refuses a change whose answer would have no room.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if the limit is reached.
    pub(crate) fn check(req: &Request) -> Result<(), Error> {
        match req.extensions().get::<Self>() {
            Some(Self(memory)) if memory.used.load(Relaxed) >= memory.max => Err(Error::Overloaded),
            Some(_) | None => Ok(()),
        }
    }

    /// Counts an answer until its bytes are dropped; `None` if a read finds the limit reached.
    fn hold(&self, body: Bytes, is_read: bool) -> Option<Bytes> {
        let Self(memory) = self;
        let add = |used: usize| (!is_read || used < memory.max).then_some(used.saturating_add(body.len()));
        memory.used.fetch_update(Relaxed, Relaxed, add).ok()?;
        Some(Bytes::from_owner(Held { body, memory: Arc::clone(memory) }))
    }
}

impl Default for UnreadAnswers {
    /// 64 MiB.
    fn default() -> Self {
        Self::of_bytes(MAX_BYTES)
    }
}

#[async_trait]
impl Handler for UnreadAnswers {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let is_read = req.method().is_safe();
        if !is_read {
            req.extensions_mut().insert(self.clone());
        }
        ctrl.call_next(req, depot, res).await;
        let body = match res.take_body() {
            ResBody::Once(body) if body.len() > SMALL => self.hold(body, is_read).map(ResBody::Once),
            other => Some(other),
        };
        match body {
            Some(body) => res.body = body,
            None => res.render(Failure(Error::Overloaded)),
        }
    }
}

/// The bytes of an answer. The HTTP layer drops its body before it has written the bytes, so these carry the count.
struct Held {
    body: Bytes,
    memory: Arc<Memory>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.memory.used.fetch_sub(self.body.len(), Relaxed);
    }
}
