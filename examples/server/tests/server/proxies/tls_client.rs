//! A client that connects over TLS from a chosen address.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1;
use hyper::http::request::Builder;
use hyper_util::rt::TokioIo;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::client::Response;

/// The name in the configurations and in the certificate.
pub(crate) const NAME: &str = "family.example";

/// Connects to a proxy as a client on the internet does. Every request has its own connection.
pub(crate) struct TlsClient {
    connector: TlsConnector,
    plain: SocketAddr,
    tls: SocketAddr,
}

impl TlsClient {
    pub(crate) fn new(certificate: CertificateDer<'static>, plain: SocketAddr, tls: SocketAddr) -> Self {
        let mut roots = RootCertStore::empty();
        roots.add(certificate).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions().unwrap().with_root_certificates(roots);
        Self { connector: Arc::new(config.with_no_client_auth()).into(), plain, tls }
    }

    /// Sends a request to the port for TLS, from a loopback address.
    pub(crate) async fn send(&self, from: Ipv4Addr, request: Builder, body: &str) -> Response {
        exchange(self.connect(from).await, request, body).await
    }

    /// Opens a connection to the port for TLS, from a loopback address.
    pub(crate) async fn connect(&self, from: Ipv4Addr) -> TlsStream<TcpStream> {
        let name = ServerName::try_from(NAME).unwrap();
        self.connector.connect(name, connect(from, self.tls).await).await.unwrap()
    }

    /// Sends a `GET` request to the port without TLS.
    pub(crate) async fn send_plain(&self, path: &str) -> Response {
        exchange(connect(Ipv4Addr::LOCALHOST, self.plain).await, Request::get(path), "").await
    }
}

async fn connect(from: Ipv4Addr, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((from, 0).into()).unwrap();
    socket.connect(to).await.unwrap()
}

/// Sends one request on an open connection.
pub(crate) async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Builder,
    body: &str,
) -> Response {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
    // The proxy may close the connection without an announcement.
    tokio::spawn(connection);
    let request = request.header("host", NAME).body(Full::new(Bytes::copy_from_slice(body.as_bytes()))).unwrap();
    let (head, body) = sender.send_request(request).await.unwrap().into_parts();
    let text = String::from_utf8(body.collect().await.unwrap().to_bytes().into()).unwrap();
    Response { status: head.status.as_u16(), headers: head.headers, text }
}
