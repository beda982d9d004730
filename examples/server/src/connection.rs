//! A connection: what it holds while it is open, and how long its answers may take.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Sleep, sleep};

/// A stream that gives its place back when it is dropped, and fails where the peer does not read.
///
/// The framework can bound how long one write waits, which a peer evades that reads a byte now and then. Here it is the
/// time from the first write that had to wait until nothing is left to be written.
pub(crate) struct Connection<S> {
    stream: S,
    patience: Duration,
    /// Runs while something waits to be written.
    deadline: Option<Pin<Box<Sleep>>>,
    _place: OwnedSemaphorePermit,
}

impl<S> Connection<S> {
    pub(crate) fn new(stream: S, patience: Duration, place: OwnedSemaphorePermit) -> Self {
        Self { stream, patience, deadline: None, _place: place }
    }

    /// What a write came to, unless it is too late for it.
    fn in_time<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_pending() && self.deadline.is_none() {
            self.deadline = Some(Box::pin(sleep(self.patience)));
        }
        if self.deadline.as_mut().is_some_and(|deadline| deadline.as_mut().poll(cx).is_ready()) {
            return Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, "the peer does not read its answer")));
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

    /// Called when all was written: whatever comes next has its own time.
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

    /// A connection whose peer takes ten bytes before it must read, and the places it has one of.
    fn connection() -> (Connection<DuplexStream>, DuplexStream, Arc<Semaphore>) {
        let places = Arc::new(Semaphore::new(1));
        let (stream, peer) = duplex(10);
        let place = Arc::clone(&places).try_acquire_owned().unwrap();
        (Connection::new(stream, WRITE_TIMEOUT, place), peer, places)
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_reads_a_byte_now_and_then_is_cut_off_like_one_that_reads_nothing() {
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
    async fn each_answer_that_was_taken_in_time_gives_the_next_one_as_much() {
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
    async fn a_connection_that_ends_gives_its_place_back() {
        let (connection, _peer, places) = connection();
        assert_eq!(places.available_permits(), 0);
        drop(connection);
        assert_eq!(places.available_permits(), 1);
    }
}
