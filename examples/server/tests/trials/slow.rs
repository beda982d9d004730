//! Slow and idle clients: each holds a connection, but does not delay the requests of other clients.

use std::cell::Cell;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::client::{Destination, client, with_token};
use crate::family::task;
use crate::figures::Figures;
use crate::latencies::Latencies;
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};
use crate::short_or_long;

/// The pause between two writes of a slow client.
const PAUSE: Duration = Duration::from_millis(200);
/// The maximum number of slow clients that connect at the same time. More slow clients would overload the server.
const MAX_CONNECTING: usize = 16;
/// The maximum time until all slow clients are connected, and for a response to a normal client.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The kinds of slow clients. The server closes each connection after some time, and the client connects again.
#[derive(Debug, Clone, Copy)]
enum Slowness {
    /// Sends the head byte by byte, with a pause after each byte.
    Head,
    /// Sends the head at once and the body byte by byte, with a pause after each byte.
    Body,
    /// Sends many requests at once and reads no response.
    Unread,
    /// Sends nothing.
    Idle,
    /// Sends one request, then keeps the connection open.
    KeptAlive,
}

#[tokio::test]
async fn slow_and_idle_clients_do_not_block_other_requests() {
    let sandbox = families();
    let server = sandbox.serve_with(&["--rate-limit", "off"], &[("FAMILY_API_LOG", "error")]);
    let key = create_key(&server, &session_cookie(&server, "ana").await).await;
    let [slow, idle] = short_or_long([20, 50], [100, 250]);
    let mut slow_clients = vec![Slowness::Head; slow];
    slow_clients.extend(vec![Slowness::Body; slow]);
    slow_clients.extend(vec![Slowness::Unread; slow]);
    slow_clients.extend(vec![Slowness::Idle; idle]);
    slow_clients.extend(vec![Slowness::KeptAlive; idle]);
    let connecting = Semaphore::new(MAX_CONNECTING);
    let connected = Cell::new(0);
    let closed = Cell::new(0);
    let clients = slow_clients.iter().map(async |slowness| {
        loop {
            let mut stream = slowness.open(&server, &key.token, &connecting).await;
            connected.set(connected.get() + 1);
            while slowness.continue_slowly(&mut stream).await {}
            connected.set(connected.get() - 1);
            closed.set(closed.get() + 1);
        }
    });
    let normal = send_normal_requests(&server, &key.token, &connected, slow_clients.len());
    let latencies = tokio::select! {
        latencies = normal => latencies,
        _ = join_all(clients) => unreachable!("slow clients reconnect forever"),
    };
    let mut figures = Figures::new("Slow and idle clients");
    figures.add("clients that are slow in the head, slow in the body, do not read: each", slow);
    figures.add("idle clients", 2 * idle);
    figures.add("closed connections, each opened again", closed.get());
    figures.add("normal requests, all answered with 200", latencies);
    figures.print();
}

fn families() -> Sandbox {
    Sandbox::on_sqlite().import_families().import_lines((0..500).map(|number| task(&format!("t{number}"), "todo")))
}

/// Waits until all slow clients are connected, then sends requests alternately on new connections and on a
/// persistent connection.
async fn send_normal_requests(server: &Server, token: &str, connected: &Cell<usize>, slow_clients: usize) -> Latencies {
    let began = Instant::now();
    while connected.get() < slow_clients {
        sleep(Duration::from_millis(10)).await;
        assert!(began.elapsed() < TIMEOUT, "{} of {slow_clients} slow clients are connected", connected.get());
    }
    let mut latencies = Latencies::default();
    let began = Instant::now();
    while latencies.len() < 50 || began.elapsed() < short_or_long(Duration::from_secs(2), Duration::from_secs(90)) {
        for path in ["/api/v1/me", "/api/v1/read/tasks"] {
            let sent = Instant::now();
            // A new client opens a new connection.
            let client = if latencies.len() % 4 < 2 { client() } else { server.client.clone() };
            let to = Destination { client, url: server.url.clone() };
            let answer = timeout(TIMEOUT, with_token(&to, token, "GET", path, None)).await;
            assert_eq!(answer.unwrap().status, 200);
            latencies.push(sent.elapsed());
        }
    }
    latencies
}

impl Slowness {
    /// Connects, sends the first bytes, and waits for the first response if the requests are complete.
    async fn open(self, server: &Server, token: &str, connecting: &Semaphore) -> TcpStream {
        let _permit = connecting.acquire().await.unwrap();
        let mut stream = self.connect(server).await;
        let head = |method, path| format!("{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n");
        let first_bytes = match self {
            Self::Head => head("GET", "/api/v1/me") + "x-slow: ",
            Self::Body => {
                head("PATCH", "/api/v1/notes/wifi") + "content-type: application/json\r\ncontent-length: 99999\r\n\r\n"
            }
            Self::Unread => (head("GET", "/api/v1/read/tasks") + "\r\n").repeat(short_or_long(20, 200)),
            Self::Idle => String::new(),
            Self::KeptAlive => head("GET", "/api/v1/me") + "\r\n",
        };
        stream.write_all(first_bytes.as_bytes()).await.unwrap();
        match self {
            Self::Head | Self::Body | Self::Idle => {}
            Self::Unread => stream.readable().await.unwrap(),
            Self::KeptAlive => assert_ne!(stream.read(&mut [0; 1024]).await.unwrap(), 0),
        }
        stream
    }

    async fn connect(self, server: &Server) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        if matches!(self, Self::Unread) {
            socket.set_recv_buffer_size(4096).unwrap();
        }
        socket.connect(server.address().parse().unwrap()).await.unwrap()
    }

    /// Sends more bytes and pauses. Returns whether the connection is still open.
    async fn continue_slowly(self, stream: &mut TcpStream) -> bool {
        let more: &[u8] = match self {
            Self::Head | Self::Body => b"a",
            // The server ignores blank lines before a request.
            Self::Unread => b"\r\n",
            Self::Idle | Self::KeptAlive => b"",
        };
        if stream.write_all(more).await.is_err() {
            return false;
        }
        if matches!(self, Self::Unread) {
            sleep(PAUSE).await;
            return true;
        }
        let mut answer = [0; 1024];
        match timeout(PAUSE, stream.read(&mut answer)).await {
            Ok(read) => read.is_ok_and(|length| length > 0),
            Err(_) => true,
        }
    }
}
