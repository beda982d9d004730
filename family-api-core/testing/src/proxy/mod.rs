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
/// One fault is active at a time. A new proxy, and one after [`mend`](Self::mend), forwards everything.
pub struct Proxy {
    port: u16,
    state: Arc<watch::Sender<State>>,
    accepting: JoinHandle<()>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Pass,
    Refuse,
    Hold,
    CutBefore(u64),
    CutAfterCommit,
}

/// The state that all connections watch. Cuts and stalls are counted, so that one followed at once by
/// [`mend`](Proxy::mend) is not missed.
#[derive(Clone, Default)]
struct State {
    mode: Mode,
    cuts: u64,
    stalls: u64,
    /// The number of messages forwarded on the last connection.
    messages: Arc<AtomicU64>,
}

impl Proxy {
    /// Starts a proxy for the server. It listens on its own port.
    pub async fn before(server: &Server) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port is free");
        let port = listener.local_addr().expect("a listener has an address").port();
        let state = Arc::new(watch::Sender::new(State::default()));
        let accepting = tokio::spawn(accept(listener, server.port(), Arc::clone(&state)));
        Self { port, state, accepting }
    }

    /// Returns the URL of a database through the proxy.
    #[must_use]
    pub fn url(&self, database: &Database) -> String {
        server::url(self.port, database.name())
    }

    /// Closes all connections. New ones are closed at once.
    pub fn cut(&self) {
        self.state.send_modify(|state| {
            state.mode = Mode::Refuse;
            state.cuts += 1;
        });
    }

    /// Stalls all connections, and new ones: they stay open, but no byte is forwarded in either direction.
    ///
    /// [`mend`](Self::mend) does not revive a stalled connection.
    pub fn stall(&self) {
        self.state.send_modify(|state| {
            state.mode = Mode::Hold;
            state.stalls += 1;
        });
    }

    /// Cuts each new connection instead of forwarding its client's `number`-th message, counted from 1.
    ///
    /// All typed messages of the protocol are counted, except passwords. A simple query is one message, a prepared
    /// statement several.
    pub fn cut_before_message(&self, number: u64) {
        self.state.send_modify(|state| state.mode = Mode::CutBefore(number));
    }

    /// Forwards the next `COMMIT`, waits for the server's response, and cuts the connection instead of forwarding it.
    ///
    /// Only a simple query is recognized, which is what sqlx sends. Only one commit is affected.
    pub fn cut_after_commit(&self) {
        self.state.send_modify(|state| state.mode = Mode::CutAfterCommit);
    }

    /// Forwards everything again.
    pub fn mend(&self) {
        self.state.send_modify(|state| state.mode = Mode::Pass);
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
        self.accepting.abort();
        self.cut();
    }
}

async fn accept(listener: TcpListener, server: u16, state: Arc<watch::Sender<State>>) {
    while let Ok((client, _)) = listener.accept().await {
        let connection = Connection::begin(Arc::clone(&state));
        tokio::spawn(async move {
            // The result is ignored: in any case, both sides see a closed connection.
            let _ = connection.serve(client, server).await;
        });
    }
}
