//! Tells the length of what `HEAD` does not send.

use salvo::http::header::CONTENT_LENGTH;
use salvo::http::{HeaderValue, Method, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

/// Gives the answer to `HEAD` the `Content-Length` that `GET` would have (RFC 9110, section 9.3.2).
///
/// The framework takes the body off afterwards, and with it the length that would be computed from it. A 304 has no body
/// to `GET` either, and the length that it would tell is another answer's.
#[derive(Debug, Clone, Copy, Default)]
pub struct ContentLength;

#[async_trait]
impl Handler for ContentLength {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        ctrl.call_next(req, depot, res).await;
        if req.method() == Method::HEAD
            && res.status_code != Some(StatusCode::NOT_MODIFIED)
            && let Some(length) = res.body.size()
        {
            res.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
        }
    }
}
