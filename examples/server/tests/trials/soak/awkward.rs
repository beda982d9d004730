//! Clients that send too much, too slowly or nonsense, or disconnect in the middle.

use std::io;
use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::client::request;
use crate::session::{Key, create_key, session_cookie};
use crate::soak::load::{Actor, Load};

/// The pause between two connections of a client.
const PAUSE: Duration = Duration::from_secs(1);

/// The maximum time until the server closes a connection, longer than any timeout of the server.
const TIMEOUT: Duration = Duration::from_mins(1);

/// What a client does with a connection.
#[derive(Debug, Clone, Copy)]
enum Client {
    /// Connects and disconnects.
    Silent,
    /// Sends nothing until the server closes the connection.
    Waiting,
    /// Disconnects in the middle of the head.
    HalfHead,
    /// Disconnects in the middle of the body.
    HalfBody,
    /// Disconnects before it reads the response.
    NoReader,
    /// Sends the head byte by byte, and reads the response.
    Slow,
    /// Sends bytes that are no request.
    Nonsense,
}

const CLIENTS: [Client; 7] = [
    Client::Silent,
    Client::HalfHead,
    Client::HalfBody,
    Client::NoReader,
    Client::Slow,
    Client::Nonsense,
    Client::Waiting,
];

pub(super) async fn actors(load: &Load) -> Vec<Actor<'_>> {
    let cookie = session_cookie(&load.server, "ana").await;
    let key = create_key(&load.server, &cookie).await;
    let mut actors: Vec<Actor<'_>> = vec![Box::pin(send_invalid_bodies(load, key))];
    for client in CLIENTS {
        let key = create_key(&load.server, &cookie).await;
        actors.push(Box::pin(async move {
            load.repeat(PAUSE, async || {
                if let Err(error) = client.run(load, &key.token).await {
                    load.report(format_args!("{client:?}: {error}"));
                }
            })
            .await;
        }));
    }
    actors
}

impl Client {
    async fn run(self, load: &Load, token: &str) -> io::Result<()> {
        let host = load.server.address();
        let mut stream = TcpStream::connect(host).await?;
        let head =
            |method, path| format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n");
        match self {
            Self::Silent => Ok(()),
            Self::Waiting => read_to_end(&mut stream).await.map(drop),
            Self::HalfHead => stream.write_all(head("GET", "/api/v1/me").as_bytes()).await,
            Self::HalfBody => {
                let length = "content-type: application/json\r\ncontent-length: 9000\r\n\r\n{";
                stream.write_all((head("PATCH", "/api/v1/notes/wifi") + length).as_bytes()).await?;
                sleep(Duration::from_millis(100)).await;
                Ok(())
            }
            Self::NoReader => stream.write_all((head("GET", "/api/v1/read/tasks") + "\r\n").as_bytes()).await,
            Self::Slow => {
                stream.write_all((head("GET", "/api/v1/me") + "connection: close\r\nx-slow: ").as_bytes()).await?;
                for byte in [b"a", b"b", b"c", b"\r", b"\n", b"\r", b"\n"] {
                    sleep(Duration::from_millis(200)).await;
                    stream.write_all(byte).await?;
                }
                expect_status(&mut stream, &["200", "503"]).await
            }
            Self::Nonsense => {
                stream.write_all(b"\x16\x03\x01 nonsense \x00\r\n\r\n").await?;
                expect_status(&mut stream, &["400"]).await
            }
        }
    }
}

async fn expect_status(stream: &mut TcpStream, expected: &[&str]) -> io::Result<()> {
    let answer = read_to_end(stream).await?;
    let answer = String::from_utf8_lossy(&answer);
    if answer.split(' ').nth(1).is_some_and(|status| expected.contains(&status)) {
        return Ok(());
    }
    Err(io::Error::other(format!("expected {expected:?}: {answer}")))
}

async fn read_to_end(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut answer = Vec::new();
    timeout(TIMEOUT, stream.read_to_end(&mut answer)).await??;
    Ok(answer)
}

/// Sends bodies that are too large, no JSON, of a wrong type, or invalid.
async fn send_invalid_bodies(load: &Load, key: Key) {
    load.repeat(PAUSE, async || {
        for (body, media_type, status) in [
            (format!(r#"{{"title":"{}"}}"#, "a".repeat(1_300 * 1024)), "application/json", 413),
            (r#"{"title":"#.to_owned(), "application/json", 400),
            (r#"{"title":"a"}"#.to_owned(), "text/plain", 415),
            (r#"{"title":"","unknown":1}"#.to_owned(), "application/json", 422),
        ] {
            let creation = request(&load.server, "POST", "/api/v1/tasks").bearer_auth(&key.token);
            load.send(creation.header(CONTENT_TYPE, media_type).body(body), &[status]).await;
        }
    })
    .await;
}
