//! The listening socket, which closes at the signal to stop.

use std::future::pending;
use std::io;

use salvo::conn::tcp::TcpAcceptor;
use salvo::conn::{Accepted, Acceptor, Holding};
use salvo::fuse::ArcFusePolicy;
use tokio::sync::oneshot;

use crate::shutdown::StopSignals;

/// Takes connections until a signal comes.
///
/// The framework stops to take connections at a stop, but keeps the socket open until the last request is finished: the
/// operating system would go on to queue connections that nobody ever answers.
pub(crate) struct Socket {
    acceptor: Option<TcpAcceptor>,
    holdings: Vec<Holding>,
    signals: StopSignals,
    closed: Option<oneshot::Sender<()>>,
}

impl Socket {
    /// A socket, and what comes when it is closed.
    pub(crate) fn new(acceptor: TcpAcceptor, signals: StopSignals) -> (Self, oneshot::Receiver<()>) {
        let (closed, is_closed) = oneshot::channel();
        let holdings = acceptor.holdings().to_vec();
        (Self { acceptor: Some(acceptor), holdings, signals, closed: Some(closed) }, is_closed)
    }

    fn close(&mut self) {
        self.acceptor = None;
        if let Some(closed) = self.closed.take() {
            // Nobody waits where the server has ended by itself.
            let _ = closed.send(());
        }
    }
}

impl Acceptor for Socket {
    type Coupler = <TcpAcceptor as Acceptor>::Coupler;
    type Stream = <TcpAcceptor as Acceptor>::Stream;

    fn holdings(&self) -> &[Holding] {
        &self.holdings
    }

    async fn accept(&mut self, fuse: Option<ArcFusePolicy>) -> io::Result<Accepted<Self::Coupler, Self::Stream>> {
        if let Some(acceptor) = &mut self.acceptor {
            tokio::select! {
                accepted = acceptor.accept(fuse) => return accepted,
                () = self.signals.recv() => {}
            }
        }
        self.close();
        pending().await
    }
}
