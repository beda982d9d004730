//! nginx in front of the nodes, and its clients.

use std::cell::{Cell, RefCell};
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::latencies::Latencies;
use crate::nodes::Trial;
use crate::proxies::Proxy;
use crate::proxies::nginx::start_with_nodes;
use crate::proxies::tls_client::TlsClient;
use crate::wire::{Connection, Reply, Request};

/// The pause after a failed request. `Retry-After` is longer, but the clients of a trial are impatient.
const RETRY_DELAY: Duration = Duration::from_millis(20);

pub(crate) struct Balancer {
    tls: TlsClient,
    latencies: RefCell<Latencies>,
    failed: Cell<usize>,
    /// The number of clients. Each one has its own network address.
    clients: Cell<u32>,
    _nginx: Proxy,
}

impl Balancer {
    pub(crate) async fn start(nodes: [&str; 3]) -> Self {
        let nginx = start_with_nodes(&nodes);
        let tls = nginx.ready().await;
        Self { tls, latencies: RefCell::default(), failed: Cell::new(0), clients: Cell::new(0), _nginx: nginx }
    }

    /// Returns the times of the answered requests.
    pub(crate) fn latencies(&self) -> Latencies {
        self.latencies.borrow().clone()
    }

    /// Returns the number of failed requests.
    pub(crate) fn failed(&self) -> usize {
        self.failed.get()
    }
}

/// A client of the balancer. It keeps a connection open.
pub(crate) struct Client<'a> {
    balancer: &'a Balancer,
    address: Ipv4Addr,
    connection: Option<Connection>,
}

impl<'a> Client<'a> {
    pub(crate) fn new(trial: &'a Trial) -> Self {
        let balancer = &trial.balancer;
        let number = balancer.clients.get();
        balancer.clients.set(number + 1);
        let [_, _, high, low] = number.to_be_bytes();
        Self { balancer, address: Ipv4Addr::new(127, 1, high, low), connection: None }
    }

    /// Sends a request. Returns `None` if it fails: nginx or a node has answered 503. A write is then in doubt.
    pub(crate) async fn send(&mut self, request: Request) -> Option<Reply> {
        let began = Instant::now();
        let mut connection = self.open_connection().await;
        let reply = connection.send(request).await.unwrap();
        self.connection = Some(connection);
        if reply.status == 503 {
            assert!(reply.is_retry_later(), "{reply:?}");
            self.balancer.failed.set(self.balancer.failed.get() + 1);
            sleep(RETRY_DELAY).await;
            return None;
        }
        assert!(reply.status < 500, "{reply:?}");
        self.balancer.latencies.borrow_mut().push(began.elapsed());
        Some(reply)
    }

    /// Sends a request until it is answered. Returns the answer, and whether an earlier attempt is in doubt.
    pub(crate) async fn send_until_answered(&mut self, request: impl Fn() -> Request) -> (Reply, bool) {
        let mut is_repeated = false;
        loop {
            if let Some(reply) = self.send(request()).await {
                return (reply, is_repeated);
            }
            is_repeated = true;
        }
    }

    /// Returns the connection, or a new one: nginx closes a connection after 1,000 requests.
    async fn open_connection(&mut self) -> Connection {
        if let Some(mut connection) = self.connection.take()
            && connection.is_open().await
        {
            return connection;
        }
        Connection::over(self.balancer.tls.connect(self.address).await).await.unwrap()
    }
}
