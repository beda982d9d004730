//! Asks in which coding a client reads an answer best.

use family_api_core::ContentCoding;
use salvo::http::HeaderValue;
use salvo::http::header::ACCEPT_ENCODING;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

/// Takes down the coding that the client prefers; without it, answers are sent as they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AcceptEncoding;

impl AcceptEncoding {
    /// What the client of a request prefers, where it was asked.
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
