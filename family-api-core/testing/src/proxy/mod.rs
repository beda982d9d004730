//! Faults on the way between a client and its server.

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

/// A line to a server that can be cut, or made to hang. Of its faults one is set at a time; at first, and after
/// [`mend`](Self::mend), everything passes.
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

/// What all connections heed. Cuts and stalls are counted, because one that is mended at once must not be missed.
#[derive(Clone, Default)]
struct State {
    mode: Mode,
    cuts: u64,
    stalls: u64,
    /// How many messages passed on the last connection.
    messages: Arc<AtomicU64>,
}

impl Proxy {
    /// Listens at a port of its own, and passes on to the server.
    pub async fn before(server: &Server) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port is free");
        let port = listener.local_addr().expect("a listener has an address").port();
        let state = Arc::new(watch::Sender::new(State::default()));
        let accepting = tokio::spawn(accept(listener, server.port(), Arc::clone(&state)));
        Self { port, state, accepting }
    }

    /// The address of a database of the server by way of the proxy.
    #[must_use]
    pub fn url(&self, database: &Database) -> String {
        server::url(self.port, database.name())
    }

    /// Closes all connections, and each new one at once.
    pub fn cut(&self) {
        self.state.send_modify(|state| {
            state.mode = Mode::Refuse;
            state.cuts += 1;
        });
    }

    /// Keeps all connections open, and takes new ones, but passes no byte in either direction. A connection that was
    /// stalled stays dead.
    pub fn stall(&self) {
        self.state.send_modify(|state| {
            state.mode = Mode::Hold;
            state.stalls += 1;
        });
    }

    /// Cuts each connection that begins from now on in place of passing the `number`-th message of its client, counted
    /// from 1. Every message of the protocol counts that has a type, except passwords: a simple query is one, a prepared
    /// one several.
    pub fn cut_before_message(&self, number: u64) {
        self.state.send_modify(|state| state.mode = Mode::CutBefore(number));
    }

    /// Passes the next `COMMIT` that is a simple query, as sqlx's is, waits until the server has answered it, and cuts
    /// that connection in place of passing the answer. Only once; all else passes.
    pub fn cut_after_commit(&self) {
        self.state.send_modify(|state| state.mode = Mode::CutAfterCommit);
    }

    /// Lets everything pass again.
    pub fn mend(&self) {
        self.state.send_modify(|state| state.mode = Mode::Pass);
    }

    /// How many messages of the client passed on the connection that began last, as
    /// [`cut_before_message`](Self::cut_before_message) counts them.
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
            // Whatever ends a connection, both sides see it closed.
            let _ = connection.serve(client, server).await;
        });
    }
}
