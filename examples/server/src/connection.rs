//! A connection with a permit and a write timeout.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Sleep, sleep};

/// A stream that holds a permit until it is dropped, and fails if the peer does not read a response in time.
///
/// A timeout of a single write is not enough: a peer evades it by reading a byte now and then. This timeout starts with
/// the first write that has to wait, and stops when everything is flushed.
pub(crate) struct Connection<S> {
    stream: S,
    write_timeout: Duration,
    /// Set while data waits to be written.
    deadline: Option<Pin<Box<Sleep>>>,
    _permit: OwnedSemaphorePermit,
}

impl<S> Connection<S> {
    pub(crate) fn new(stream: S, write_timeout: Duration, permit: OwnedSemaphorePermit) -> Self {
        Self { stream, write_timeout, deadline: None, _permit: permit }
    }

    /// Returns the outcome of a write, or `TimedOut` if the deadline has passed.
    fn in_time<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_pending() && self.deadline.is_none() {
            self.deadline = Some(Box::pin(sleep(self.write_timeout)));
        }
        if self.deadline.as_mut().is_some_and(|deadline| deadline.as_mut().poll(cx).is_ready()) {
            return Poll::Ready(Err(io::Error::new(
                ErrorKind::TimedOut,
                "the client did not read the response in time",
            )));
        }
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.in_time(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.in_time(cx, written)
    }

    /// A completed flush clears the deadline. The next response gets its own.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(cx))?;
        self.deadline = None;
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::sync::Semaphore;
    use tokio::time::Instant;

    use super::*;

    const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

    /// A connection with a buffer of ten bytes, its peer, and the semaphore of its permit.
    fn connection() -> (Connection<DuplexStream>, DuplexStream, Arc<Semaphore>) {
        let permits = Arc::new(Semaphore::new(1));
        let (stream, peer) = duplex(10);
        let permit = Arc::clone(&permits).try_acquire_owned().unwrap();
        (Connection::new(stream, WRITE_TIMEOUT, permit), peer, permits)
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_reads_too_slowly_or_not_at_all_is_cut_off() {
        for reads in [false, true] {
            let (mut connection, mut peer, _) = connection();
            let reader = tokio::spawn(async move {
                while reads && peer.read_u8().await.is_ok() {
                    sleep(Duration::from_secs(7)).await;
                }
                peer
            });
            let began = Instant::now();
            let error = connection.write_all(&[0; 1000]).await.unwrap_err();
            assert_eq!((error.kind(), began.elapsed().as_secs()), (ErrorKind::TimedOut, 30));
            reader.abort();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn each_response_has_its_own_deadline() {
        let (mut connection, mut peer, _) = connection();
        let reader = tokio::spawn(async move {
            let mut answer = [0; 20];
            for _ in 0..10 {
                sleep(Duration::from_secs(25)).await;
                peer.read_exact(&mut answer).await.unwrap();
            }
        });
        for _ in 0..10 {
            connection.write_all(&[0; 20]).await.unwrap();
            connection.flush().await.unwrap();
        }
        reader.await.unwrap();
    }

    #[tokio::test]
    async fn a_dropped_connection_returns_its_permit() {
        let (connection, _peer, permits) = connection();
        assert_eq!(permits.available_permits(), 0);
        drop(connection);
        assert_eq!(permits.available_permits(), 1);
    }
}
