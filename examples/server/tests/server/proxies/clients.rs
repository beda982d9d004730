//! The ways of a client to a proxy.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use reqwest::Certificate;
use reqwest::header::{HOST, HeaderMap, HeaderValue};

use crate::client::{self, Destination};

/// The name in the configurations and in the certificate.
pub(crate) const NAME: &str = "family.example";

/// Connects to a proxy as clients on the internet do.
pub(crate) struct ProxyClients {
    pub(super) certificate: Certificate,
    pub(super) plain: SocketAddr,
    pub(super) tls: SocketAddr,
}

impl ProxyClients {
    /// Returns the port for TLS, with a new client that connects from a loopback address.
    pub(crate) fn at(&self, from: Ipv4Addr) -> Destination {
        destination("https", from, self.tls, [self.certificate.clone()])
    }

    /// Returns the port without TLS.
    pub(crate) fn without_tls(&self) -> Destination {
        destination("http", Ipv4Addr::LOCALHOST, self.plain, [])
    }
}

fn destination<const N: usize>(scheme: &str, from: Ipv4Addr, to: SocketAddr, trusted: [Certificate; N]) -> Destination {
    // The port of the test is not part of the name.
    let host = HeaderMap::from_iter([(HOST, HeaderValue::from_static(NAME))]);
    let client = client::builder()
        .local_address(IpAddr::from(from))
        .resolve(NAME, to)
        .tls_certs_only(trusted)
        .default_headers(host);
    Destination { client: client.build().unwrap(), url: format!("{scheme}://{NAME}:{}", to.port()) }
}
