//! Refuses headers that are too large.

use bytes::Bytes;
use salvo::http::{HeaderMap, ResBody, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

/// The colon, the blank and the line's end that stand between names and values.
const PUNCTUATION: usize = 4;

/// Answers 431, without a body, to more than 16 KiB of headers, or another number of bytes.
///
/// They have been read by then. A server that shall not read them has a limit of its own beside this one: with salvo's,
/// `http1_mut().max_header_size(…)` and `http2_mut().max_header_list_size(…)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeaderLimit(usize);

impl HeaderLimit {
    /// So many bytes of names and values, as HTTP/1.1 writes them; one more is 431.
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
        if size(req.headers()) > self.0 {
            res.status_code(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
            // A body of no bytes is one: without it, the framework would put a page of its own there.
            res.replace_body(ResBody::Once(Bytes::new()));
            ctrl.skip_rest();
        } else {
            ctrl.call_next(req, depot, res).await;
        }
    }
}

fn size(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + PUNCTUATION).sum()
}
