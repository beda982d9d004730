//! The listening socket. It closes on a stop signal.

use std::future::pending;
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;

use prometheus::IntGauge;
use salvo::conn::tcp::{TcpAcceptor, TcpCoupler};
use salvo::conn::{Accepted, Acceptor, Holding};
use salvo::fuse::ArcFusePolicy;
use tokio::sync::{Semaphore, oneshot};

use crate::connection::{Connection, ConnectionPermit};
use crate::limits::RESPONSE_TIMEOUT;
use crate::shutdown::StopSignals;

/// Accepts a limited number of connections until a stop signal arrives. Further clients wait until a connection ends.
///
/// salvo keeps the socket open during a graceful stop, so the operating system would queue connections that are never
/// answered. While salvo's own connection limit is reached, salvo does not react to a signal.
pub(crate) struct ListeningSocket {
    acceptor: Option<TcpAcceptor>,
    holdings: Vec<Holding>,
    permits: Arc<Semaphore>,
    open: Option<IntGauge>,
    signals: StopSignals,
    closed: Option<oneshot::Sender<()>>,
}

impl ListeningSocket {
    /// Creates the socket. `open` is the gauge of open connections, if there is one. The returned receiver resolves
    /// when the socket is closed.
    pub(crate) fn new(
        acceptor: TcpAcceptor,
        max_connections: NonZeroUsize,
        signals: StopSignals,
        open: Option<IntGauge>,
    ) -> (Self, oneshot::Receiver<()>) {
        let (closed, closed_receiver) = oneshot::channel();
        let holdings = acceptor.holdings().to_vec();
        let permits = Arc::new(Semaphore::new(max_connections.get().min(Semaphore::MAX_PERMITS)));
        (Self { acceptor: Some(acceptor), holdings, permits, open, signals, closed: Some(closed) }, closed_receiver)
    }

    fn close(&mut self) {
        self.acceptor = None;
        if let Some(closed) = self.closed.take() {
            // The receiver has been dropped if the server ended without a stop signal.
            let _ = closed.send(());
        }
    }
}

type Stream = Connection<<TcpAcceptor as Acceptor>::Stream>;

impl Acceptor for ListeningSocket {
    type Coupler = TcpCoupler<Stream>;
    type Stream = Stream;

    fn holdings(&self) -> &[Holding] {
        &self.holdings
    }

    async fn accept(&mut self, fuse: Option<ArcFusePolicy>) -> io::Result<Accepted<Self::Coupler, Self::Stream>> {
        if let Some(acceptor) = &mut self.acceptor {
            tokio::select! {
                accepted = accept_with_permit(acceptor, &self.permits, self.open.as_ref(), fuse) => return accepted,
                () = self.signals.recv() => {}
            }
        }
        self.close();
        pending().await
    }
}

async fn accept_with_permit(
    acceptor: &mut TcpAcceptor,
    permits: &Arc<Semaphore>,
    open: Option<&IntGauge>,
    fuse: Option<ArcFusePolicy>,
) -> io::Result<Accepted<TcpCoupler<Stream>, Stream>> {
    let permit = Arc::clone(permits).acquire_owned().await.map_err(io::Error::other)?;
    let accepted = acceptor.accept(fuse).await?;
    let permit = ConnectionPermit::new(permit, open.cloned());
    Ok(accepted.map_into(|_| TcpCoupler::new(), |stream| Connection::new(stream, RESPONSE_TIMEOUT, permit)))
}
