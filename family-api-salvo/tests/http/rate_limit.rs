//! Rate limits of valid and invalid tokens (HTTP reference, "Rate limits").

use std::num::NonZeroU32;

use family_api_core::limit::Rate;
use family_api_core::{FamilyApi, ManualClock};
use family_api_salvo::FamilyRoutes;
use jiff::SignedDuration;
use salvo::http::Method;
use salvo::{Router, Service};

use crate::storages::{OnStorage, StorageKind, on_every_storage};
use crate::support::{App, NOW, Socket, bearer, fixture, session, token};

fn rate(number: u32) -> Rate {
    Rate::per_minute(NonZeroU32::new(number).unwrap())
}

/// Creates an app with its own clock and this rate limit per token.
async fn limited(kind: StorageKind, number: u32) -> (App, ManualClock) {
    let (storage, place) = kind.fresh().await;
    fixture::seed(&*storage).await;
    let clock = ManualClock::new(NOW.parse().unwrap());
    let api = FamilyApi::builder(storage).clock(clock.clone()).rate_limit(rate(number)).build();
    (App::of(api, place), clock)
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
            let answer = app.with_token(key, method, path).await;
            assert_eq!(answer.status, status, "{path}");
            assert_eq!(answer.header("ratelimit-policy"), Some("\"key\";q=300;w=60"));
            let left = format!("\"key\";r={};t=1", 299 - number);
            let left = if number < 5 { left } else { format!("\"key\";r={};t=2", 299 - number) };
            assert_eq!(answer.header("ratelimit"), Some(left.as_str()));
        }
        for (request, status) in [
            (bearer("nobody's", Method::GET, READ), 401),
            (session("ann", Method::GET, "/api/users/me"), 200),
        ] {
            let answer = app.send(request).await;
            assert_eq!((answer.status, answer.header("ratelimit"), answer.header("ratelimit-policy")), (status, None, None));
        }
    }

    async fn only_the_limited_token_gets_429(kind: StorageKind) {
        let (app, clock) = limited(kind, 2).await;
        for _ in 0..2 {
            assert_eq!(app.with_token("ann-read", Method::GET, READ).await.status, 200);
        }
        for (path, method) in [(READ, Method::GET), ("/api/mcp/read/notes", Method::GET), ("/api/v1/nothing", Method::PUT)] {
            let refused = app.with_token("ann-read", method, path).await;
            refused.is(429, "rate_limited");
            assert_eq!(refused.header("retry-after"), Some("30"));
            assert_eq!(refused.header("ratelimit"), Some("\"key\";r=0;t=60"));
            assert_eq!(refused.header("ratelimit-policy"), Some("\"key\";q=2;w=60"));
        }
        assert_eq!(app.with_token("ann-rw", Method::GET, READ).await.status, 200);
        assert_eq!(app.in_session("ann", Method::GET, "/api/users/me").await.status, 200);
        clock.advance(SignedDuration::from_secs(30));
        assert_eq!(app.with_token("ann-read", Method::GET, READ).await.status, 200);
        app.with_token("ann-read", Method::GET, READ).await.is(429, "rate_limited");
    }

    async fn rate_limit_is_checked_before_flag_and_family(kind: StorageKind) {
        let (app, _) = limited(kind, 1).await;
        assert_eq!(app.write_in_session("ann", Method::PATCH, "/api/users/me", r#"{"personalApiEnabled":false}"#).await.status, 200);
        app.with_token("ann-read", Method::GET, READ).await.is(401, "api_disabled");
        app.with_token("ann-read", Method::GET, READ).await.is(429, "rate_limited");
    }

    async fn limited_session_writes_do_not_block_reads(kind: StorageKind) {
        let (storage, place) = kind.fresh().await;
        fixture::seed(&*storage).await;
        let clock = ManualClock::new(NOW.parse().unwrap());
        let api = FamilyApi::builder(storage).clock(clock.clone()).session_write_limit(rate(6)).build();
        let app = App::of(api, place);
        let writes = [
            (Method::PATCH, "/api/users/me"),
            (Method::POST, "/api/users/me/mcp-tokens"),
            (Method::DELETE, "/api/users/me/mcp-tokens/none"),
            (Method::PATCH, "/api/tasks/task-berg"),
            (Method::PATCH, "/api/notes/note-berg"),
            (Method::DELETE, "/api/notes/note-berg"),
        ];
        let foreign = session("ann", Method::PATCH, "/api/users/me").add_header("sec-fetch-site", "cross-site", true);
        app.send(foreign).await.is(403, "cross_site_request");
        for (method, path) in writes.clone() {
            let answer = app.in_session("ann", method.clone(), path).await;
            assert!(matches!(answer.status, 200 | 400 | 404), "{method} {path} {}", answer.status);
        }
        for (method, path) in writes.into_iter().chain([(Method::PUT, "/api/users/me")]) {
            let refused = app.in_session("ann", method, path).await;
            refused.is(429, "rate_limited");
            assert_eq!((refused.header("retry-after"), refused.header("ratelimit")), (Some("10"), None));
        }
        let foreign = session("ann", Method::PATCH, "/api/users/me").add_header("sec-fetch-site", "cross-site", true);
        app.send(foreign).await.is(403, "cross_site_request");
        for path in ["/api/users/me", "/api/users/me/mcp-tokens"] {
            assert_eq!(app.in_session("ann", Method::GET, path).await.status, 200);
            assert_eq!(app.in_session("ann", Method::HEAD, path).await.status, 200);
        }
        assert_eq!(app.with_token("ann-read", Method::GET, READ).await.status, 200);
        assert_eq!(app.write_in_session("bob", Method::PATCH, "/api/users/me", "{}").await.status, 200);
        clock.advance(SignedDuration::from_secs(10));
        assert_eq!(app.write_in_session("ann", Method::PATCH, "/api/users/me", "{}").await.status, 200);
        app.write_in_session("ann", Method::PATCH, "/api/users/me", "{}").await.is(429, "rate_limited");
    }

    async fn peer_is_limited_for_invalid_tokens_but_not_valid_ones(kind: StorageKind) {
        let app = App::on(kind).await;
        let routes = FamilyRoutes::new(app.api.clone()).failure_limit(rate(3));
        let socket = Socket::serve(Service::new(Router::new().push(routes.into_router()))).await;
        let ask = async |token: &str| {
            let head = format!("GET {READ} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n");
            socket.send(head.as_bytes()).await.0
        };
        for _ in 0..3 {
            let head = ask("nobodys").await;
            assert!(head.starts_with("http/1.1 401"), "{head}");
        }
        for token in ["nobodys", "fam_x", "another"] {
            let head = ask(token).await;
            assert!(head.starts_with("http/1.1 429") && head.contains("retry-after: "), "{head}");
            assert!(!head.contains("ratelimit"), "{head}");
        }
        let head = ask(&token("ann-read")).await;
        assert!(head.starts_with("http/1.1 200"), "{head}");
    }
}
