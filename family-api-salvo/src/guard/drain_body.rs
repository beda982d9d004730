//! Drains request bodies that were not read to the end.

use std::time::Duration;

use futures_util::StreamExt;
use salvo::http::header::{CONNECTION, EXPECT};
use salvo::http::{Body, HeaderValue, ReqBody, StatusCode, Version};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::time::timeout;

/// Maximum number of bytes to drain. To drain more costs more than a new connection.
const MAX_DRAINED: usize = 1024 * 1024;

/// Maximum time to drain a body.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Reads and discards the rest of the request body, so that the connection can be reused.
///
/// If a server closes a connection while a body is arriving, the client may lose the response (RFC 9112, section 9.6).
/// This hoop reads at most 1 MiB, for at most one second. If the body has not ended by then, the response has
/// `Connection: close`.
#[derive(Debug, Clone, Copy, Default)]
pub struct DrainBody;

#[async_trait]
impl Handler for DrainBody {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        ctrl.call_next(req, depot, res).await;
        // HTTP/2 ends only the stream of the request, so the connection stays open.
        if req.version() <= Version::HTTP_11 && !drain_request(req, res).await {
            res.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
    }
}

/// Drains the body. Returns whether the connection can be reused.
async fn drain_request(req: &mut Request, res: &Response) -> bool {
    // The body was read up to the size limit. The rest has no recognisable end, so the connection is not reused.
    if res.status_code == Some(StatusCode::PAYLOAD_TOO_LARGE) {
        let _ = timeout(DRAIN_TIMEOUT, drain(req.take_body())).await;
        return false;
    }
    if req.body().is_end_stream() {
        return true;
    }
    // The client waits for `100 Continue` and has not sent the body.
    if req.headers().contains_key(EXPECT) {
        return false;
    }
    timeout(DRAIN_TIMEOUT, drain(req.take_body())).await.unwrap_or(false)
}

/// Reads the body. Returns whether its end was reached.
async fn drain(mut body: ReqBody) -> bool {
    let mut read = 0;
    while let Some(frame) = body.next().await {
        match frame {
            Ok(frame) => read += frame.data_ref().map_or(0, bytes::Bytes::len),
            Err(_) => return false,
        }
        if read > MAX_DRAINED {
            return false;
        }
    }
    true
}
