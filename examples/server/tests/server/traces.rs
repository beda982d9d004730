//! The export of spans to an OpenTelemetry collector.

use std::fs;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;

use crate::backend::{Backend, on_each_backend};
use crate::client::{call, request, send, with_token};
use crate::collector::{Collector, attribute};
use crate::metrics::use_everything;
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

/// Sends spans soon, so that a test sees several exports.
const SHORT_DELAY: (&str, &str) = ("OTEL_BSP_SCHEDULE_DELAY", "50");

/// Time in which a line must be logged.
const TIMEOUT: Duration = Duration::from_secs(20);

on_each_backend! {
    a_request_and_its_storage_calls_are_one_trace,
    spans_have_no_text_of_a_request,
}

fn serve(sandbox: &Sandbox, collector: &Collector) -> Server {
    sandbox.serve_with(&[], &[(ENDPOINT, &collector.url)])
}

fn text(span: &Span, name: &str) -> Option<String> {
    attribute(&span.attributes, name)
}

/// Returns the span of a request.
fn request_span<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("no {name}: {spans:#?}"))
}

/// Returns the methods of the storage calls that are below a span.
fn storage_calls(spans: &[Span], root: &Span) -> Vec<String> {
    let children = spans.iter().filter(|span| span.parent_span_id == root.span_id);
    children.flat_map(|span| storage_calls(spans, span).into_iter().chain(text(span, "method"))).collect()
}

async fn a_request_and_its_storage_calls_are_one_trace(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let collector = Collector::start(200);
    let server = serve(&sandbox, &collector);
    let token = create_key(&server, &session_cookie(&server, "ana").await).await.token;
    let trace = 0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c_u128;
    let read = request(&server, "GET", "/api/v1/read/tasks").bearer_auth(&token);
    let read = read.header("traceparent", format!("00-{trace:032x}-b7ad6b7169203331-01")).header("x-request-id", "r-1");
    assert_eq!(send(read).await.status, 200);
    sandbox.execute("ALTER TABLE notes RENAME TO moved").await;
    assert_eq!(with_token(&server, &token, "GET", "/api/v1/read/notes", None).await.status, 500);
    // The last spans are sent when the server stops.
    assert_eq!(server.stop().code(), Some(0));

    let spans = collector.spans();
    let name = "GET /api/v1/read/{resource}";
    let read = spans.iter().find(|span| text(span, "request_id").is_some_and(|id| id == "r-1")).unwrap();
    assert_eq!((read.name.as_str(), read.kind()), (name, SpanKind::Server));
    let attributes = ["http.request.method", "http.route", "http.response.status_code"].map(|name| text(read, name));
    assert_eq!(attributes.map(Option::unwrap), ["GET", "/api/v1/read/{resource}", "200"]);
    // The client's `traceparent` is ignored.
    assert!(read.parent_span_id.is_empty() && read.trace_id != trace.to_be_bytes());
    let calls = storage_calls(&spans, read);
    assert!(calls.iter().any(|call| call == "list_tasks"), "{calls:?}");
    assert!(calls.iter().any(|call| call == "find_key"), "{calls:?}");
    let failed = spans.iter().find(|span| text(span, "http.response.status_code").is_some_and(|code| code == "500"));
    assert_eq!(failed.unwrap().status.as_ref().unwrap().code(), StatusCode::Error);
    let sign_in = storage_calls(&spans, request_span(&spans, "POST /login"));
    assert!(sign_in.contains(&"insert_session".to_owned()), "{sign_in:?}");
    assert_eq!(collector.resource("service.name").unwrap(), "family-api-server");
    assert_eq!(collector.resource("service.version").unwrap(), env!("CARGO_PKG_VERSION"));
}

