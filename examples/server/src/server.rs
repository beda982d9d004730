//! The server on its socket: accepts a limited number of connections, and serves them until a signal stops it.

use std::future::pending;
use std::io::{self, ErrorKind, IoSlice};
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use family_api_core::FamilyApi;
use family_api_core::key::EnvironmentTokens;
use family_api_core::limit::Rate;
use family_api_salvo::LoadShed;
use prometheus::IntGauge;
use salvo::Service;
use salvo::conn::tcp::{TcpAcceptor, TcpCoupler};
use salvo::conn::{Accepted, Acceptor, Holding};
use salvo::fuse::ArcFusePolicy;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Sleep, sleep};

use crate::audit::AuditLog;
use crate::cli::{Cache, HttpOptions, RateLimit};
use crate::database::Database;
use crate::error::CommandError;
use crate::limits::RESPONSE_TIMEOUT;
use crate::metrics::{Endpoint, Metrics};
use crate::shutdown::StopSignals;
use crate::{app, limits, oauth, open_files, output, shutdown};

/// A server that listens on its socket but does not accept connections yet.
pub(crate) struct Server {
    api: FamilyApi,
    pub(crate) database: Database,
    service: Service,
    acceptor: TcpAcceptor,
    max_connections: NonZeroUsize,
    address: SocketAddr,
    /// The URL under which assistants can connect without a key.
    oauth_url: Option<String>,
    signals: StopSignals,
    /// The gauge of open connections and the listener of the metrics, if there are metrics.
    metrics: Option<(IntGauge, Endpoint)>,
}

impl Server {
    /// Binds the socket and builds the service.
    pub(crate) async fn bind(
        options: HttpOptions,
        database: Database,
        tokens: EnvironmentTokens,
        metrics: Option<Metrics>,
    ) -> Result<Self, CommandError> {
        let signals = StopSignals::catch().map_err(CommandError::Signals)?;
        let listen_error = |source: io::Error| match (options.listen.clone(), source.kind()) {
            (address, io::ErrorKind::InvalidInput) => CommandError::ListenAddress(address),
            (address, _) => CommandError::Listen { address, option: "--listen", source },
        };
        let listener = TcpListener::bind(&options.listen).await.map_err(listen_error)?;
        limits::set_send_buffer(&listener).map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        let acceptor = listener.try_into().map_err(listen_error)?;
        let endpoint = match options.metrics.as_deref().zip(metrics.as_ref()) {
            Some((address, metrics)) => Some(Endpoint::bind(address, metrics).await?),
            None => None,
        };
        tracing::info!(%address, rate_limit = %options.rate_limit, "started");
        let oauth = oauth::server(&options, address);
        let storage = &database.storage;
        let api = FamilyApi::builder(storage.clone()).credentials(storage.clone()).calendar_feeds(storage.clone());
        let api = api.environment_tokens(tokens).audit(AuditLog::new(options.audit_addresses)).full_access(true);
        let api = match options.rate_limit {
            RateLimit::PerMinute(number) => api.rate_limit(Rate::per_minute(number)),
            RateLimit::Off => api.without_rate_limit().without_session_write_limit(),
        };
        let api = match options.cache {
            Cache::MiB(number) => api.document_cache(u64::from(number.get()) << 20),
            Cache::Off => api.without_document_cache(),
        };
        let api = match oauth {
            Some(_) => api.grants(database.storage.clone()),
            None => api,
        }
        .build();
        let max_connections = open_files::raise_limit(options.max_connections, database.backend.max_connections());
        let public_url = options.public_url.as_ref().map(ToString::to_string);
        let oauth_url = oauth.is_some().then(|| public_url.unwrap_or_else(|| url(address)));
        let load_shed = LoadShed::new(options.max_in_flight);
        if let Some(metrics) = &metrics {
            metrics.sample(&api, &database, &load_shed, max_connections)?;
        }
        let (requests, connections) = metrics.map(|metrics| (metrics.requests, metrics.connections)).unzip();
        let service = app::build_service(api.clone(), &database, oauth, requests, load_shed, options);
        let metrics = connections.zip(endpoint);
        Ok(Self { api, database, service, acceptor, max_connections, address, oauth_url, signals, metrics })
    }

    /// Returns the URL of the listening address.
    pub(crate) fn url(&self) -> String {
        url(self.address)
    }

    /// Returns the URL under which assistants can connect without a key, or `None` if they cannot.
    pub(crate) fn oauth_url(&self) -> Option<&str> {
        self.oauth_url.as_deref()
    }

    /// Prints the URL of the metrics, if there are metrics.
    pub(crate) fn print_metrics_url(&self) -> Result<(), CommandError> {
        self.metrics.iter().try_for_each(|(_, endpoint)| output::print(&format!("metrics on {}", endpoint.url())))
    }

    /// Serves until a stop signal arrives. Then finishes the running requests, writes the last uses of keys, and closes
    /// the database.
    pub(crate) async fn run(self) -> Result<(), CommandError> {
        let (connections, endpoint) = self.metrics.unzip();
        let (socket, closed_receiver) =
            ListeningSocket::new(self.acceptor, self.max_connections, self.signals, connections);
        let server = limits::apply(salvo::Server::new(socket));
        tokio::spawn(shutdown::finish(closed_receiver, server.handle()));
        if let Some(endpoint) = endpoint {
            tokio::spawn(endpoint.serve());
        }
        let outcome = server.try_serve(self.service).await;
        if let Err(error) = self.api.record_uses().await {
            tracing::warn!(%error, "cannot write the last uses of keys");
        }
        self.database.close().await;
        outcome.map_err(CommandError::Serve)
    }
}

fn url(address: SocketAddr) -> String {
    format!("http://{address}")
}

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
