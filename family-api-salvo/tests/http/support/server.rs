//! A server on a real socket, and raw requests.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::FutureExt;
use salvo::conn::{Acceptor, Listener, TcpListener};
use salvo::{Server, Service};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Maximum wait for a response. Without it, a server that waits for more bytes would hang the test.
const TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) struct TestServer {
    address: SocketAddr,
    task: tokio::task::JoinHandle<()>,
}

impl TestServer {
    pub(crate) async fn start(service: Service) -> Self {
        let acceptor = TcpListener::new("127.0.0.1:0").bind().await;
        let address = acceptor.holdings()[0].local_addr.clone().into_std().unwrap();
        let task = tokio::spawn(async move { Server::new(acceptor).serve(service).await });
        Self { address, task }
    }

    /// Sends a raw request, and reads until the server closes the connection. Returns the head and the body.
    pub(crate) async fn send(&self, request: &[u8]) -> (String, String) {
        timeout(TIMEOUT, self.send_and_read(request)).await.expect("a response before the timeout")
    }

    /// Sends requests over one connection, each in several pieces. Returns the heads of the responses.
    ///
    /// Every response must have a `Content-Length`. The list ends if the connection closes early.
    pub(crate) async fn send_all(&self, requests: &[&[&[u8]]]) -> Vec<String> {
        timeout(TIMEOUT, self.send_and_read_all(requests)).await.expect("responses before the timeout")
    }

    /// Opens a connection for several requests.
    pub(crate) async fn open(&self) -> Connection {
        let stream = TcpStream::connect(self.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Connection(BufReader::new(stream))
    }

    async fn send_and_read_all(&self, requests: &[&[&[u8]]]) -> Vec<String> {
        let stream = TcpStream::connect(self.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let mut stream = BufReader::new(stream);
        let mut heads = Vec::new();
        for pieces in requests {
            for piece in *pieces {
                if stream.write_all(piece).await.is_err() {
                    return heads;
                }
                tokio::task::yield_now().await;
            }
            match read_response(&mut stream).await {
                Some(head) => heads.push(head),
                None => return heads,
            }
        }
        heads
    }

    async fn send_and_read(&self, request: &[u8]) -> (String, String) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request).await.unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).await.unwrap();
        let response = String::from_utf8(response).unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        (head.to_ascii_lowercase(), body.to_owned())
    }
}

/// An open connection.
pub(crate) struct Connection(BufReader<TcpStream>);

impl Connection {
    pub(crate) async fn write_bytes(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).await.unwrap();
    }

    pub(crate) async fn shutdown(&mut self) {
        self.0.shutdown().await.unwrap();
    }

    /// Returns whether a response has begun to arrive, or the connection has closed.
    pub(crate) fn is_answered(&mut self) -> bool {
        self.0.fill_buf().now_or_never().is_some()
    }

    /// Returns the head of the next response, and discards its body.
    pub(crate) async fn read_head(&mut self) -> Option<String> {
        timeout(TIMEOUT, read_response(&mut self.0)).await.expect("a response before the timeout")
    }
}

/// Reads a response. Returns its head and discards its body. Returns `None` if the connection closes.
async fn read_response(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    let head = head.to_ascii_lowercase();
    // The interim response `100 Continue` has no body.
    if head.starts_with("http/1.1 100") {
        return Some(head);
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?.parse().ok()?;
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(head)
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}
