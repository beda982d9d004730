//! Connections that a trial opens, keeps and loses itself, without a client's pool in between.

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, HeaderMap, RETRY_AFTER};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

pub(crate) type Request = hyper::Request<Full<Bytes>>;

/// Why there is no answer.
pub(crate) type Broken = Box<dyn std::error::Error + Send + Sync>;

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Reply {
    /// Whether the token was refused as nobody's; whoever fails too often is told so instead, when it was looked up.
    pub(crate) fn is_nobodys(&self) -> bool {
        self.status == 401 || (self.status == 429 && self.is_refusal())
    }

    /// Whether the server has refused for now, in the way that its callers can understand.
    pub(crate) fn is_refusal(&self) -> bool {
        let text = |name| self.headers.get(name).and_then(|value| value.to_str().ok());
        let waits = text(RETRY_AFTER).is_some_and(|seconds| seconds.parse::<u32>().is_ok());
        let explains = text(CONTENT_TYPE) == Some("application/problem+json");
        [429, 503].contains(&self.status) && waits && explains
    }
}

pub(crate) struct Connection(SendRequest<Full<Bytes>>);

impl Connection {
    pub(crate) async fn open(address: &str) -> Result<Self, Broken> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // It ends with the sender, who gets its errors too.
        tokio::spawn(connection);
        Ok(Self(sender))
    }

    /// Sends a request and reads its answer to the end.
    pub(crate) async fn ask(&mut self, request: Request) -> Result<Reply, Broken> {
        self.0.ready().await?;
        let (head, body) = self.0.send_request(request).await?.into_parts();
        Ok(Reply { status: head.status.as_u16(), headers: head.headers, body: body.collect().await?.to_bytes() })
    }
}

pub(crate) fn with_token(token: &str, method: &str, path: &str, body: Option<String>) -> Request {
    let request = hyper::Request::builder().header(AUTHORIZATION, format!("Bearer {token}"));
    finish(request.method(method).uri(path), body)
}

pub(crate) fn in_session(cookie: &str, method: &str, path: &str, body: Option<String>) -> Request {
    finish(hyper::Request::builder().header(COOKIE, cookie).method(method).uri(path), body)
}

fn finish(request: hyper::http::request::Builder, body: Option<String>) -> Request {
    let request = request.header(HOST, "family.example");
    match body {
        Some(body) => request.header(CONTENT_TYPE, "application/json").body(Full::from(body)),
        None => request.body(Full::default()),
    }
    .unwrap()
}
