//! nginx in front of several nodes, with the configuration in `deploy`.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use futures_util::future::join_all;

use crate::backend::{Backend, async_test};
use crate::client::{call, sign_in};
use crate::proxies::nginx::start_with_nodes;
use crate::proxies::on_postgres_behind_nginx;
use crate::sandbox::{Sandbox, Server};

const CLIENT: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 5);

family_api_testing::on_web_proxies! { async_test, a_dead_node_is_passed_over = passes_over_a_dead_node() }
family_api_testing::on_web_proxies! { async_test, no_write_is_sent_to_two_nodes = sends_no_write_twice() }
on_postgres_behind_nginx! { failed_sign_ins_of_a_client_count_together = counts_sign_ins_together() }

/// Returns an address on which no process listens, and which no outgoing connection uses.
fn dead_address() -> String {
    TcpListener::bind(("127.77.0.3", 0)).unwrap().local_addr().unwrap().to_string()
}

async fn passes_over_a_dead_node() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    let proxy = start_with_nodes(&[&dead_address(), server.address(), &dead_address()]);
    let clients = proxy.ready().await;
    for _ in 0..10 {
        // A DELETE that finds out that a node is down gets 503, because nginx cannot know that the node has not got it.
        for method in ["GET", "HEAD", "POST", "PATCH"] {
            let answer = call(&clients.at(CLIENT), method, "/api/v1/me").await;
            assert!(matches!(answer.status, 401 | 405), "{method}: {answer:?}");
        }
    }
}

/// A node that fails while it answers. It sends the method of each request that it has received.
fn failing_node(received: Sender<String>) -> String {
    let listener = TcpListener::bind(("127.77.0.3", 0)).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut request = BufReader::new(stream.unwrap());
            let mut line = String::new();
            request.read_line(&mut line).unwrap();
            if received.send(line.split(' ').next().unwrap().to_owned()).is_err() {
                break;
            }
        }
    });
    address
}

async fn sends_no_write_twice() {
    for method in ["GET", "HEAD", "POST", "PATCH", "DELETE"] {
        // Two new nodes for each method, because nginx avoids a failed node for some time.
        let (sender, received): (_, Receiver<String>) = channel();
        let nodes = [failing_node(sender.clone()), failing_node(sender)];
        let proxy = start_with_nodes(&[&nodes[0], &nodes[1]]);
        let clients = proxy.ready().await;
        let answer = call(&clients.at(CLIENT), method, "/api/v1/tasks/1").await;
        assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")), "{method}: {answer:?}");
        let received: Vec<String> = received.try_iter().collect();
        let is_read = matches!(method, "GET" | "HEAD");
        assert_eq!(received, vec![method; if is_read { 2 } else { 1 }]);
    }
}

/// The server allows ten failures for an account. nginx itself allows 31 sign-ins.
async fn counts_sign_ins_together() {
    let sandbox = Sandbox::with_families(Backend::Postgres).await;
    let options = ["--public-url", "https://family.example", "--trusted-proxy", "127.0.0.1"];
    let nodes = [(); 3].map(|()| sandbox.serve_with(&options, &[]));
    let proxy = start_with_nodes(&nodes.each_ref().map(Server::address));
    let clients = proxy.ready().await;
    let client = clients.at(CLIENT);
    let attempts = join_all((0..20).map(|_| sign_in(&client, "ana@family.example", "wrong"))).await;
    let failed = attempts.iter().filter(|answer| answer.status == 401).count();
    assert!((10..20).contains(&failed), "{failed}");
}
