//! Headers of all responses.

use crate::client::{call, request, send};
use crate::sandbox::Sandbox;

#[tokio::test]
async fn private_responses_are_not_shared_and_none_names_the_server() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    for (method, path, status, cache, vary) in [
        ("GET", "/api/v1/me", 401, "private, no-cache", "Authorization"),
        ("OPTIONS", "/api/v1/unknown", 401, "private, no-cache", "Authorization"),
        ("GET", "/api/mcp", 401, "private, no-cache", "Authorization"),
        ("GET", "/api/unknown", 404, "private, no-cache", "Authorization"),
        ("PUT", "/api/users/me", 401, "private, no-cache", "Cookie"),
        ("DELETE", "/api/notes/x", 401, "private, no-cache", "Cookie"),
        ("GET", "/login", 200, "no-store", "Cookie"),
        ("PUT", "/login", 405, "private, no-cache", "Cookie"),
        ("POST", "/login", 400, "no-store", "Cookie"),
        ("POST", "/logout", 401, "no-store", "Cookie"),
    ] {
        let request = request(&server, method, path).header("content-type", "application/json").body("{");
        let answer = send(request).await;
        assert_eq!(answer.status, status, "{method} {path}");
        assert_eq!(answer.header("cache-control"), Some(cache), "{method} {path}");
        assert_eq!(answer.header("vary"), Some(vary), "{method} {path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{method} {path}");
    }
    for path in ["/", "/healthz", "/readyz", "/docs/", "/openapi.json", "/unknown", "/login", "/api/v1/me"] {
        let answer = call(&server, "GET", path).await;
        for name in ["server", "x-powered-by", "access-control-allow-origin"] {
            assert_eq!(answer.header(name), None, "{path}");
        }
    }
    let policy = call(&server, "GET", "/docs/").await.header("content-security-policy").unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("http"), "{policy}");
}

#[tokio::test]
async fn cors_allows_configured_origins_except_for_login() {
    let sandbox = Sandbox::on_sqlite();
    let origins = ["--cors-origin", "https://board.example", "--cors-origin", "http://localhost:3000"];
    let server = sandbox.serve_with(&origins, &[]);
    for (origin, expected) in [
        ("https://board.example", (204, Some("https://board.example"))),
        ("http://localhost:3000", (204, Some("http://localhost:3000"))),
        ("https://evil.example", (401, None)),
    ] {
        let preflight = request(&server, "OPTIONS", "/api/v1/me").header("origin", origin);
        let answer = send(preflight.header("access-control-request-method", "GET")).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), expected);
        let foreign = request(&server, "POST", "/login").header("origin", origin);
        let answer = send(foreign.header("content-type", "application/json").body("{}")).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (403, None));
    }
}
