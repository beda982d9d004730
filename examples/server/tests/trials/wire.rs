//! HTTP/1.1 connections without a connection pool, so that a trial controls when each one opens and closes.

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, HeaderMap, RETRY_AFTER};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

pub(crate) type Request = hyper::Request<Full<Bytes>>;

/// The reason why a request got no response.
pub(crate) type RequestError = Box<dyn std::error::Error + Send + Sync>;

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Reply {
    /// Returns whether the server refused the token: with 401, or with 429 after too many failed attempts.
    pub(crate) fn is_token_refusal(&self) -> bool {
        self.status == 401 || (self.status == 429 && self.is_retry_later())
    }

    /// Returns whether this is a complete 429 or 503: with `Retry-After` in seconds and a problem document.
    pub(crate) fn is_retry_later(&self) -> bool {
        let text = |name| self.headers.get(name).and_then(|value| value.to_str().ok());
        let has_retry_after = text(RETRY_AFTER).is_some_and(|seconds| seconds.parse::<u32>().is_ok());
        let has_problem = text(CONTENT_TYPE) == Some("application/problem+json");
        [429, 503].contains(&self.status) && has_retry_after && has_problem
    }
}

pub(crate) struct Connection(SendRequest<Full<Bytes>>);

impl Connection {
    pub(crate) async fn open(address: &str) -> Result<Self, RequestError> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Self::over(stream).await
    }

    /// Speaks HTTP over an open connection.
    pub(crate) async fn over(
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    ) -> Result<Self, RequestError> {
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // The task ends when the sender is dropped. Its errors also reach the sender.
        tokio::spawn(connection);
        Ok(Self(sender))
    }

    /// Returns whether the connection can take a request. The server may have closed it.
    pub(crate) async fn is_open(&mut self) -> bool {
        self.0.ready().await.is_ok()
    }

    /// Sends a request and reads the whole response.
    pub(crate) async fn send(&mut self, request: Request) -> Result<Reply, RequestError> {
        self.0.ready().await?;
        let (head, body) = self.0.send_request(request).await?.into_parts();
        Ok(Reply { status: head.status.as_u16(), headers: head.headers, body: body.collect().await?.to_bytes() })
    }
}

pub(crate) fn with_token(token: &str, method: &str, path: &str, body: Option<String>) -> Request {
    let request = hyper::Request::builder().header(AUTHORIZATION, format!("Bearer {token}"));
    with_body(request.method(method).uri(path), body)
}

/// Creates the request of a form. Its host is an address of this machine, where assistants can connect.
pub(crate) fn with_form(path: &str, fields: &[(&str, &str)]) -> Request {
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let request = hyper::Request::post(path).header(HOST, "127.0.0.1");
    request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(Full::from(body)).unwrap()
}

pub(crate) fn in_session(cookie: &str, method: &str, path: &str, body: Option<String>) -> Request {
    with_body(hyper::Request::builder().header(COOKIE, cookie).method(method).uri(path), body)
}

fn with_body(request: hyper::http::request::Builder, body: Option<String>) -> Request {
    let request = request.header(HOST, "family.example");
    match body {
        Some(body) => request.header(CONTENT_TYPE, "application/json").body(Full::from(body)),
        None => request.body(Full::default()),
    }
    .unwrap()
}
