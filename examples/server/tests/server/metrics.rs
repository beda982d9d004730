//! `--metrics`: the counted requests, connections, storage calls and lookups.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::backend::{Backend, on_each_backend};
use crate::client::{call, send, with_token};
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};

/// Time in which a closed connection must not be counted any more.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A server with metrics.
pub(crate) struct Monitored {
    pub(crate) server: Server,
    url: String,
}

impl Monitored {
    /// Starts a server with metrics.
    pub(crate) fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let all = [&["serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"], arguments].concat();
        let server = sandbox.start(&all, &[], "metrics on ");
        let url = server.printed.lines().last().unwrap().strip_prefix("metrics on ").unwrap().to_owned();
        Self { server, url }
    }

    /// Reads the metrics.
    pub(crate) async fn text(&self) -> String {
        let answer = send(self.server.client.get(&self.url)).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/plain; version=0.0.4")));
        answer.text
    }

    /// Returns the value of a time series, such as `name{label="value"}`. A series that does not exist is 0.
    async fn value(&self, series: &str) -> u64 {
        let text = self.text().await;
        let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
        line.map_or(0, |number| number.parse().unwrap())
    }
}

/// Returns the names of the metrics in a text.
pub(crate) fn names(text: &str) -> BTreeSet<&str> {
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    types.map(|line| line.split(' ').next().unwrap()).collect()
}

/// Makes requests that give each metric a value: with a key, without a key, unknown paths, and a failing storage call.
pub(crate) async fn use_everything(sandbox: &Sandbox, server: &Server) {
    let cookie = session_cookie(server, "ana").await;
    let token = create_key(server, &cookie).await.token;
    for _ in 0..3 {
        assert_eq!(with_token(server, &token, "GET", "/api/v1/read/tasks", None).await.status, 200);
    }
    let body = Some(json!({ "title": "canary" }));
    assert_eq!(with_token(server, &token, "PATCH", "/api/v1/tasks/dentist", body).await.status, 200);
    assert_eq!(with_token(server, "fam_canary", "GET", "/api/v1/read/tasks?canary=1", None).await.status, 401);
    for (method, path, status) in [("CANARY", "/healthz", 405), ("GET", "/canary", 404), ("GET", "/api/canary", 404)] {
        assert_eq!(call(server, method, path).await.status, status, "{method} {path}");
    }
    sandbox.execute("ALTER TABLE notes RENAME TO canary").await;
    assert_eq!(with_token(server, &token, "GET", "/api/v1/read/notes", None).await.status, 500);
    sandbox.execute("ALTER TABLE canary RENAME TO notes").await;
}

on_each_backend! {
    requests_are_counted_by_route_method_and_status,
    storage_calls_and_lookups_are_measured,
    no_label_has_text_of_a_request_or_of_a_family,
}

