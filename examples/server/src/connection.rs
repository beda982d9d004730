//! A client connection with a write timeout. It holds a permit, because the number of connections is limited.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use prometheus::IntGauge;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Sleep, sleep};

/// The permit of an open connection. The gauge counts the connection until the permit is dropped.
pub(crate) struct ConnectionPermit {
    open: Option<IntGauge>,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionPermit {
    pub(crate) fn new(permit: OwnedSemaphorePermit, open: Option<IntGauge>) -> Self {
        if let Some(open) = &open {
            open.inc();
        }
        Self { open, _permit: permit }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        if let Some(open) = &self.open {
            open.dec();
        }
    }
}

/// A stream that holds a permit until it is dropped, and fails if the peer does not read a response in time.
///
/// A timeout for each single write is not enough: a peer that reads one byte from time to time would never exceed it.
/// This timeout starts with the first write that has to wait, and stops when everything is flushed.
pub(crate) struct Connection<S> {
    stream: S,
    write_timeout: Duration,
    /// Set while data waits to be written.
    deadline: Option<Pin<Box<Sleep>>>,
    _permit: ConnectionPermit,
}

impl<S> Connection<S> {
    pub(crate) fn new(stream: S, write_timeout: Duration, permit: ConnectionPermit) -> Self {
        Self { stream, write_timeout, deadline: None, _permit: permit }
    }

    /// Sets the deadline if the write has to wait. Returns the outcome of the write, or `TimedOut` after the deadline.
    fn check_deadline<T>(&mut self, cx: &mut Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if outcome.is_pending() && self.deadline.is_none() {
            self.deadline = Some(Box::pin(sleep(self.write_timeout)));
        }
        if self.deadline.as_mut().is_some_and(|deadline| deadline.as_mut().poll(cx).is_ready()) {
            return Poll::Ready(Err(io::Error::new(
                ErrorKind::TimedOut,
                "the client did not read the response in time",
            )));
        }
        outcome
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.check_deadline(cx, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.check_deadline(cx, outcome)
    }

    /// A completed flush clears the deadline. The next response gets a new deadline.
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

    /// Returns a connection with a buffer of ten bytes, the connection's peer, and the semaphore of the permit.
    fn connection() -> (Connection<DuplexStream>, DuplexStream, Arc<Semaphore>) {
        let permits = Arc::new(Semaphore::new(1));
        let (stream, peer) = duplex(10);
        let permit = ConnectionPermit::new(Arc::clone(&permits).try_acquire_owned().unwrap(), None);
        (Connection::new(stream, WRITE_TIMEOUT, permit), peer, permits)
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_reads_too_slowly_is_disconnected() {
        for peer_reads in [false, true] {
            let (mut connection, mut peer, _) = connection();
            let reader = tokio::spawn(async move {
                while peer_reads && peer.read_u8().await.is_ok() {
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
    async fn each_response_has_a_new_deadline() {
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
    #[test]
    fn an_open_connection_is_counted() {
        let permits = Arc::new(Semaphore::new(2));
        let open = IntGauge::new("open", "Open connections.").unwrap();
        let permit = || ConnectionPermit::new(Arc::clone(&permits).try_acquire_owned().unwrap(), Some(open.clone()));
        let (first, second) = (permit(), permit());
        assert_eq!(open.get(), 2);
        drop(first);
        assert_eq!(open.get(), 1);
        drop(second);
        assert_eq!(open.get(), 0);
    }
}
