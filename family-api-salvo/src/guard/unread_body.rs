//! Reads what nobody has read of a request's body.

use std::time::Duration;

use futures_util::StreamExt;
use salvo::http::header::{CONNECTION, EXPECT};
use salvo::http::{Body, HeaderValue, ReqBody, StatusCode, Version};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::time::timeout;

/// What is read for the sake of the connection, in bytes; more costs more than another connection.
const MAX_DRAINED: usize = 1024 * 1024;

/// How long it may take.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Keeps a connection usable where a request is refused before its body was read.
///
/// A server that closes with a body on its way makes the client's system throw the answer away (RFC 9112, section 9.6).
/// So the rest is read, within bounds; where there is more, the answer says that the connection closes.
#[derive(Debug, Clone, Copy, Default)]
pub struct UnreadBody;

#[async_trait]
impl Handler for UnreadBody {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        ctrl.call_next(req, depot, res).await;
        // A stream of HTTP/2 ends by itself.
        if req.version() <= Version::HTTP_11 && !is_read(req, res).await {
            res.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
    }
}

async fn is_read(req: &mut Request, res: &Response) -> bool {
    // Who reads a body up to a limit leaves nothing to go on with.
    if res.status_code == Some(StatusCode::PAYLOAD_TOO_LARGE) {
        let _ = timeout(DRAIN_TIMEOUT, drain(req.take_body())).await;
        return false;
    }
    if req.body().is_end_stream() {
        return true;
    }
    // Who waits to be told to go on has not sent anything.
    if req.headers().contains_key(EXPECT) {
        return false;
    }
    timeout(DRAIN_TIMEOUT, drain(req.take_body())).await.unwrap_or(false)
}

/// Whether the body came to its end.
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
