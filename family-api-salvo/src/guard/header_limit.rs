//! Refuses headers that are too large.

use bytes::Bytes;
use salvo::http::{HeaderMap, ResBody, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

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
