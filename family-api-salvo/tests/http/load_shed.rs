//! Requests above the limit of concurrent requests get 503.

use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use family_api_salvo::FamilyRoutes;
use futures_util::future::{join_all, poll_immediate};
use salvo::Router;
use salvo::http::Method;

use crate::fault_sweep::FaultInjection;
use crate::storages::{OnStorage, StorageKind, on_every_storage};
use crate::support::{App, Gate, TestServer, anonymous, bearer, session, token};

fn limit(number: usize) -> NonZeroUsize {
    number.try_into().unwrap()
}

/// Creates an app behind the gate, with one known session.
async fn app_with_gate(gate: &Gate, configure: impl FnOnce(FamilyRoutes) -> FamilyRoutes) -> App {
    let app = App::on(StorageKind::Memory).await;
    let app = app
        .with_routes(|api| Router::new().push(configure(FamilyRoutes::new(api).session(gate.clone())).into_router()));
    app.send_in_session("ann", Method::GET, "/api/users/me").await.assert_ok();
    app
}

#[tokio::test]
async fn requests_above_the_limit_get_503_at_once() {
    let gate = Gate::closed();
    let app = app_with_gate(&gate, |routes| routes.max_in_flight(limit(2))).await;
    let mut first = pin!(app.send_in_session("ann", Method::GET, "/api/users/me"));
    let mut second = pin!(app.send_in_session("ann", Method::GET, "/api/users/me/mcp-tokens"));
    assert!(poll_immediate(&mut first).await.is_none());
    app.send_with_token("ann-read", Method::GET, "/api/v1/me").await.assert_ok();
    assert!(poll_immediate(&mut second).await.is_none());
    for (request, vary) in [
        (bearer("ann-read", Method::GET, "/api/v1/me"), "Authorization"),
        (bearer("ann-read", Method::GET, "/api/mcp/read/notes"), "Authorization"),
        (session("ann", Method::GET, "/api/users/me"), "Cookie"),
    ] {
        let response = app.send(request).await;
        response.assert_problem(503, "unavailable");
        for (name, value) in [
            ("retry-after", "1"),
            ("cache-control", "private, no-cache"),
            ("vary", vary),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(response.header(name), Some(value), "{name}");
        }
    }
    app.send(anonymous(Method::GET, "/openapi.json")).await.assert_ok();
    // No lookup, so no permit.
    app.send(anonymous(Method::GET, "/api/v1/nothing")).await.assert_problem(401, "missing_token");
    gate.open();
    first.await.assert_ok();
    second.await.assert_ok();
    app.send_with_token("ann-read", Method::GET, "/api/v1/me").await.assert_ok();
}

#[tokio::test]
async fn request_above_the_limit_does_not_call_the_storage() {
    let storage = Arc::new(FaultInjection::in_memory().await);
    let gate = Gate::closed();
    let app = App::with_storage(storage.clone()).with_routes(|api| {
        let routes = FamilyRoutes::new(api).session(gate.clone()).max_in_flight(limit(1));
        Router::new().push(routes.into_router())
    });
    app.send_in_session("ann", Method::GET, "/api/users/me").await.assert_ok();
    app.send_with_token("ann-read", Method::GET, "/api/v1/me").await.assert_ok();
    let mut held = pin!(app.send_in_session("ann", Method::GET, "/api/users/me"));
    assert!(poll_immediate(&mut held).await.is_none());
    storage.set_fault(None);
    app.send_with_token("ann-read", Method::GET, "/api/v1/me").await.assert_problem(503, "unavailable");
    app.send_in_session("ann", Method::GET, "/api/users/me").await.assert_problem(503, "unavailable");
    assert_eq!(storage.calls(), 0);
}

#[tokio::test]
async fn in_flight_permit_is_released_on_timeout_cancel_and_panic() {
    let gate = Gate::closed();
    let app =
        app_with_gate(&gate, |routes| routes.max_in_flight(limit(1)).request_timeout(Duration::from_millis(20))).await;
    app.send_in_session("ann", Method::GET, "/api/users/me").await.assert_problem(503, "unavailable");
    app.send_with_token("ann-read", Method::GET, "/api/v1/me").await.assert_ok();
    {
        let mut cancelled = pin!(app.send_in_session("ann", Method::GET, "/api/users/me"));
        assert!(poll_immediate(&mut cancelled).await.is_none());
        app.send_with_token("ann-read", Method::GET, "/api/v1/me").await.assert_problem(503, "unavailable");
    }
    app.send_with_token("ann-read", Method::GET, "/api/v1/me").await.assert_ok();
    gate.open();
    app.send_in_session("*panic*", Method::GET, "/api/users/me").await.assert_problem(500, "internal");
    app.send_with_token("ann-read", Method::GET, "/api/v1/me").await.assert_ok();
}

#[tokio::test]
async fn in_flight_limit_is_64_unless_the_host_changes_it() {
    for (configure, expected) in [
        ((|routes| routes) as fn(FamilyRoutes) -> FamilyRoutes, Some(64)),
        (|routes| routes.max_in_flight(limit(3)), Some(3)),
        (FamilyRoutes::without_load_shedding, None),
    ] {
        let gate = Gate::closed();
        let app = app_with_gate(&gate, configure).await;
        let mut held: Vec<_> =
            (0..100).map(|_| Box::pin(app.send_in_session("ann", Method::GET, "/api/users/me"))).collect();
        let mut waiting = 0;
        for request in &mut held {
            match poll_immediate(request).await {
                None => waiting += 1,
                Some(response) => assert_eq!(response.assert_problem(503, "unavailable").status, 503),
            }
        }
        assert_eq!(waiting, expected.unwrap_or(100));
    }
}

on_every_storage! {
    async fn request_takes_a_permit_only_after_its_body_is_read(app: App) {
        const UPLOADS: usize = 30;
        let app =
            app.with_routes(|api| Router::new().push(FamilyRoutes::new(api).max_in_flight(limit(1)).into_router()));
        let server = TestServer::start(app.service).await;
        let head = |method: &str, path: &str, more: &str| {
            let token = token("ann-rw");
            format!("{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n{more}\r\n")
        };
        let upload_headers = "content-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\n";
        let patch = head("PATCH", "/api/v1/notes/note-berg", upload_headers);
        let read = head("GET", "/api/v1/read/notes", "connection: close\r\n");
        let mut uploads = Vec::new();
        for _ in 0..UPLOADS {
            let mut upload = server.open().await;
            upload.write_bytes(patch.as_bytes()).await;
            assert!(upload.read_head().await.unwrap().starts_with("http/1.1 100"));
            upload.write_bytes(b"{").await;
            uploads.push(upload);
            let (response, _) = server.send(read.as_bytes()).await;
            assert!(response.starts_with("http/1.1 200"), "{response}");
        }
        // All bodies end at the same time. The limit is 1, so the requests are processed one after the other.
        let responses = uploads.iter_mut().map(async |upload| {
            upload.write_bytes(b"}").await;
            upload.read_head().await.unwrap()
        });
        for response in join_all(responses).await {
            assert!(response.starts_with("http/1.1 200"), "{response}");
        }
    }
}
