//! Certificates.

use std::sync::Arc;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use super::{assert_fails, doctor};
use crate::sandbox::{Sandbox, run};

/// Answers every request with 404 over TLS, with a certificate that it signed itself.
struct TlsServer {
    _runtime: Runtime,
    url: String,
    certificate: String,
}

impl TlsServer {
    fn start() -> Self {
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let config = config.with_single_cert(vec![cert.der().clone()], key).unwrap();
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        runtime.spawn(serve(listener, TlsAcceptor::from(Arc::new(config))));
        Self { _runtime: runtime, url, certificate: cert.pem() }
    }
}

async fn serve(listener: TcpListener, acceptor: TlsAcceptor) {
    while let Ok((stream, _)) = listener.accept().await {
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            // The client refuses the handshake if it does not trust the certificate.
            if let Ok(mut stream) = acceptor.accept(stream).await {
                // The request fits into one read.
                let _ = stream.read(&mut [0; 4_096]).await;
                let _ =
                    stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await;
                let _ = stream.shutdown().await;
            }
        });
    }
}

#[test]
fn a_certificate_without_a_trusted_authority_is_refused() {
    assert_fails(&doctor(&TlsServer::start().url), "https", "invalid peer certificate");
}

#[test]
fn a_trusted_certificate_is_valid() {
    let server = TlsServer::start();
    let sandbox = Sandbox::new();
    let authorities = sandbox.file("authorities.pem", &server.certificate, 0o600);
    let run = run(sandbox.command(&["doctor", &server.url]).env("SSL_CERT_FILE", authorities));
    assert!(run.out.contains("ok       https: the certificate is valid"), "{run:?}");
}

#[test]
fn plain_http_on_the_port_of_https_is_refused() {
    let sandbox = Sandbox::new();
    assert_fails(&doctor(&sandbox.service.url.replace("http://", "https://")), "https", "speaks plain HTTP");
}
