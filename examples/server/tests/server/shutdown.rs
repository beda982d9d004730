//! Graceful shutdown.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::backend::{Backend, on_each_backend};
use crate::sandbox::{Sandbox, Server};

const BODY: &str = r#"{"email":"ana@family.example","password":"correct-horse"}"#;

on_each_backend! {
    a_stopping_server_refuses_connections_and_finishes_requests,
}

/// A sign-in request whose head was sent, but not its body.
fn begin_sign_in(server: &Server) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let head = format!(
        "POST /login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
        BODY.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

/// Tries to connect until the server refuses the connection.
fn wait_until_refused(server: &Server) {
    let began = Instant::now();
    loop {
        match TcpStream::connect(server.address()) {
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => return,
            _ => assert!(began.elapsed() < Duration::from_secs(5), "new connections are still accepted"),
        }
    }
}

async fn a_stopping_server_refuses_connections_and_finishes_requests(backend: Backend) {
    for signal in ["TERM", "INT"] {
        let sandbox = Sandbox::with_families(backend).await;
        let mut server = sandbox.serve();
        let mut running = begin_sign_in(&server);
        server.signal(signal);
        wait_until_refused(&server);
        running.write_all(BODY.as_bytes()).unwrap();
        let mut answer = String::new();
        running.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert_eq!(server.wait().code(), Some(0));
        // With SQLite, closing the last connection has moved the write-ahead log into the database file.
        assert!(!sandbox.path("family.db-wal").exists());
    }
}

#[test]
fn an_idle_connection_does_not_delay_the_stop() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    let mut idle = TcpStream::connect(server.address()).unwrap();
    idle.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let mut start = [0; 15];
    idle.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 200 OK");
    let began = Instant::now();
    assert_eq!(server.stop().code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(8));
}

#[test]
fn an_endless_request_is_aborted_ten_seconds_after_the_stop() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    let _running = begin_sign_in(&server);
    let began = Instant::now();
    assert_eq!(server.stop().code(), Some(0));
    assert!((9..15).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
}
