//! Limits of connections: the size of headers, timeouts, and the number of connections.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use reqwest::RequestBuilder;
use tokio::task::spawn_blocking;

use crate::backend::Backend;
use crate::client::sign_in;
use crate::family::PASSWORD;
use crate::sandbox::{Sandbox, Server};

const HEALTH: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";

/// Timeout of the test, far longer than any timeout of the server.
const TIMEOUT: Duration = Duration::from_mins(2);

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream
}

/// Returns the first line of a response.
fn status(stream: &mut TcpStream) -> String {
    let mut line = [0; 12];
    stream.read_exact(&mut line).unwrap();
    String::from_utf8(line.to_vec()).unwrap()
}

/// Reads until the server closes the connection.
fn read_to_end(stream: &mut TcpStream) -> String {
    let mut all = Vec::new();
    if let Err(error) = stream.read_to_end(&mut all) {
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    }
    String::from_utf8_lossy(&all).into_owned()
}

#[tokio::test]
async fn headers_of_more_than_16_kib_or_100_lines_get_431() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    for path in ["/healthz", "/login", "/api/v1/me"] {
        for (lines, length, is_too_large) in
            [(1, 15 * 1024, false), (90, 150, false), (1, 16 * 1024, true), (101, 40, true), (1, 100 * 1024, true)]
        {
            let request = server.client.get(format!("{}{path}", server.url));
            let padded = |request: RequestBuilder, number| request.header(format!("x-{number:03}"), "x".repeat(length));
            // The server may close the connection before everything is sent.
            let answer = (0..lines).fold(request, padded).send().await.map(|answer| answer.status().as_u16());
            let is_refused = answer.as_ref().is_ok_and(|status| *status == 431);
            assert!(is_refused == is_too_large || length > 64 * 1024, "{path} {lines} x {length}: {answer:?}");
            assert!(!answer.is_ok_and(|status| status == 200) || !is_too_large, "{path} {lines} x {length}");
        }
    }
    let answer = server.client.get(format!("{}/healthz", server.url)).send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 200);
}

#[test]
fn a_waiting_connection_is_served_later_and_does_not_delay_stop() {
    let sandbox = Sandbox::on_sqlite();
    let server = sandbox.serve_with(&["--max-connections", "2"], &[]);
    let mut held = [connect(&server), connect(&server)];
    for stream in &mut held {
        stream.write_all(HEALTH).unwrap();
        assert_eq!(status(stream), "HTTP/1.1 200");
    }
    let mut waiting = connect(&server);
    waiting.write_all(HEALTH).unwrap();
    waiting.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    let error = waiting.read(&mut [0]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{error}");
    let [first, _second] = held;
    drop(first);
    waiting.set_read_timeout(Some(TIMEOUT)).unwrap();
    assert_eq!(status(&mut waiting), "HTTP/1.1 200");
    // Both connections are in use again.
    let began = Instant::now();
    assert_eq!(server.stop().code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(8));
}

/// Sends a byte every second until the server closes the connection.
fn send_slowly(server: &Server, beginning: &str) -> String {
    let mut stream = connect(server);
    stream.write_all(beginning.as_bytes()).unwrap();
    let began = Instant::now();
    while stream.write_all(b"x").is_ok() {
        assert!(began.elapsed() < TIMEOUT, "the server does not close the connection");
        sleep(Duration::from_secs(1));
    }
    read_to_end(&mut stream)
}

/// Sends the beginning of a request, and reads until the server closes the connection.
fn send_once(server: &Server, beginning: &str) -> String {
    let mut stream = connect(server);
    stream.write_all(beginning.as_bytes()).unwrap();
    read_to_end(&mut stream)
}

/// Requests more than the socket buffers can hold, and reads 100 bytes per second.
fn read_slowly(server: &Server) -> usize {
    const TIMES: usize = 40;
    let mut stream = connect(server);
    let request = "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n".repeat(TIMES);
    stream.write_all(request.as_bytes()).unwrap();
    let began = Instant::now();
    let mut read = 0;
    while began.elapsed() < Duration::from_secs(40) {
        let mut some = [0; 100];
        match stream.read(&mut some) {
            Ok(0) | Err(_) => break,
            Ok(count) => read += count,
        }
        sleep(Duration::from_secs(1));
    }
    read + read_to_end(&mut stream).len()
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_and_silent_clients_are_disconnected() {
    let sandbox = Sandbox::with_families(Backend::Sqlite).await;
    let server = Arc::new(sandbox.serve());
    let cookie = sign_in(&server, "ana@family.example", PASSWORD).await.cookie();
    let of_the_api = format!(
        "PATCH /api/users/me HTTP/1.1\r\nhost: x\r\ncookie: {cookie}\r\n\
        content-type: application/json\r\ncontent-length: 9999\r\n\r\n{{"
    );
    let login = "POST /login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n{";
    let of_a_browser = "POST /login HTTP/1.1\r\nhost: x\r\naccept: text/html\r\naccept-language: de\r\n\
                        content-type: application/x-www-form-urlencoded\r\ncontent-length: 9999\r\n\r\ne";
    let get = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
    let run = |client: fn(&Server, &str) -> String, beginning: &str| {
        let (server, beginning) = (Arc::clone(&server), beginning.to_owned());
        spawn_blocking(move || client(&server, &beginning))
    };
    let began = Instant::now();
    let slow_body_of_the_api = run(send_once, &of_the_api);
    let slow_head = run(send_slowly, "GET / HTTP/1.1\r\nx: ");
    let slow_body = run(send_once, login);
    let slow_body_of_a_browser = run(send_once, of_a_browser);
    let slowly_sent_body = run(send_slowly, login);
    let silent = run(send_once, "");
    let idle = run(send_once, get);
    let reader = Arc::clone(&server);
    let slow_reader = spawn_blocking(move || read_slowly(&reader));
    assert_eq!(slow_head.await.unwrap(), "");
    assert_eq!(silent.await.unwrap(), "");
    let idle = idle.await.unwrap();
    assert!(idle.starts_with("HTTP/1.1 200") && idle.ends_with(r#"{"status":"ok"}"#), "{idle}");
    let slow_body = slow_body.await.unwrap();
    assert!(slow_body.starts_with("HTTP/1.1 503") && slow_body.contains(r#""code":"unavailable""#), "{slow_body}");
    for header in ["retry-after: 1", "cache-control: no-store", "vary: Cookie", "connection: close"] {
        assert!(slow_body.contains(&format!("\r\n{header}\r\n")), "{header}: {slow_body}");
    }
    let slow_body = slow_body_of_a_browser.await.unwrap();
    assert!(slow_body.starts_with("HTTP/1.1 503") && slow_body.contains("\r\nretry-after: 1\r\n"), "{slow_body}");
    assert!(slow_body.contains("<h1>Der Dienst ist gerade nicht verfügbar</h1>"), "{slow_body}");
    let slow_body = slow_body_of_the_api.await.unwrap();
    assert!(slow_body.starts_with("HTTP/1.1 503") && slow_body.contains("\r\nconnection: close\r\n"), "{slow_body}");
    // Without the server's timeout, salvo's timeout would close the connection ten seconds later.
    assert!(began.elapsed() < Duration::from_secs(29), "{:?}", began.elapsed());
    // The response may be lost, because the client still sends data.
    let _ = slowly_sent_body.await.unwrap();
    let bundle = server.client.get(format!("{}/docs/swagger-ui-bundle.js", server.url)).send().await.unwrap();
    let bundle = bundle.bytes().await.unwrap().len();
    let read = slow_reader.await.unwrap();
    assert!(read < 40 * bundle, "the slow client received all {read} bytes");
}
