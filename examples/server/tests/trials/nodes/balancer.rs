//! nginx in front of the nodes, and its clients.

use std::cell::{Cell, RefCell};
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use reqwest::RequestBuilder;
use tokio::time::sleep;

use crate::answers::is_retry_later;
use crate::client::{Destination, Response, send};
use crate::latencies::Latencies;
use crate::nodes::Trial;
use crate::proxies::Proxy;
use crate::proxies::clients::ProxyClients;
use crate::proxies::nginx::start_with_nodes;

/// The pause after a failed request. `Retry-After` is longer, but the clients of a trial are impatient.
const RETRY_DELAY: Duration = Duration::from_millis(20);

pub(crate) struct Balancer {
    proxy: ProxyClients,
    latencies: RefCell<Latencies>,
    failed: Cell<usize>,
    /// The number of clients. Each one has its own network address.
    clients: Cell<u32>,
    _nginx: Proxy,
}

impl Balancer {
    pub(crate) async fn start(nodes: [&str; 3]) -> Self {
        let nginx = start_with_nodes(&nodes);
        let proxy = nginx.ready().await;
        Self { proxy, latencies: RefCell::default(), failed: Cell::new(0), clients: Cell::new(0), _nginx: nginx }
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

/// A client of the balancer.
pub(crate) struct Client<'a> {
    balancer: &'a Balancer,
    destination: Destination,
}

impl<'a> Client<'a> {
    pub(crate) fn new(trial: &'a Trial) -> Self {
        let balancer = &trial.balancer;
        let number = balancer.clients.get();
        balancer.clients.set(number + 1);
        let [_, _, high, low] = number.to_be_bytes();
        Self { balancer, destination: balancer.proxy.at(Ipv4Addr::new(127, 1, high, low)) }
    }

    /// Sends a request. Returns `None` if it fails: nginx or a node has answered 503. A write is then in doubt.
    pub(crate) async fn send(&self, request: impl FnOnce(&Destination) -> RequestBuilder) -> Option<Response> {
        let began = Instant::now();
        let answer = send(request(&self.destination)).await;
        if answer.status == 503 {
            assert!(is_retry_later(&answer), "{answer:?}");
            self.balancer.failed.set(self.balancer.failed.get() + 1);
            sleep(RETRY_DELAY).await;
            return None;
        }
        assert!(answer.status < 500, "{answer:?}");
        self.balancer.latencies.borrow_mut().push(began.elapsed());
        Some(answer)
    }

    /// Sends a request until it is answered. Returns the answer, and whether an earlier attempt is in doubt.
    pub(crate) async fn send_until_answered(
        &self,
        request: impl Fn(&Destination) -> RequestBuilder,
    ) -> (Response, bool) {
        let mut is_repeated = false;
        loop {
            if let Some(answer) = self.send(&request).await {
                return (answer, is_repeated);
            }
            is_repeated = true;
        }
    }
}