async fn requests_are_counted_by_route_method_and_status(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let monitored = Monitored::start(&sandbox, &[]);
    use_everything(&sandbox, &monitored.server).await;
    for (route, method, status, count) in [
        ("/api/v1/read/{resource}", "GET", 200, 3),
        ("/api/v1/read/{resource}", "GET", 401, 1),
        ("/api/v1/read/{resource}", "GET", 500, 1),
        ("/api/v1/tasks/{id}", "PATCH", 200, 1),
        ("/healthz", "other", 405, 1),
        ("/{**rest}", "GET", 404, 1),
        ("/api/{**rest}", "GET", 404, 1),
        ("/login", "POST", 200, 1),
    ] {
        let labels = format!(r#"{{method="{method}",route="{route}",status="{status}"}}"#);
        let counted = monitored.value(&format!("family_api_http_requests_total{labels}")).await;
        assert_eq!(counted, count, "{labels}\n{}", monitored.text().await);
    }
    let durations = "family_api_http_request_duration_seconds";
    for series in [r#"_count{route="/login"}"#, r#"_bucket{route="/login",le="+Inf"}"#] {
        assert_eq!(monitored.value(&format!("{durations}{series}")).await, 1);
    }
}

async fn storage_calls_and_lookups_are_measured(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let monitored = Monitored::start(&sandbox, &["--max-connections", "50", "--connections", "3"]);
    use_everything(&sandbox, &monitored.server).await;
    let calls = |method| format!(r#"family_api_storage_call_duration_seconds_count{{method="{method}"}}"#);
    let expected = [
        ("find_key", 5),
        ("list_tasks", 1),
        ("list_notes", 1),
        ("write_record", 1),
        // The sign-in, and the session in which the key is created.
        ("find_password", 1),
        ("insert_session", 1),
        ("find_session", 1),
    ];
    for (method, count) in expected {
        assert_eq!(monitored.value(&calls(method)).await, count, "{method}");
    }
    let errors = r#"family_api_storage_call_errors_total{error="failed",method="list_notes"}"#;
    assert_eq!(monitored.value(errors).await, 1, "{}", monitored.text().await);
    for (result, count) in [("hit", 2), ("miss", 2), ("coalesced", 0)] {
        let series = format!(r#"family_api_document_cache_lookups_total{{result="{result}"}}"#);
        assert_eq!(monitored.value(&series).await, count, "{result}");
    }
    assert_eq!(monitored.value("family_api_token_lookups_total").await, 5);
    let pool = if backend == Backend::Sqlite { "readers" } else { "pool" };
    assert_eq!(monitored.value(&format!(r#"family_api_database_connections_max{{pool="{pool}"}}"#)).await, 3);
    assert_eq!(monitored.value("family_api_connections_max").await, 50);
    // The log does not contain the events that are measured.
    assert!(monitored.server.stop().success());
    let log = sandbox.log();
    assert!(log.contains("list_notes") || log.contains("ERROR"), "{log}");
    assert!(!log.contains("storage::call") && !log.contains("nanoseconds"), "{log}");
}

async fn no_label_has_text_of_a_request_or_of_a_family(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let monitored = Monitored::start(&sandbox, &[]);
    use_everything(&sandbox, &monitored.server).await;
    let text = monitored.text().await;
    for secret in ["canary", "CANARY", "ana", "rivera", "fam_", "dentist", "127.0.0.1"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

/// Sends raw bytes, and reads the answer.
fn send_raw(address: &str, request: &str) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    // The server may close the connection before the end of an invalid request.
    let _ = stream.read_to_end(&mut vec![]);
}

#[tokio::test]
async fn random_methods_and_paths_add_no_series() {
    const PATHS: [&str; 16] = [
        "/{}",
        "/{}/{}",
        "//{}",
        "/%2e%2e/{}",
        "/login/{}",
        "/docs/{}",
        "/api/{}",
        "/api/v1/{}",
        "/api/v1/read/{}",
        "/api/v1/read/tasks/{}",
        "/api/v1/tasks/{}?{}={}",
        "/api/v1/tasks/{}/restore",
        "/api/users/me/mcp-tokens/{}",
        "/oauth/{}",
        "http://{}.example/{}",
        "{}",
    ];
    let sandbox = Sandbox::on_sqlite();
    let monitored = Monitored::start(&sandbox, &[]);
    let mut random = fastrand::Rng::with_seed(1);
    let mut series = vec![];
    for _ in 0..2 {
        for path in PATHS {
            for method in
                ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "zz{}", "ZZ{}"]
            {
                // Two letters that occur in no route and in no metric.
                let word = format!("zq{:016x}", random.u64(..));
                let line = format!("{method} {path} HTTP/1.1").replace("{}", &word);
                let request = format!("{line}\r\nhost: {word}\r\nx-request-id: {word}\r\nconnection: close\r\n\r\n");
                send_raw(monitored.server.address(), &request);
            }
        }
        let text = monitored.text().await;
        assert!(!text.to_lowercase().contains("zq"), "{text}");
        series.push(text.lines().filter(|line| line.starts_with("family_api_http_")).count());
    }
    // The second round of requests has other words, but the same series.
    assert!(series[0] > 100 && series[0] == series[1], "{series:?}");
}

#[tokio::test]
async fn rate_limited_requests_are_counted() {
    let sandbox = Sandbox::with_families(Backend::Sqlite).await;
    let monitored = Monitored::start(&sandbox, &["--rate-limit", "1"]);
    let token = create_key(&monitored.server, &session_cookie(&monitored.server, "ana").await).await.token;
    for status in [200, 429, 429] {
        assert_eq!(with_token(&monitored.server, &token, "GET", "/api/v1/me", None).await.status, status);
    }
    let refused = |reason| format!(r#"family_api_http_refused_requests_total{{reason="{reason}"}}"#);
    assert_eq!(monitored.value(&refused("rate_limit")).await, 2);
    assert_eq!(monitored.value(&refused("overload")).await, 0);
}

#[tokio::test]
async fn open_connections_are_counted() {
    let sandbox = Sandbox::on_sqlite();
    let monitored = Monitored::start(&sandbox, &[]);
    let open = "family_api_connections_open";
    assert_eq!(monitored.value(open).await, 0);
    let connect = || {
        let mut stream = TcpStream::connect(monitored.server.address()).unwrap();
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
        stream.read_exact(&mut [0; 12]).unwrap();
        stream
    };
    let streams: Vec<TcpStream> = (0..3).map(|_| connect()).collect();
    assert_eq!(monitored.value(open).await, 3);
    drop(streams);
    let began = Instant::now();
    while monitored.value(open).await > 0 {
        assert!(began.elapsed() < TIMEOUT, "closed connections are still counted");
    }
}

#[tokio::test]
async fn metrics_are_off_by_default_and_only_on_their_address() {
    let sandbox = Sandbox::on_sqlite();
    let server = sandbox.serve();
    assert_eq!(call(&server, "GET", "/metrics").await.status, 404);
    assert!(!server.printed.contains("metrics"));
    let monitored = Monitored::start(&sandbox, &[]);
    assert_eq!(call(&monitored.server, "GET", "/metrics").await.status, 404);
    let root = monitored.url.strip_suffix("/metrics").unwrap();
    for path in ["/", "/healthz", "/login", "/metrics/"] {
        let answer = send(monitored.server.client.get(format!("{root}{path}"))).await;
        assert_eq!(answer.problem(), (404, "not_found".to_owned()), "{path}");
    }
    let answer = send(monitored.server.client.post(&monitored.url)).await;
    assert_eq!(answer.problem(), (405, "method_not_allowed".to_owned()));
}

#[tokio::test]
async fn a_server_with_metrics_stops_while_a_connection_to_them_is_open() {
    let sandbox = Sandbox::on_sqlite();
    let monitored = Monitored::start(&sandbox, &[]);
    let address = monitored.url.strip_prefix("http://").unwrap().strip_suffix("/metrics").unwrap();
    let _silent = TcpStream::connect(address).unwrap();
    assert!(monitored.text().await.contains("family_api_build_info{version="));
    assert_eq!(monitored.server.stop().code(), Some(0));
}

/// Returns the buckets of each histogram's series, by the series without `le`.
fn buckets(text: &str) -> BTreeMap<String, Vec<u64>> {
    let mut buckets: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for line in text.lines().filter(|line| line.contains("_bucket{")) {
        let (series, number) = line.rsplit_once(' ').unwrap();
        let (series, _) = series.split_once(r#"le=""#).unwrap();
        buckets.entry(series.to_owned()).or_default().push(number.parse().unwrap());
    }
    buckets
}

#[tokio::test]
async fn the_buckets_of_a_histogram_are_cumulative() {
    let sandbox = Sandbox::with_families(Backend::Sqlite).await;
    let monitored = Monitored::start(&sandbox, &[]);
    use_everything(&sandbox, &monitored.server).await;
    let buckets = buckets(&monitored.text().await);
    assert!(buckets.len() > 10, "{buckets:?}");
    assert!(buckets.values().all(|counts| counts.is_sorted() && counts.last() > Some(&0)), "{buckets:?}");
}
