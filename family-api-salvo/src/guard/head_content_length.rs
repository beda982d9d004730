//! Sets `Content-Length` on responses to `HEAD`.

use salvo::http::header::CONTENT_LENGTH;
use salvo::http::{HeaderValue, Method, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

/// Sets the `Content-Length` of a `HEAD` response to the length of the `GET` body (RFC 9110, section 9.3.2).
///
/// salvo removes the body of a `HEAD` response later and cannot compute its length then. A 304 is skipped, because the
/// 304 of a `GET` has no body either.
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
