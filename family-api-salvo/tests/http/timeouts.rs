//! Request timeouts (HTTP reference, "Limits").

use std::future::pending;
use std::time::Duration;

use async_trait::async_trait;
use family_api_core::Error;
use family_api_core::storage::SignedIn;
use family_api_salvo::{FamilyRoutes, SessionAuthenticator};
use salvo::http::Method;
use salvo::{Depot, Request};
use serde_json::json;
use tokio::time::{Instant, timeout};

use crate::storages::{OnStorage, StorageKind, on_every_storage};
use crate::support::{App, TestServer, send, session, token};

/// An authenticator that never returns.
struct HangingAuthenticator;

#[async_trait]
impl SessionAuthenticator for HangingAuthenticator {
    async fn user(&self, _: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        pending().await
    }
}

async fn app_with_hanging_authenticator(configure: impl FnOnce(FamilyRoutes) -> FamilyRoutes) -> App {
    App::on(StorageKind::Memory).await.configured(|routes| configure(routes.session(HangingAuthenticator)))
}

#[tokio::test(start_paused = true)]
async fn request_times_out_after_30_seconds_with_all_headers() {
    let app = app_with_hanging_authenticator(|routes| routes).await;
    let began = Instant::now();
    let response = app.send_in_session("ann", Method::GET, "/api/users/me").await;
    assert_eq!(began.elapsed().as_secs(), 30);
    response.assert_problem(503, "unavailable");
    for (name, value) in [
        ("retry-after", "1"),
        ("cache-control", "private, no-cache"),
        ("vary", "Cookie"),
        ("x-content-type-options", "nosniff"),
        ("connection", "close"),
    ] {
        assert_eq!(response.header(name), Some(value), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn host_can_change_or_remove_the_timeout() {
    let app = app_with_hanging_authenticator(|routes| routes.request_timeout(Duration::from_secs(3))).await;
    let began = Instant::now();
    app.send_in_session("ann", Method::GET, "/api/users/me").await.assert_problem(503, "unavailable");
    assert_eq!(began.elapsed().as_secs(), 3);
    let app = app_with_hanging_authenticator(FamilyRoutes::without_request_timeout).await;
    let request = send(&app.service, session("ann", Method::GET, "/api/users/me"));
    assert!(timeout(Duration::from_hours(1), request).await.is_err());
}

on_every_storage! {
    async fn missing_body_times_out_and_closes_the_connection(app: App) {
        let app = app.configured(|routes| routes.request_timeout(Duration::from_millis(200)));
        let server = TestServer::start(app.service).await;
        for (path, credential, vary) in [
            ("/api/v1/notes/note-berg", format!("authorization: Bearer {}", token("ann-rw")), "authorization"),
            ("/api/notes/note-berg", "cookie: user=ann".to_owned(), "cookie"),
        ] {
            for length in ["content-length: 9", "transfer-encoding: chunked"] {
                let request = format!(
                    "PATCH {path} HTTP/1.1\r\nhost: family.example\r\n{credential}\r\n\
                     content-type: application/json\r\n{length}\r\n\r\n"
                );
                // `send` reads until the server closes the connection.
                let (head, body) = server.send(request.as_bytes()).await;
                assert!(head.starts_with("http/1.1 503") && body.contains(r#""code":"unavailable""#), "{head} {body}");
                for header in ["retry-after: 1", "connection: close", "cache-control: private, no-cache"] {
                    assert!(head.contains(&format!("\r\n{header}")), "{header}: {head}");
                }
                assert!(head.contains(&format!("\r\nvary: {vary}")), "{head}");
            }
        }
    }

    async fn cancelled_write_is_applied_completely_or_not_at_all(app: App) {
        for round in 0..40 {
            let time = Duration::from_millis(round % 4);
            let with_timeout = app.configured(|routes| routes.request_timeout(time));
            let text = format!("round {round}");
            let body = json!({ "title": text, "content": text }).to_string();
            let path = "/api/v1/notes/note-berg";
            let response = with_timeout.send_json_with_token("ann-rw", Method::PATCH, path, body).await;
            let note = app.read("notes").await[0].clone();
            if response.status == 200 {
                assert_eq!(note["title"], text);
            } else {
                response.assert_problem(503, "unavailable");
            }
            if note["title"] != "Wifi" {
                assert_eq!(note["title"], note["content"], "after {time:?}");
            }
        }
        app.send_json_with_token("ann-rw", Method::PATCH, "/api/v1/notes/note-berg", r#"{"title":"on"}"#)
            .await
            .assert_ok();
    }
}
