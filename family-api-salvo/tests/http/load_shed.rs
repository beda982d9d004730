//! More concurrent requests than the limit.

use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::storage::SignedIn;
use family_api_salvo::{FamilyRoutes, SessionAuthenticator};
use futures_util::future::{join_all, poll_immediate};
use salvo::http::Method;
use salvo::{Depot, Request, Router};
use tokio::sync::Semaphore;

use crate::storages::{OnStorage, StorageKind, on_every_storage};
use crate::support::{App, CookieUser, FaultyStorage, Socket, anonymous, bearer, token};

/// An authenticator that waits until the gate opens.
#[derive(Clone)]
struct Gate(Arc<Semaphore>);

impl Gate {
    fn closed() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    fn open(&self) {
        self.0.add_permits(Semaphore::MAX_PERMITS / 2);
    }
}

#[async_trait]
impl SessionAuthenticator for Gate {
    async fn user(&self, req: &Request, depot: &Depot) -> Result<Option<SignedIn>, Error> {
        self.0.acquire().await.unwrap().forget();
        CookieUser.user(req, depot).await
    }
}

fn limit(number: usize) -> NonZeroUsize {
    number.try_into().unwrap()
}

async fn gated(gate: &Gate, mount: impl FnOnce(FamilyRoutes) -> FamilyRoutes) -> App {
    let app = App::on(StorageKind::Memory).await;
    app.mounted(|api| Router::new().push(mount(FamilyRoutes::new(api).session(gate.clone())).into_router()))
}

#[tokio::test]
async fn requests_above_the_limit_get_503_at_once() {
    let gate = Gate::closed();
    let app = gated(&gate, |routes| routes.max_in_flight(limit(2))).await;
    let mut first = pin!(app.in_session("ann", Method::GET, "/api/users/me"));
    let mut second = pin!(app.in_session("ann", Method::GET, "/api/users/me/mcp-tokens"));
    assert!(poll_immediate(&mut first).await.is_none());
    app.with_token("ann-read", Method::GET, "/api/v1/me").await.is_ok();
    assert!(poll_immediate(&mut second).await.is_none());
    for (request, vary) in [
        (bearer("ann-read", Method::GET, "/api/v1/me"), "Authorization"),
        (bearer("ann-read", Method::GET, "/api/mcp/read/notes"), "Authorization"),
        (anonymous(Method::GET, "/api/v1/nothing"), "Authorization"),
        (anonymous(Method::GET, "/api/users/me"), "Cookie"),
    ] {
        let answer = app.send(request).await;
        answer.is(503, "unavailable");
        for (name, value) in [
            ("retry-after", "1"),
            ("cache-control", "private, no-cache"),
            ("vary", vary),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{name}");
        }
    }
    app.send(anonymous(Method::GET, "/openapi.json")).await.is_ok();
    gate.open();
    first.await.is_ok();
    second.await.is_ok();
    app.with_token("ann-read", Method::GET, "/api/v1/me").await.is_ok();
}

#[tokio::test]
async fn shed_request_does_not_call_the_storage() {
    // A mock without expectations panics on every call.
    let app = App::over(Arc::new(FaultyStorage::new()));
    let gate = Gate::closed();
    let app = app.mounted(|api| {
        let routes = FamilyRoutes::new(api).session(gate.clone()).max_in_flight(limit(1));
        Router::new().push(routes.into_router())
    });
    let mut held = pin!(app.in_session("ann", Method::GET, "/api/users/me"));
    assert!(poll_immediate(&mut held).await.is_none());
    app.with_token("ann-read", Method::GET, "/api/v1/me").await.is(503, "unavailable");
}

#[tokio::test]
async fn permit_is_released_on_timeout_cancel_and_panic() {
    let gate = Gate::closed();
    let app = gated(&gate, |routes| routes.max_in_flight(limit(1)).request_timeout(Duration::from_millis(20))).await;
    app.in_session("ann", Method::GET, "/api/users/me").await.is(503, "unavailable");
    app.with_token("ann-read", Method::GET, "/api/v1/me").await.is_ok();
    {
        let mut given_up = pin!(app.in_session("ann", Method::GET, "/api/users/me"));
        assert!(poll_immediate(&mut given_up).await.is_none());
        app.with_token("ann-read", Method::GET, "/api/v1/me").await.is(503, "unavailable");
    }
    app.with_token("ann-read", Method::GET, "/api/v1/me").await.is_ok();
    gate.open();
    app.in_session("*panic*", Method::GET, "/api/users/me").await.is(500, "internal");
    app.with_token("ann-read", Method::GET, "/api/v1/me").await.is_ok();
}

#[tokio::test]
async fn limit_is_64_unless_the_host_changes_or_removes_it() {
    for (mount, bound) in [
        ((|routes| routes) as fn(FamilyRoutes) -> FamilyRoutes, Some(64)),
        (|routes| routes.max_in_flight(limit(3)), Some(3)),
        (FamilyRoutes::without_load_shedding, None),
    ] {
        let gate = Gate::closed();
        let app = gated(&gate, mount).await;
        let mut held: Vec<_> =
            (0..100).map(|_| Box::pin(app.in_session("ann", Method::GET, "/api/users/me"))).collect();
        let mut waiting = 0;
        for request in &mut held {
            match poll_immediate(request).await {
                None => waiting += 1,
                Some(answer) => assert_eq!(answer.is(503, "unavailable").status, 503),
            }
        }
        assert_eq!(waiting, bound.unwrap_or(100));
    }
}

on_every_storage! {
    async fn slow_bodies_hold_no_permit(app: App) {
        const SLOW: usize = 30;
        let app = app.mounted(|api| Router::new().push(FamilyRoutes::new(api).max_in_flight(limit(1)).into_router()));
        let socket = Socket::serve(app.service).await;
        let head = |method: &str, path: &str, more: &str| {
            let token = token("ann-rw");
            format!("{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n{more}\r\n")
        };
        let slow = "content-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\n";
        let patch = head("PATCH", "/api/v1/notes/note-berg", slow);
        let read = head("GET", "/api/v1/read/notes", "connection: close\r\n");
        let mut uploads = Vec::new();
        for _ in 0..SLOW {
            let mut upload = socket.open().await;
            upload.write_bytes(patch.as_bytes()).await;
            assert!(upload.head().await.unwrap().starts_with("http/1.1 100"));
            upload.write_bytes(b"{").await;
            uploads.push(upload);
            let (answer, _) = socket.send(read.as_bytes()).await;
            assert!(answer.starts_with("http/1.1 200"), "{answer}");
        }
        // All bodies complete at once. The requests get the permit one after the other.
        let ends = uploads.iter_mut().map(async |upload| {
            upload.write_bytes(b"}").await;
            upload.head().await.unwrap()
        });
        for answer in join_all(ends).await {
            assert!(answer.starts_with("http/1.1 200"), "{answer}");
        }
    }
}
