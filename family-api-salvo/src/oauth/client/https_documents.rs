//! Fetches metadata documents over HTTPS, guarded against server-side request forgery.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use rustls::ClientConfig;
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::net::lookup_host;
use tokio::sync::OnceCell;

use crate::oauth::client::public_address::is_public;
use crate::oauth::client::{ClientDocuments, FetchError};

/// Maximum size of a document, in bytes (draft-ietf-oauth-client-id-metadata-document, section 6.6).
const MAX_SIZE: usize = 5 * 1_024;

/// Timeout of a fetch, from the resolution of the name to the last byte.
const TIMEOUT: Duration = Duration::from_secs(3);

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Fetches documents from public addresses. Uses no proxy, follows no redirect and keeps no connection open.
///
/// The TLS configuration is loaded at the first fetch, so a server without clients of this kind does not pay for it.
#[derive(Default)]
pub(crate) struct HttpsDocuments {
    client: OnceCell<Client>,
}

impl HttpsDocuments {
    async fn client(&self) -> Result<&Client, FetchError> {
        let built = self.client.get_or_try_init(|| async { build_client(PublicAddresses, tls()?) }).await;
        built.map_err(|error: BoxError| {
            tracing::error!(%error, "cannot fetch metadata documents of clients");
            FetchError::Unreachable("this service has no certificates to verify the site".to_owned())
        })
    }
}

/// Uses ring, which the connections to PostgreSQL use too, and the certificates of the operating system.
fn tls() -> Result<ClientConfig, BoxError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(config.with_platform_verifier()?.with_no_client_auth())
}

fn build_client(resolver: impl Resolve + 'static, tls: ClientConfig) -> Result<Client, BoxError> {
    let client = Client::builder()
        .tls_backend_preconfigured(tls)
        .dns_resolver(resolver)
        .https_only(true)
        .no_proxy()
        .redirect(Policy::none())
        .timeout(TIMEOUT)
        .pool_max_idle_per_host(0)
        .build()?;
    Ok(client)
}

/// Resolves names with the operating system. The connection uses the addresses that were checked.
struct PublicAddresses;

impl Resolve for PublicAddresses {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let addresses: Vec<SocketAddr> = lookup_host((name.as_str(), 0)).await?.collect();
            require_all(addresses, is_public)
        })
    }
}

/// Returns the addresses if all of them are allowed.
fn require_all(addresses: Vec<SocketAddr>, is_allowed: fn(IpAddr) -> bool) -> Result<Addrs, BoxError> {
    if addresses.iter().all(|address| is_allowed(address.ip())) {
        Ok(Box::new(addresses.into_iter()))
    } else {
        Err("the name resolves to an address that is not public".into())
    }
}

#[async_trait]
impl ClientDocuments for HttpsDocuments {
    async fn fetch(&self, url: &str) -> Result<Bytes, FetchError> {
        let response = self.client().await?.get(url).header(ACCEPT, "application/json").send().await;
        let response = response.map_err(|error| unreachable(&error))?;
        check_status(response.status())?;
        if !is_json(&response) {
            return Err(FetchError::Refused("the site does not respond with JSON".to_owned()));
        }
        read_body(response).await
    }
}

fn unreachable(error: &reqwest::Error) -> FetchError {
    tracing::debug!(error = error as &dyn std::error::Error, "cannot fetch a metadata document");
    FetchError::Unreachable("the site cannot be reached".to_owned())
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

/// Returns whether the type is `application/json` or `application/…+json`.
fn is_json(response: &Response) -> bool {
    let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = content_type.and_then(|value| value.split(';').next()).unwrap_or_default();
    let essence = essence.trim().to_ascii_lowercase();
    let subtype = essence.strip_prefix("application/").unwrap_or_default();
    subtype == "json" || subtype.ends_with("+json")
}

async fn read_body(mut response: Response) -> Result<Bytes, FetchError> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| unreachable(&error))? {
        if body.len() + chunk.len() > MAX_SIZE {
            return Err(FetchError::Refused(format!("the site responds with more than {MAX_SIZE} bytes")));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

#[cfg(test)]
mod tests;
