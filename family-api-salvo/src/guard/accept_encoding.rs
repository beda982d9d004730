//! Negotiates the content coding of a response.

use family_api_core::ContentCoding;
use salvo::http::HeaderValue;
use salvo::http::header::ACCEPT_ENCODING;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

/// Adds the content coding that the client prefers to the request's extensions. Without this middleware, responses are
/// not compressed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AcceptEncoding;

impl AcceptEncoding {
    /// Returns the preferred coding, or `None` if this middleware did not run.
    pub(crate) fn of(req: &Request) -> Option<ContentCoding> {
        req.extensions().get().copied()
    }
}

#[async_trait]
impl Handler for AcceptEncoding {
    async fn handle(&self, req: &mut Request, _: &mut Depot, _: &mut Response, _: &mut FlowCtrl) {
        let lines = req.headers().get_all(ACCEPT_ENCODING);
        let preferred = ContentCoding::preferred(lines.iter().map(HeaderValue::as_bytes));
        req.extensions_mut().insert(preferred);
    }
}
