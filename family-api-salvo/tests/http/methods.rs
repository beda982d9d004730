//! `HEAD`. For unsupported methods, see `openapi_conformance.rs`.

use salvo::http::Method;

use crate::storages::on_every_storage;
use crate::support::{App, TestServer, anonymous, token};

const READABLE: [&str; 7] = [
    "/api/v1/me",
    "/api/v1/read/tasks",
    "/api/v1/read/events?from=2026-11-24",
    "/api/v1/read/shopping",
    "/api/v1/read/notes",
    "/api/v1/read/task_stats",
    "/api/mcp/read/notes",
];

/// The headers that must be equal for `GET` and `HEAD`.
const SHARED: [&str; 3] = ["content-type", "cache-control", "x-content-type-options"];

on_every_storage! {
    async fn head_matches_get_without_a_body(app: App) {
        for path in READABLE.into_iter().chain(["/api/v1/read/recipes", "/api/v1/read/events?to=x", "/api/v1/x"]) {
            let get = app.send_with_token("ann-read", Method::GET, path).await;
            let head = app.send_with_token("ann-read", Method::HEAD, path).await;
            assert_eq!(head.status, get.status, "{path}");
            assert!(head.body.is_empty(), "{path}");
            assert_eq!(head.header("content-length"), Some(get.body.len().to_string().as_str()), "{path}");
            for name in SHARED {
                assert_eq!(head.header(name), get.header(name), "{path} {name}");
            }
            assert_eq!(head.vary_headers(), get.vary_headers(), "{path}");
        }
        // Otherwise the background task could write them between a GET and a HEAD of the list of keys.
        app.api.record_uses().await.unwrap();
        for path in ["/api/users/me", "/api/users/me/mcp-tokens", "/api/users/me/connections"] {
            let get = app.send_in_session("ann", Method::GET, path).await;
            let head = app.send_in_session("ann", Method::HEAD, path).await;
            assert_eq!((head.status, head.header("vary")), (200, Some("Cookie")), "{path}");
            assert_eq!(head.header("content-length"), Some(get.body.len().to_string().as_str()), "{path}");
        }
        for path in ["/openapi.json", "/docs", "/docs/swagger-ui.css"] {
            let head = app.send(anonymous(Method::HEAD, path)).await;
            let get = app.send(anonymous(Method::GET, path)).await;
            assert_eq!((head.status, head.body.len()), (get.status, 0), "{path}");
        }
    }

    async fn head_over_a_socket_sends_the_length_and_no_body(app: App) {
        let notes = app.send_with_token("ann-read", Method::GET, "/api/v1/read/notes").await;
        let server = TestServer::start(app.service).await;
        let request = format!(
            "HEAD /api/v1/read/notes HTTP/1.1\r\nhost: family.example\r\nauthorization: Bearer {}\r\n\
             connection: close\r\n\r\n",
            token("ann-read")
        );
        let (head, body) = server.send(request.as_bytes()).await;
        assert!(head.starts_with("http/1.1 200"), "{head}");
        assert!(head.contains(&format!("\r\ncontent-length: {}", notes.body.len())), "{head}");
        assert_eq!(body, "");
    }
}
