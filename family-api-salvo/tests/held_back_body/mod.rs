//! Bodies that a test sends chunk by chunk.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use salvo::BoxedError;
use salvo::http::{Body, ReqBody};
use salvo::hyper::body::Frame;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Returns a body and the sender of its chunks. The sender has capacity again when the server has read a chunk.
pub(crate) fn held_back_body() -> (ReqBody, Sender<Bytes>) {
    let (sender, receiver) = channel(1);
    (ReqBody::Boxed { inner: Box::pin(Chunks(receiver)), fuse_config: None }, sender)
}

struct Chunks(Receiver<Bytes>);

impl Body for Chunks {
    type Data = Bytes;
    type Error = BoxedError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxedError>>> {
        self.0.poll_recv(cx).map(|chunk| chunk.map(|chunk| Ok(Frame::data(chunk))))
    }
}
