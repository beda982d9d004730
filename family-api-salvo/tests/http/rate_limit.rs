//! Rate limits of valid and invalid tokens (HTTP reference, "Rate limits").

use std::num::NonZeroU32;

use family_api_core::limit::Rate;
use family_api_core::{FamilyApiBuilder, ManualClock};
use jiff::SignedDuration;
use salvo::http::Method;

use crate::storages::{OnStorage, StorageKind, on_every_storage};
use crate::support::{App, NOW, TestServer, bearer, session, token};

fn per_minute(number: u32) -> Rate {
    Rate::per_minute(NonZeroU32::new(number).unwrap())
}

/// Creates an app with its own clock and other options of the API.
async fn app_with(
    kind: StorageKind,
    configure: impl FnOnce(FamilyApiBuilder) -> FamilyApiBuilder,
) -> (App, ManualClock) {
    let clock = ManualClock::new(NOW.parse().unwrap());
    (App::with_api(kind, |api| configure(api.clock(clock.clone()))).await, clock)
}

const READ: &str = "/api/v1/read/task_stats";

on_every_storage! {
    async fn every_response_to_a_valid_token_has_rate_limit_headers(app: App) {
        for (number, (key, method, path, status)) in [
            ("ann-rw", Method::GET, READ, 200),
            ("ann-rw", Method::GET, "/api/v1/nothing", 404),
            ("ann-rw", Method::PUT, READ, 405),
            ("ann-rw", Method::PATCH, "/api/v1/tasks/task-berg", 400),
            ("ann-rw", Method::DELETE, "/api/v1/notes/none", 404),
            ("ann-rw", Method::GET, "/api/mcp/read/notes", 200),
        ]
        .into_iter()
        .enumerate()
        {
            let response = app.send_with_token(key, method, path).await;
            assert_eq!(response.status, status, "{path}");
            assert_eq!(response.header("ratelimit-policy"), Some("\"key\";q=300;w=60"));
            let left = format!("\"key\";r={};t=1", 299 - number);
            let left = if number < 5 { left } else { format!("\"key\";r={};t=2", 299 - number) };
            assert_eq!(response.header("ratelimit"), Some(left.as_str()));
        }
        for (request, status) in
            [(bearer("unknown", Method::GET, READ), 401), (session("ann", Method::GET, "/api/users/me"), 200)]
        {
            let response = app.send(request).await;
            assert_eq!(
                (response.status, response.header("ratelimit"), response.header("ratelimit-policy")),
                (status, None, None)
            );
        }
    }

    async fn only_the_limited_token_gets_429(kind: StorageKind) {
        let (app, clock) = app_with(kind, |api| api.rate_limit(per_minute(2))).await;
        for _ in 0..2 {
            assert_eq!(app.send_with_token("ann-read", Method::GET, READ).await.status, 200);
        }
        for (path, method) in
            [(READ, Method::GET), ("/api/mcp/read/notes", Method::GET), ("/api/v1/nothing", Method::PUT)]
        {
            let refused = app.send_with_token("ann-read", method, path).await;
            refused.assert_problem(429, "rate_limited");
            assert_eq!(refused.header("retry-after"), Some("30"));
            assert_eq!(refused.header("ratelimit"), Some("\"key\";r=0;t=60"));
            assert_eq!(refused.header("ratelimit-policy"), Some("\"key\";q=2;w=60"));
        }
        assert_eq!(app.send_with_token("ann-rw", Method::GET, READ).await.status, 200);
        assert_eq!(app.send_in_session("ann", Method::GET, "/api/users/me").await.status, 200);
        clock.advance(SignedDuration::from_secs(30));
        assert_eq!(app.send_with_token("ann-read", Method::GET, READ).await.status, 200);
        app.send_with_token("ann-read", Method::GET, READ).await.assert_problem(429, "rate_limited");
    }

    async fn session_write_limit_does_not_block_reads(kind: StorageKind) {
        let (app, clock) = app_with(kind, |api| api.session_write_limit(per_minute(7))).await;
        let writes = [
            (Method::PATCH, "/api/users/me"),
            (Method::POST, "/api/users/me/mcp-tokens"),
            (Method::DELETE, "/api/users/me/mcp-tokens/none"),
            (Method::DELETE, "/api/users/me/connections/none"),
            (Method::PATCH, "/api/tasks/task-berg"),
            (Method::PATCH, "/api/notes/note-berg"),
            (Method::DELETE, "/api/notes/note-berg"),
        ];
        let foreign = session("ann", Method::PATCH, "/api/users/me").add_header("sec-fetch-site", "cross-site", true);
        app.send(foreign).await.assert_problem(403, "cross_site_request");
        for (method, path) in writes.clone() {
            let response = app.send_in_session("ann", method.clone(), path).await;
            assert!(matches!(response.status, 200 | 400 | 404), "{method} {path} {}", response.status);
        }
        for (method, path) in writes.into_iter().chain([(Method::PUT, "/api/users/me")]) {
            let refused = app.send_in_session("ann", method, path).await;
            refused.assert_problem(429, "rate_limited");
            assert_eq!((refused.header("retry-after"), refused.header("ratelimit")), (Some("9"), None));
        }
        let foreign = session("ann", Method::PATCH, "/api/users/me").add_header("sec-fetch-site", "cross-site", true);
        app.send(foreign).await.assert_problem(403, "cross_site_request");
        for path in ["/api/users/me", "/api/users/me/mcp-tokens"] {
            assert_eq!(app.send_in_session("ann", Method::GET, path).await.status, 200);
            assert_eq!(app.send_in_session("ann", Method::HEAD, path).await.status, 200);
        }
        assert_eq!(app.send_with_token("ann-read", Method::GET, READ).await.status, 200);
        assert_eq!(app.send_json_in_session("bob", Method::PATCH, "/api/users/me", "{}").await.status, 200);
        clock.advance(SignedDuration::from_secs(10));
        assert_eq!(app.send_json_in_session("ann", Method::PATCH, "/api/users/me", "{}").await.status, 200);
        app.send_json_in_session("ann", Method::PATCH, "/api/users/me", "{}").await.assert_problem(429, "rate_limited");
    }

    async fn client_address_is_rate_limited_for_invalid_tokens_only(kind: StorageKind) {
        let app = App::on(kind).await;
        let app = app.configured(|routes| routes.invalid_credential_limit(per_minute(3)));
        let server = TestServer::start(app.service).await;
        let read_with = async |token: &str| {
            let head =
                format!("GET {READ} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n");
            server.send(head.as_bytes()).await.0
        };
        for _ in 0..3 {
            let head = read_with("unknown").await;
            assert!(head.starts_with("http/1.1 401"), "{head}");
        }
        for token in ["unknown", "fam_x", "another"] {
            let head = read_with(token).await;
            assert!(head.starts_with("http/1.1 429") && head.contains("retry-after: "), "{head}");
            assert!(!head.contains("ratelimit"), "{head}");
        }
        let head = read_with(&token("ann-read")).await;
        assert!(head.starts_with("http/1.1 200"), "{head}");
    }
}
