//! `X-Request-Id` on all responses of the router.

use salvo::http::Method;

use crate::storages::on_every_storage;
use crate::support::{App, anonymous, bearer, session};

on_every_storage! {
    async fn valid_request_id_is_kept_on_every_response(app: App) {
        let longest = "Z".repeat(64);
        for id in ["a", "0197-aA_.z", longest.as_str()] {
            for request in [
                bearer("ann-read", Method::GET, "/api/v1/me"),
                bearer("ann-read", Method::HEAD, "/api/v1/me"),
                bearer("ann-read", Method::GET, "/api/v1/unknown"),
                bearer("ann-read", Method::PUT, "/api/v1/me"),
                anonymous(Method::GET, "/api/mcp"),
                session("ann", Method::GET, "/api/users/me"),
                session("*panic*", Method::GET, "/api/users/me"),
                anonymous(Method::GET, "/openapi.json"),
                anonymous(Method::GET, "/docs"),
                anonymous(Method::GET, "/docs/nothing"),
            ] {
                let response = app.send(request.add_header("x-request-id", id, true)).await;
                assert_eq!(response.header("x-request-id"), Some(id), "{response:?}");
            }
        }
    }

    async fn invalid_request_id_is_replaced_by_a_uuid_v7(app: App) {
        let too_long = "x".repeat(65);
        let mut seen = Vec::new();
        for id in [None, Some(""), Some("a b"), Some("a/b"), Some("æ"), Some("\"a\""), Some(too_long.as_str())] {
            let request = anonymous(Method::GET, "/api/v1/me");
            let request = match id {
                Some(id) => request.add_header("x-request-id", id.as_bytes(), true),
                None => request,
            };
            let response = app.send(request).await;
            let fresh = response.header("x-request-id").unwrap().to_owned();
            assert_eq!((fresh.len(), fresh.as_bytes()[14]), (36, b'7'), "{fresh}");
            assert!(!seen.contains(&fresh), "{fresh}");
            seen.push(fresh);
        }
    }

    async fn repeated_request_id_is_replaced(app: App) {
        let request = anonymous(Method::GET, "/api/v1/me").add_header("x-request-id", "one", true);
        let response = app.send(request.add_header("x-request-id", "two", false)).await;
        assert_eq!(response.header("x-request-id").map(str::len), Some(36));
    }
}
