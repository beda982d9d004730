//! A small OpenTelemetry collector, which keeps the spans that it receives.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A collector. Clones share its spans.
#[derive(Clone)]
pub(crate) struct Collector {
    /// The URL for `OTEL_EXPORTER_OTLP_ENDPOINT`.
    pub(crate) url: String,
    status: Arc<AtomicU16>,
    requests: Arc<Mutex<Vec<ExportTraceServiceRequest>>>,
}

impl Collector {
    /// Starts a collector that answers with a status.
    pub(crate) fn start(status: u16) -> Self {
        Self::listen("http://127.0.0.1", status, Self::serve)
    }

    /// Starts a collector with TLS. Returns it, and its certificate as PEM.
    pub(crate) fn start_with_tls() -> (Self, String) {
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let config = Arc::new(config.with_single_cert(vec![cert.der().clone()], key).unwrap());
        let serve = move |collector: &Self, connection| {
            let tls = ServerConnection::new(Arc::clone(&config)).unwrap();
            collector.serve(StreamOwned::new(tls, connection));
        };
        (Self::listen("https://localhost", 200, serve), cert.pem())
    }

    fn listen(host: &str, status: u16, serve: impl Fn(&Self, TcpStream) + Clone + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("{host}:{}", listener.local_addr().unwrap().port());
        let collector = Self { url, status: Arc::new(status.into()), requests: Arc::default() };
        let accepting = collector.clone();
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (serving, serve) = (accepting.clone(), serve.clone());
                thread::spawn(move || serve(&serving, connection.unwrap()));
            }
        });
        collector
    }

    /// Sets the status of the next answers.
    pub(crate) fn answer_with(&self, status: u16) {
        self.status.store(status, Ordering::SeqCst);
    }

    /// Returns all spans of requests that were answered with 200.
    pub(crate) fn spans(&self) -> Vec<Span> {
        let requests = self.requests.lock().unwrap();
        let resources = requests.iter().flat_map(|request| request.resource_spans.clone());
        resources.flat_map(|resource| resource.scope_spans).flat_map(|scope| scope.spans).collect()
    }

    /// Returns an attribute of the server that sent the spans.
    pub(crate) fn resource(&self, name: &str) -> Option<String> {
        let requests = self.requests.lock().unwrap();
        attribute(&requests.first()?.resource_spans[0].resource.as_ref()?.attributes, name)
    }

    fn serve(&self, connection: impl Read + Write) {
        let mut reader = BufReader::new(connection);
        while let Some(body) = read_request(&mut reader) {
            let status = self.status.load(Ordering::SeqCst);
            if status == 200 {
                self.requests.lock().unwrap().push(ExportTraceServiceRequest::decode(&*body).unwrap());
            }
            let head = format!("HTTP/1.1 {status} Status\r\ncontent-length: 0\r\n\r\n");
            let connection = reader.get_mut();
            connection.write_all(head.as_bytes()).and_then(|()| connection.flush()).unwrap();
        }
    }
}

/// Reads a request to the path of OTLP. Returns its body, or `None` at the end of the connection. A client that does
/// not trust the certificate ends the connection with an error.
fn read_request(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return None;
        }
    }
    assert!(head.starts_with("POST /v1/traces HTTP/1.1\r\n"), "{head}");
    let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap()];
    reader.read_exact(&mut body).unwrap();
    Some(body)
}

/// Returns the text of an attribute.
pub(crate) fn attribute(attributes: &[KeyValue], name: &str) -> Option<String> {
    let attribute = attributes.iter().find(|attribute| attribute.key == name)?;
    match attribute.value.clone()? {
        AnyValue { value: Some(Value::StringValue(text)) } => Some(text),
        AnyValue { value: Some(Value::IntValue(number)) } => Some(number.to_string()),
        other => panic!("{other:?}"),
    }
}
