//! The listening socket, which closes at the signal to stop.

use std::future::pending;
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;

use salvo::conn::tcp::{TcpAcceptor, TcpCoupler};
use salvo::conn::{Accepted, Acceptor, Holding};
use salvo::fuse::ArcFusePolicy;
use tokio::sync::{Semaphore, oneshot};

use crate::connection::Connection;
use crate::limits::ANSWER;
use crate::shutdown::StopSignals;

/// Takes connections until a signal comes, so many at once; others wait for one of these to end.
///
/// The framework stops to take connections at a stop, but keeps the socket open until the last request is finished: the
/// operating system would go on to queue connections that nobody ever answers. It can count connections too, but waits
/// for one to end where nothing is heard of a signal.
pub(crate) struct Socket {
    acceptor: Option<TcpAcceptor>,
    holdings: Vec<Holding>,
    places: Arc<Semaphore>,
    signals: StopSignals,
    closed: Option<oneshot::Sender<()>>,
}

impl Socket {
    /// A socket, and what comes when it is closed.
    pub(crate) fn new(
        acceptor: TcpAcceptor,
        most: NonZeroUsize,
        signals: StopSignals,
    ) -> (Self, oneshot::Receiver<()>) {
        let (closed, is_closed) = oneshot::channel();
        let holdings = acceptor.holdings().to_vec();
        let places = Arc::new(Semaphore::new(most.get().min(Semaphore::MAX_PERMITS)));
        (Self { acceptor: Some(acceptor), holdings, places, signals, closed: Some(closed) }, is_closed)
    }

    fn close(&mut self) {
        self.acceptor = None;
        if let Some(closed) = self.closed.take() {
            // Nobody waits where the server has ended by itself.
            let _ = closed.send(());
        }
    }
}

type Stream = Connection<<TcpAcceptor as Acceptor>::Stream>;

impl Acceptor for Socket {
    type Coupler = TcpCoupler<Stream>;
    type Stream = Stream;

    fn holdings(&self) -> &[Holding] {
        &self.holdings
    }

    async fn accept(&mut self, fuse: Option<ArcFusePolicy>) -> io::Result<Accepted<Self::Coupler, Self::Stream>> {
        if let Some(acceptor) = &mut self.acceptor {
            tokio::select! {
                accepted = accept_in_turn(acceptor, &self.places, fuse) => return accepted,
                () = self.signals.recv() => {}
            }
        }
        self.close();
        pending().await
    }
}

async fn accept_in_turn(
    acceptor: &mut TcpAcceptor,
    places: &Arc<Semaphore>,
    fuse: Option<ArcFusePolicy>,
) -> io::Result<Accepted<TcpCoupler<Stream>, Stream>> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let accepted = acceptor.accept(fuse).await?;
    Ok(accepted.map_into(|_| TcpCoupler::new(), |stream| Connection::new(stream, ANSWER, place)))
}
