//! Fetches metadata documents over HTTPS, guarded against server-side request forgery.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::{Either, select};
use http::header::{ACCEPT, CONTENT_TYPE, HOST};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt, Empty, LengthLimitError, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::net::{TcpStream, lookup_host};
use tokio::sync::OnceCell;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::oauth::client::document_url::DocumentUrl;
use crate::oauth::client::fetch_permits::FetchPermits;
use crate::oauth::client::public_address::is_public;
use crate::oauth::client::{ClientDocuments, FetchError};

const PORT: u16 = 443;

/// Maximum size of a document, in bytes (draft-ietf-oauth-client-id-metadata-document, section 6.6).
const MAX_SIZE: usize = 5 * 1_024;

/// Maximum size of the head of a response, in bytes.
const MAX_HEAD_SIZE: usize = 16 * 1_024;

/// Timeout of a fetch, from the resolution of the name to the last byte.
const TIMEOUT: Duration = Duration::from_secs(3);

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Fetches documents from public addresses, each over a connection of its own. There is no proxy and no redirect.
///
/// The TLS configuration is loaded at the first fetch, so a server without clients of this kind does not pay for it.
///
/// reqwest does not fit: it has no limit for the head below 400 KiB, and its feature `rustls-no-provider` would let
/// `reqwest::Client::new` panic in a host that installs no TLS provider.
pub(crate) struct HttpsDocuments {
    tls: OnceCell<TlsConnector>,
    names: Names,
    is_allowed: fn(IpAddr) -> bool,
}

/// How names are resolved.
enum Names {
    /// By the operating system, in threads that cannot be stopped. The permits bound the threads.
    System(FetchPermits),
    /// Every name has this address.
    #[cfg(test)]
    Fixed(SocketAddr),
}

impl Default for HttpsDocuments {
    fn default() -> Self {
        Self { tls: OnceCell::new(), names: Names::System(FetchPermits::default()), is_allowed: is_public }
    }
}

impl Names {
    async fn resolve(&self, host: &str) -> io::Result<Vec<SocketAddr>> {
        match self {
            Self::System(permits) => {
                let permit = permits.take(host).ok_or_else(|| io::Error::other("too many names are being resolved"))?;
                let host = host.to_owned();
                // The task goes on after a timeout of the fetch, and so keeps the permit.
                let resolution = tokio::spawn(async move {
                    let _permit = permit;
                    Ok(lookup_host((host, PORT)).await?.collect())
                });
                resolution.await.map_err(io::Error::other)?
            }
            #[cfg(test)]
            Self::Fixed(address) => Ok(vec![*address]),
        }
    }
}

#[async_trait]
impl ClientDocuments for HttpsDocuments {
    async fn fetch(&self, url: &str) -> Result<Bytes, FetchError> {
        let url: DocumentUrl = url.parse().map_err(|_| FetchError::Refused("the URL is not allowed".to_owned()))?;
        timeout(TIMEOUT, self.get(&url)).await.unwrap_or_else(|elapsed| Err(unreachable(elapsed)))
    }
}

impl HttpsDocuments {
    async fn get(&self, url: &DocumentUrl) -> Result<Bytes, FetchError> {
        let stream = self.connect(url.host()).await.map_err(unreachable)?;
        let mut http = http1::Builder::new();
        let handshake = http.max_buf_size(MAX_HEAD_SIZE).handshake(TokioIo::new(stream)).await;
        let (mut sender, connection) = handshake.map_err(unreachable)?;
        let request = Request::get(url.path_and_query()).header(HOST, url.host()).header(ACCEPT, "application/json");
        let request = request.body(Empty::<Bytes>::new()).map_err(unreachable)?;
        let exchange = async {
            let response = sender.send_request(request).await.map_err(unreachable)?;
            check_status(response.status())?;
            check_type(response.headers())?;
            let body = Limited::new(response.into_body(), MAX_SIZE).collect().await.map_err(body_error)?;
            Ok(body.to_bytes())
        };
        // The connection makes progress only while it is polled. When this function returns, it closes.
        match select(pin!(exchange), pin!(connection)).await {
            Either::Left((document, _)) => document,
            Either::Right((_, exchange)) => exchange.await,
        }
    }

    /// Connects to one of the addresses that were checked. The name is not resolved again.
    async fn connect(&self, host: &str) -> Result<TlsStream<TcpStream>, BoxError> {
        let addresses = self.names.resolve(host).await?;
        if !addresses.iter().all(|address| (self.is_allowed)(address.ip())) {
            return Err("the name resolves to an address that is not public".into());
        }
        let tls = self.tls.get_or_try_init(|| async { tls() }).await?;
        let stream = TcpStream::connect(addresses.as_slice()).await?;
        Ok(tls.connect(ServerName::try_from(host.to_owned())?, stream).await?)
    }
}

/// Uses ring, which the connections to PostgreSQL use too, and the certificates of the operating system.
fn tls() -> Result<TlsConnector, BoxError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(TlsConnector::from(Arc::new(config.with_platform_verifier()?.with_no_client_auth())))
}

fn unreachable(error: impl Into<BoxError>) -> FetchError {
    let error = error.into();
    tracing::debug!(error = error.as_ref() as &dyn std::error::Error, "cannot fetch a metadata document");
    FetchError::Unreachable("the site cannot be reached".to_owned())
}

fn body_error(error: BoxError) -> FetchError {
    if error.is::<LengthLimitError>() {
        FetchError::Refused(format!("the site responds with more than {MAX_SIZE} bytes"))
    } else {
        unreachable(error)
    }
}

fn check_status(status: StatusCode) -> Result<(), FetchError> {
    let reason = || format!("the site responds with status {}", status.as_u16());
    match status {
        StatusCode::OK => Ok(()),
        StatusCode::TOO_MANY_REQUESTS => Err(FetchError::Unreachable(reason())),
        status if status.is_server_error() => Err(FetchError::Unreachable(reason())),
        _ => Err(FetchError::Refused(reason())),
    }
}

/// Checks that the type is `application/json` or `application/…+json`.
fn check_type(headers: &HeaderMap) -> Result<(), FetchError> {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = content_type.and_then(|value| value.split(';').next()).unwrap_or_default();
    let essence = essence.trim().to_ascii_lowercase();
    match essence.strip_prefix("application/") {
        Some(subtype) if subtype == "json" || subtype.ends_with("+json") => Ok(()),
        _ => Err(FetchError::Refused("the site does not respond with JSON".to_owned())),
    }
}

#[cfg(test)]
mod tests;
