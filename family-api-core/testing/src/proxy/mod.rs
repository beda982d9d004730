//! Simulates network faults between a client and its server.

mod connection;
mod message;

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::proxy::connection::Connection;
use crate::{Database, Server, server};

/// A TCP proxy that can cut or stall connections to a server.
///
/// One fault is active at a time. A proxy without a fault forwards everything.
pub struct Proxy {
    port: u16,
    state: Arc<watch::Sender<State>>,
    accept_task: JoinHandle<()>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Forward,
    Refuse,
    Stall,
    Hold,
    CutBefore(u64),
    CutAfterCommit,
}

/// The state that all connections watch. It counts cuts and stalls, so that a connection also notices a cut that
/// [`clear_fault`](Proxy::clear_fault) follows at once.
#[derive(Clone, Default)]
struct State {
    mode: Mode,
    /// The number of calls of [`cut`](Proxy::cut).
    cuts: u64,
    /// The number of calls of [`stall`](Proxy::stall).
    stalls: u64,
    /// The number of client messages forwarded on the newest connection.
    messages: Arc<AtomicU64>,
    /// The number of accepted connections.
    connections: u64,
    /// The number of calls of [`release_connections`](Proxy::release_connections).
    releases: u64,
}

impl Proxy {
    /// Starts a proxy for the server. It listens on its own port.
    pub async fn start(server: &Server) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port is free");
        let port = listener.local_addr().expect("a listener has an address").port();
        let state = Arc::new(watch::Sender::new(State::default()));
        let accept_task = tokio::spawn(accept(listener, server.port(), Arc::clone(&state)));
        Self { port, state, accept_task }
    }

    /// Returns the URL of a database through the proxy.
    #[must_use]
    pub fn url(&self, database: &Database) -> String {
        server::url(self.port, database.name())
    }

    /// Closes all connections. New connections are closed at once.
    pub fn cut(&self) {
        self.state.send_modify(|state| {
            state.mode = Mode::Refuse;
            state.cuts += 1;
        });
    }

    /// Stalls all connections and new connections: they stay open, but no byte is forwarded in either direction.
    ///
    /// A stalled connection stays stalled after [`clear_fault`](Self::clear_fault).
    pub fn stall(&self) {
        self.state.send_modify(|state| {
            state.mode = Mode::Stall;
            state.stalls += 1;
        });
    }

    /// Holds new connections: they are accepted, but reach the server only after
    /// [`release_connections`](Self::release_connections).
    pub fn hold_new_connections(&self) {
        self.state.send_modify(|state| state.mode = Mode::Hold);
    }

    /// Forwards the held connections. New connections are still held.
    pub fn release_connections(&self) {
        self.state.send_modify(|state| state.releases += 1);
    }

    /// Returns when the proxy has accepted at least `count` connections.
    pub async fn wait_for_connections(&self, count: u64) {
        // This cannot fail: the proxy has the sender.
        let _ = self.state.subscribe().wait_for(|state| state.connections >= count).await;
    }

    /// Returns the number of accepted connections.
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.state.borrow().connections
    }

    /// Cuts each new connection before the `number`-th message of its client, counted from 1.
    ///
    /// All typed messages of the protocol are counted, except passwords. A simple query is one message, a prepared
    /// statement several.
    pub fn cut_before_message(&self, number: u64) {
        self.state.send_modify(|state| state.mode = Mode::CutBefore(number));
    }

    /// Forwards the next `COMMIT`, waits for the server's response, and cuts the connection without forwarding the
    /// response.
    ///
    /// Only a `COMMIT` as a simple query is recognized. sqlx sends it this way. Only one commit is affected.
    pub fn cut_after_commit(&self) {
        self.state.send_modify(|state| state.mode = Mode::CutAfterCommit);
    }

    /// Clears the fault: new connections are forwarded again. Cut and stalled connections stay broken.
    pub fn clear_fault(&self) {
        self.state.send_modify(|state| state.mode = Mode::Forward);
    }

    /// Returns the number of client messages forwarded on the newest connection. Counted as in
    /// [`cut_before_message`](Self::cut_before_message).
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.state.borrow().messages.load(Ordering::Relaxed)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accept_task.abort();
        self.cut();
    }
}

async fn accept(listener: TcpListener, server: u16, state: Arc<watch::Sender<State>>) {
    while let Ok((client, _)) = listener.accept().await {
        let connection = Connection::begin(Arc::clone(&state));
        tokio::spawn(async move {
            // The result is ignored, because with any result both sides see a closed connection.
            let _ = connection.serve(client, server).await;
        });
    }
}
