use std::net::Ipv4Addr;
use std::sync::Mutex;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::PrivateKeyDer;
use rustls::{RootCertStore, ServerConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::*;

const HOST: &str = "client.example";
const URL: &str = "https://client.example/metadata.json";

/// What a silent site records when a connection closes.
const CLOSED: &str = "closed";

/// A site on a loopback address with a certificate for [`HOST`].
struct Site {
    address: SocketAddr,
    roots: RootCertStore,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Site {
    /// Sends this response to each request. If it is empty, sends nothing and waits until the connection closes.
    async fn start(response: impl Into<Vec<u8>>) -> Self {
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed([HOST.to_owned()]).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(cert.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let config = config.with_no_client_auth().with_single_cert(vec![cert.der().clone()], key).unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        tokio::spawn(serve(listener, TlsAcceptor::from(Arc::new(config)), response.into(), requests.clone()));
        Self { address, roots, requests }
    }

    /// Returns a fetcher that trusts the site's certificate, and resolves every name to the site's address.
    fn documents(&self, is_allowed: fn(IpAddr) -> bool) -> HttpsDocuments {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let tls = tls.with_root_certificates(self.roots.clone()).with_no_client_auth();
        let tls = OnceCell::new_with(Some(TlsConnector::from(Arc::new(tls))));
        HttpsDocuments { tls, names: Names::Fixed(self.address), is_allowed }
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn serve(listener: TcpListener, tls: TlsAcceptor, response: Vec<u8>, requests: Arc<Mutex<Vec<String>>>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let Ok(mut stream) = tls.accept(stream).await else { continue };
        let mut request = vec![0; 4_096];
        let length = stream.read(&mut request).await.unwrap();
        requests.lock().unwrap().push(String::from_utf8_lossy(&request[..length]).into_owned());
        if response.is_empty() {
            // Returns when the connection closes.
            let _ = stream.read(&mut request).await;
            requests.lock().unwrap().push(CLOSED.to_owned());
        }
        let _ = stream.write_all(&response).await;
        let _ = stream.shutdown().await;
    }
}

fn response(head: &str, body: &str) -> String {
    format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

async fn fetch(response: impl Into<Vec<u8>>) -> Result<Bytes, FetchError> {
    Site::start(response).await.documents(|_| true).fetch(URL).await
}

#[tokio::test]
async fn document_is_fetched_without_credentials() {
    let site = Site::start(response("200 OK\r\nContent-Type: application/json; charset=utf-8", "{}")).await;
    assert_eq!(site.documents(|_| true).fetch(URL).await, Ok(Bytes::from("{}")));
    let request = site.requests().concat().to_ascii_lowercase();
    assert!(request.starts_with("get /metadata.json http/1.1\r\n"), "{request}");
    assert!(request.contains("\r\nhost: client.example\r\n"), "{request}");
    for name in ["cookie", "authorization", "referer"] {
        assert!(!request.contains(name), "{request}");
    }
}

#[tokio::test]
async fn address_of_the_own_network_is_refused_before_a_connection() {
    let site = Site::start(response("200 OK\r\nContent-Type: application/json", "{}")).await;
    assert!(matches!(site.documents(is_public).fetch(URL).await, Err(FetchError::Unreachable(_))));
    assert_eq!(site.requests(), [""; 0]);
}

#[tokio::test]
async fn name_of_the_own_computer_is_refused() {
    let documents = HttpsDocuments::default();
    let error = documents.connect("localhost").await.unwrap_err();
    assert_eq!(error.to_string(), "the name resolves to an address that is not public");
    assert!(documents.tls.get().is_none());
}

#[tokio::test]
async fn any_other_url_is_refused() {
    let site = Site::start(response("200 OK\r\nContent-Type: application/json", "{}")).await;
    for url in ["http://client.example/metadata.json", "https://127.0.0.1/metadata.json", "file:///etc/passwd"] {
        assert!(matches!(site.documents(|_| true).fetch(url).await, Err(FetchError::Refused(_))), "{url}");
    }
    assert_eq!(site.requests(), [""; 0]);
}

#[tokio::test]
async fn certificate_of_an_unknown_authority_is_refused() {
    let site = Site::start(response("200 OK\r\nContent-Type: application/json", "{}")).await;
    let documents = HttpsDocuments { tls: OnceCell::new(), ..site.documents(|_| true) };
    assert!(matches!(documents.fetch(URL).await, Err(FetchError::Unreachable(_))));
    assert_eq!(site.requests(), [""; 0]);
}

#[tokio::test]
async fn redirect_is_not_followed() {
    let site = Site::start(response("302 Found\r\nLocation: https://client.example/other.json", "")).await;
    let fetched = site.documents(|_| true).fetch(URL).await;
    assert_eq!(fetched, Err(FetchError::Refused("the site responds with status 302".to_owned())));
    assert_eq!(site.requests().len(), 1);
}

#[tokio::test]
async fn only_json_with_status_200_is_a_document() {
    for (head, is_document) in [
        ("200 OK\r\nContent-Type: application/json", true),
        ("200 OK\r\nContent-Type: Application/JSON", true),
        ("200 OK\r\nContent-Type: application/oauth-client+json", true),
        ("200 OK\r\nContent-Type: text/html", false),
        ("200 OK\r\nContent-Type: text/json", false),
        ("200 OK", false),
        ("201 Created\r\nContent-Type: application/json", false),
        ("404 Not Found\r\nContent-Type: application/json", false),
    ] {
        let fetched = fetch(response(head, "{}")).await;
        assert_eq!(fetched.is_ok(), is_document, "{head}");
        assert!(!matches!(fetched, Err(FetchError::Unreachable(_))), "{head}");
    }
    for head in ["500 Oops", "503 Busy", "429 Slow Down"] {
        assert!(matches!(fetch(response(head, "{}")).await, Err(FetchError::Unreachable(_))), "{head}");
    }
}

#[tokio::test]
async fn document_has_at_most_5_kib() {
    let head = "200 OK\r\nContent-Type: application/json";
    assert!(fetch(response(head, &" ".repeat(MAX_SIZE))).await.is_ok());
    let too_large = " ".repeat(MAX_SIZE + 1);
    assert!(matches!(fetch(response(head, &too_large)).await, Err(FetchError::Refused(_))));
    let without_length = format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\n{too_large}");
    assert!(matches!(fetch(without_length).await, Err(FetchError::Refused(_))));
}

#[tokio::test]
async fn head_has_at_most_16_kib() {
    let head = |length| format!("200 OK\r\nContent-Type: application/json\r\nX: {}", "x".repeat(length));
    assert!(fetch(response(&head(MAX_HEAD_SIZE / 2), "{}")).await.is_ok());
    assert!(matches!(fetch(response(&head(MAX_HEAD_SIZE), "{}")).await, Err(FetchError::Unreachable(_))));
}

#[tokio::test]
async fn silent_site_is_given_up_and_disconnected() {
    let site = Site::start("").await;
    assert!(matches!(site.documents(|_| true).fetch(URL).await, Err(FetchError::Unreachable(_))));
    let closed = async {
        while site.requests().last().is_none_or(|last| last != CLOSED) {
            tokio::task::yield_now().await;
        }
    };
    timeout(TIMEOUT, closed).await.unwrap();
}
