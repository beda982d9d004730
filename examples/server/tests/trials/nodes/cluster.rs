//! Three servers on one database.

use std::cell::RefCell;
use std::net::TcpListener;
use std::sync::Arc;

use reqwest::RequestBuilder;
use tokio::task::spawn_blocking;

use crate::backend::Backend;
use crate::client::{Destination, Response, client, try_send};
use crate::family::{PASSWORD, board, column, family, task, user};
use crate::nodes::tasks::TASKS;
use crate::sandbox::{Sandbox, Server};

pub(crate) const NODES: usize = 3;

const USERS: [&str; 6] = ["ana", "kim", "eva", "flo", "gil", "ben"];

pub(crate) struct Cluster {
    sandbox: Arc<Sandbox>,
    addresses: [String; NODES],
    /// A node is `None` while it is stopped.
    servers: RefCell<[Option<Server>; NODES]>,
}

/// How a node is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// With `SIGKILL`.
    Kill,
    /// With `SIGTERM`, as for an upgrade.
    Terminate,
}

impl Cluster {
    pub(crate) async fn start() -> Self {
        let sandbox = Sandbox::new(Backend::Postgres).await;
        let users = USERS.map(|id| user(id, Some("rivera"), Some(PASSWORD)));
        let places = [board("home", "rivera"), column("todo", "home")];
        let records = [family("rivera")].into_iter().chain(users).chain(places).chain(TASKS.map(|id| task(id, "todo")));
        let sandbox = Arc::new(sandbox.import_lines(records));
        // Ports of an address that no other program uses, so that a node can have the same port again.
        let sockets = [(); NODES].map(|()| TcpListener::bind(("127.77.0.4", 0)).unwrap());
        let addresses = sockets.map(|socket| socket.local_addr().unwrap().to_string());
        let cluster = Self { sandbox, addresses, servers: RefCell::default() };
        for node in 0..NODES {
            cluster.start_node(node).await;
        }
        cluster
    }

    pub(crate) fn addresses(&self) -> [&str; NODES] {
        self.addresses.each_ref().map(String::as_str)
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// Starts a node, and waits until it listens.
    pub(crate) async fn start_node(&self, node: usize) {
        let (sandbox, address) = (Arc::clone(&self.sandbox), self.addresses[node].clone());
        // On a separate thread, so that the clients continue.
        let started = spawn_blocking(move || {
            let options = ["serve", "--listen", &address, "--rate-limit", "off"];
            let proxy = ["--public-url", "https://family.example", "--trusted-proxy", "127.0.0.1"];
            let arguments = [&options[..], &proxy].concat();
            sandbox.start(&arguments, &[("FAMILY_API_LOG", "warn")], "listening on ")
        });
        let server = started.await.unwrap();
        self.servers.borrow_mut()[node] = Some(server);
    }

    /// Stops a node, and waits until its process has ended.
    pub(crate) async fn stop_node(&self, node: usize, stop: Stop) {
        let server = self.servers.borrow_mut()[node].take().unwrap();
        let stopped = spawn_blocking(move || match stop {
            Stop::Kill => drop(server),
            Stop::Terminate => assert!(server.stop().success()),
        });
        stopped.await.unwrap();
    }

    /// Sends a request to each node. Returns the answers of those that run.
    pub(crate) async fn send_to_each(&self, request: impl Fn(&Destination) -> RequestBuilder) -> Vec<Response> {
        let mut answers = Vec::new();
        for address in &self.addresses {
            let node = Destination { client: client(), url: format!("http://{address}") };
            answers.extend(try_send(request(&node)).await);
        }
        answers
    }

    /// Asserts that each node that runs gives an answer with this status.
    pub(crate) async fn assert_status_on_each(&self, status: u16, request: impl Fn(&Destination) -> RequestBuilder) {
        for answer in self.send_to_each(request).await {
            assert_eq!(answer.status, status, "{answer:?}");
        }
    }
}
