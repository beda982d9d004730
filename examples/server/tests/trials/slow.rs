//! Clients that are slow or do nothing: they cost a connection, and nobody else's time.

use std::cell::Cell;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::family::{self, task};
use crate::figures::Figures;
use crate::latencies::Latencies;
use crate::sandbox::{Sandbox, Server};
use crate::session::{cookie, create_key};
use crate::size;
use crate::wire::{Connection, with_token};

/// How long a slow client waits before it goes on.
const PAUSE: Duration = Duration::from_millis(200);
/// How many come at once: who has not been answered yet is not slow, and more than these would be a rush, which is the
/// trial of overload.
const NEWCOMERS: usize = 16;
/// How long an honest answer may take before it counts as hung.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The ways to be slow. Each is cut off some time, and comes again.
#[derive(Debug, Clone, Copy)]
enum Slowness {
    /// A byte of the head now and then.
    Head,
    /// The head at once, and a byte of the body now and then.
    Body,
    /// Many requests at once, and none of the answers is read.
    Deaf,
    /// Asks nothing.
    Idle,
    /// Has asked once.
    Kept,
}

#[tokio::test]
async fn honest_requests_succeed_beside_slow_and_idle_clients() {
    let sandbox = families();
    let server = sandbox.serve_with(&["--rate-limit", "off"], &[("FAMILY_API_LOG", "error")]);
    let key = create_key(&server, &cookie(&server, "ana").await).await;
    let [slow, idle] = size([20, 50], [100, 250]);
    let mut crowd = vec![Slowness::Head; slow];
    crowd.extend(vec![Slowness::Body; slow]);
    crowd.extend(vec![Slowness::Deaf; slow]);
    crowd.extend(vec![Slowness::Idle; idle]);
    crowd.extend(vec![Slowness::Kept; idle]);
    let (entrance, standing, cut) = (Semaphore::new(NEWCOMERS), Cell::new(0), Cell::new(0));
    let everybody = crowd.iter().map(async |slowness| {
        loop {
            let mut stream = slowness.come(&server, &key.token, &entrance).await;
            standing.set(standing.get() + 1);
            while slowness.goes_on(&mut stream).await {}
            standing.set(standing.get() - 1);
            cut.set(cut.get() + 1);
        }
    });
    let honest = honest(&server, &key.token, &standing, crowd.len());
    let latencies = tokio::select! {
        latencies = honest => latencies,
        _ = join_all(everybody) => unreachable!("who is cut off comes again"),
    };
    let mut figures = Figures::of("Slow and idle clients");
    figures.add("slow in the head / in the body / deaf, each", slow);
    figures.add("idle", 2 * idle);
    figures.add("were cut off and came again", cut.get());
    figures.add("honest requests, all answered with 200", latencies);
    figures.print();
}

fn families() -> Sandbox {
    let mut lines = family::lines();
    lines.extend((0..500).map(|number| task(&format!("t{number}"), "todo").to_string()));
    let sandbox = Sandbox::on_sqlite();
    let output = sandbox.import(&lines.join("\n"));
    assert!(output.status.success(), "{output:?}");
    sandbox
}

/// Asks when the whole crowd stands there, by turns on a new connection and on a kept one.
async fn honest(server: &Server, token: &str, standing: &Cell<usize>, crowd: usize) -> Latencies {
    let began = Instant::now();
    while standing.get() < crowd {
        sleep(Duration::from_millis(10)).await;
        assert!(began.elapsed() < TIMEOUT, "{} of {crowd} have come", standing.get());
    }
    let mut latencies = Latencies::default();
    let mut kept = Connection::open(server.address()).await.unwrap();
    let began = Instant::now();
    while latencies.len() < 50 || began.elapsed() < size(Duration::from_secs(2), Duration::from_secs(90)) {
        for path in ["/api/v1/me", "/api/v1/read/tasks"] {
            let asked = Instant::now();
            let mut new = Connection::open(server.address()).await.unwrap();
            let connection = if latencies.len() % 4 < 2 { &mut new } else { &mut kept };
            let answer = timeout(TIMEOUT, connection.ask(with_token(token, "GET", path, None))).await;
            assert_eq!(answer.unwrap().unwrap().status, 200);
            latencies.push(asked.elapsed());
        }
    }
    latencies
}

impl Slowness {
    /// Connects, and has been answered if there is something to be answered.
    async fn come(self, server: &Server, token: &str, entrance: &Semaphore) -> TcpStream {
        let _turn = entrance.acquire().await.unwrap();
        let mut stream = self.connect(server).await;
        let head = |method, path| format!("{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n");
        let begin = match self {
            Self::Head => head("GET", "/api/v1/me") + "x-slow: ",
            Self::Body => {
                head("PATCH", "/api/v1/notes/wifi") + "content-type: application/json\r\ncontent-length: 99999\r\n\r\n"
            }
            Self::Deaf => (head("GET", "/api/v1/read/tasks") + "\r\n").repeat(size(20, 200)),
            Self::Idle => String::new(),
            Self::Kept => head("GET", "/api/v1/me") + "\r\n",
        };
        stream.write_all(begin.as_bytes()).await.unwrap();
        match self {
            Self::Head | Self::Body | Self::Idle => {}
            Self::Deaf => stream.readable().await.unwrap(),
            Self::Kept => assert_ne!(stream.read(&mut [0; 1024]).await.unwrap(), 0),
        }
        stream
    }

    async fn connect(self, server: &Server) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        if matches!(self, Self::Deaf) {
            socket.set_recv_buffer_size(4096).unwrap();
        }
        socket.connect(server.address().parse().unwrap()).await.unwrap()
    }

    /// Whether the connection stands after another pause.
    async fn goes_on(self, stream: &mut TcpStream) -> bool {
        let more: &[u8] = match self {
            Self::Head | Self::Body => b"a",
            // Blank lines before a request are passed over.
            Self::Deaf => b"\r\n",
            Self::Idle | Self::Kept => b"",
        };
        if stream.write_all(more).await.is_err() {
            return false;
        }
        if matches!(self, Self::Deaf) {
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