async fn spans_have_no_text_of_a_request(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let collector = Collector::start(200);
    let server = serve(&sandbox, &collector);
    use_everything(&sandbox, &server).await;
    // A token in place of an id.
    let token = create_key(&server, &session_cookie(&server, "ana").await).await.token;
    let path = format!("/api/v1/notes/{token}");
    assert_eq!(with_token(&server, &token, "DELETE", &path, None).await.status, 404);
    assert!(server.stop().success());
    let spans = collector.spans();
    assert!(spans.len() > 20, "{spans:#?}");
    assert!(spans.iter().all(|span| span.events.is_empty()), "{spans:#?}");
    // The name of an operation begins as a session secret does.
    let text = format!("{spans:?}").replace("session_caller", "");
    for secret in ["canary", "CANARY", "@", "fam_", "session_", "127.0.0.1", "Rivera"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

#[tokio::test]
async fn variables_name_the_service() {
    let sandbox = Sandbox::on_sqlite();
    let collector = Collector::start(200);
    let variables = [
        (ENDPOINT, collector.url.as_str()),
        ("OTEL_SERVICE_NAME", "north"),
        ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test"),
    ];
    let server = sandbox.serve_with(&[], &variables);
    assert_eq!(call(&server, "GET", "/healthz").await.status, 200);
    assert!(server.stop().success());
    assert_eq!(collector.resource("service.name").unwrap(), "north");
    assert_eq!(collector.resource("deployment.environment.name").unwrap(), "test");
}

/// Makes requests until the log contains a text.
async fn request_until_logged(sandbox: &Sandbox, server: &Server, text: &str) {
    let began = Instant::now();
    while !sandbox.log().contains(text) {
        assert!(began.elapsed() < TIMEOUT, "{}", sandbox.log());
        assert_eq!(call(server, "GET", "/healthz").await.status, 200);
    }
}

#[tokio::test]
async fn only_the_first_failed_export_is_logged() {
    let sandbox = Sandbox::on_sqlite();
    let collector = Collector::start(400);
    let server = sandbox.serve_with(&[], &[(ENDPOINT, &collector.url), SHORT_DELAY]);
    request_until_logged(&sandbox, &server, "cannot export traces").await;
    assert!(collector.spans().is_empty());
    collector.answer_with(200);
    request_until_logged(&sandbox, &server, "traces are exported again").await;
    assert!(server.stop().success());
    assert!(!collector.spans().is_empty());
    assert_eq!(sandbox.log().matches("cannot export").count(), 1, "{}", sandbox.log());
}

#[tokio::test]
async fn a_silent_collector_delays_neither_requests_nor_the_stop() {
    let sandbox = Sandbox::on_sqlite();
    // Its connections are established, but nothing answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let variables = [(ENDPOINT, url.as_str()), SHORT_DELAY, ("OTEL_BSP_MAX_QUEUE_SIZE", "10")];
    let server = sandbox.serve_with(&[], &variables);
    let began = Instant::now();
    // The queue is full after 10 requests.
    for _ in 0..100 {
        assert_eq!(call(&server, "GET", "/healthz").await.status, 200);
    }
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    let began = Instant::now();
    assert_eq!(server.stop().code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}

#[tokio::test]
async fn the_certificate_of_a_collector_is_verified() {
    let sandbox = Sandbox::on_sqlite();
    let (collector, certificate) = Collector::start_with_tls();
    fs::write(sandbox.path("collector.pem"), certificate).unwrap();
    let endpoint = (ENDPOINT, collector.url.as_str());
    let server = sandbox.serve_with(&[], &[endpoint, SHORT_DELAY]);
    request_until_logged(&sandbox, &server, "cannot export traces").await;
    assert!(server.stop().success() && collector.spans().is_empty());

    let server = sandbox.serve_with(&[], &[endpoint, ("SSL_CERT_FILE", "collector.pem")]);
    assert_eq!(call(&server, "GET", "/healthz").await.status, 200);
    assert!(server.stop().success());
    assert!(!collector.spans().is_empty(), "{}", sandbox.log());
}

#[test]
fn an_invalid_endpoint_is_an_error() {
    let sandbox = Sandbox::on_sqlite();
    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    let output = command.env(ENDPOINT, "not a URL").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("cannot export traces: ") && error.lines().count() == 1, "{error}");
}
