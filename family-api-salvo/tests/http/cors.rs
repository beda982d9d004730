//! CORS: requests from pages of other origins.

use salvo::http::Method;
use salvo::test::RequestBuilder;

use crate::storages::{OnStorage, StorageKind};
use crate::support::{App, TestResponse, anonymous, bearer, session};

const ORIGIN: &str = "https://board.example";

/// Creates an app that allows two origins.
async fn app_with_cors() -> App {
    let origins = [ORIGIN, "http://localhost:3000"].map(|origin| origin.parse().unwrap());
    App::on(StorageKind::Memory).await.configured(|routes| routes.cors(origins))
}

fn preflight(path: &str, origin: &str) -> RequestBuilder {
    from_origin(origin, anonymous(Method::OPTIONS, path)).add_header("access-control-request-method", "PATCH", true)
}

fn from_origin(origin: &str, request: RequestBuilder) -> RequestBuilder {
    request.add_header("origin", origin, true)
}

fn cors_headers(response: &TestResponse) -> Vec<(String, String)> {
    let named = response.headers.iter().filter(|(name, _)| name.as_str().starts_with("access-control-"));
    let mut headers: Vec<_> = named.map(|(name, value)| (name.to_string(), value.to_str().unwrap().into())).collect();
    headers.sort();
    headers
}

#[tokio::test]
async fn no_cors_headers_without_listed_origins() {
    let app = App::on(StorageKind::Memory).await;
    let none = app.configured(|routes| routes.cors([]));
    for app in [app, none] {
        for request in [
            preflight("/api/v1/me", ORIGIN),
            preflight("/api/users/me", ORIGIN),
            from_origin(ORIGIN, bearer("ann-read", Method::GET, "/api/v1/me")),
            from_origin(ORIGIN, bearer("ann-read", Method::OPTIONS, "/api/v1/me")),
            from_origin(ORIGIN, session("ann", Method::GET, "/api/users/me")),
            from_origin(ORIGIN, anonymous(Method::GET, "/openapi.json")),
        ] {
            let response = app.send(request).await;
            assert_eq!(cors_headers(&response), []);
            assert!(!response.vary_headers().contains(&"Origin"), "{response:?}");
        }
        app.send(preflight("/api/v1/me", ORIGIN)).await.assert_problem(401, "missing_token");
    }
}

#[tokio::test]
async fn preflight_of_a_listed_origin_needs_no_token() {
    let app = app_with_cors().await;
    for (path, methods) in [
        ("/api/v1/notes/x", "DELETE, GET, HEAD, PATCH, POST"),
        ("/api/v1/unknown", "DELETE, GET, HEAD, PATCH, POST"),
        ("/api/mcp/read/notes", "GET, HEAD"),
    ] {
        for origin in [ORIGIN, "http://localhost:3000", "HTTPS://BOARD.example:443"] {
            let response = app.send(preflight(path, origin)).await;
            assert_eq!((response.status, response.text().as_str()), (204, ""));
            assert_eq!(response.vary_headers(), ["Authorization", "Origin"]);
            let allowed = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id";
            let expected = [
                ("access-control-allow-headers", allowed),
                ("access-control-allow-methods", methods),
                ("access-control-allow-origin", origin),
                ("access-control-max-age", "7200"),
            ];
            assert_eq!(cors_headers(&response), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
    }
}

#[tokio::test]
async fn other_preflights_are_handled_as_normal_requests() {
    let app = app_with_cors().await;
    for origin in
        ["https://evil.example", "http://board.example", "https://board.example.evil.example", "null", "*", ""]
    {
        let response = app.send(preflight("/api/v1/me", origin)).await;
        response.assert_problem(401, "missing_token");
        assert_eq!(cors_headers(&response), [], "{origin}");
        assert_eq!(response.vary_headers(), ["Authorization", "Origin"]);
    }
    let two = preflight("/api/v1/me", ORIGIN).add_header("origin", ORIGIN, false);
    assert_eq!(cors_headers(app.send(two).await.assert_problem(401, "missing_token")), []);
    let no_preflight = from_origin(ORIGIN, bearer("ann-read", Method::OPTIONS, "/api/v1/me"));
    app.send(no_preflight).await.assert_problem(405, "method_not_allowed");
}

#[tokio::test]
async fn listed_origin_can_read_responses_but_not_with_cookies() {
    let app = app_with_cors().await;
    for (request, status) in [
        (bearer("ann-read", Method::GET, "/api/v1/me"), 200),
        (bearer("ann-read", Method::GET, "/api/mcp/read/x"), 404),
        (bearer("ann-read", Method::GET, "/api/v1/unknown"), 404),
        (bearer("ann-read", Method::PUT, "/api/v1/me"), 405),
        (anonymous(Method::GET, "/api/v1/me"), 401),
        (session("ann", Method::GET, "/api/v1/me"), 401),
    ] {
        let response = app.send(from_origin(ORIGIN, request)).await;
        assert_eq!(response.status, status);
        let exposed = "ETag, Family-Api-Notice, Family-Api-Truncated, Family-State, Location, RateLimit, RateLimit-Policy, \
             Retry-After, WWW-Authenticate, X-Request-Id";
        let expected = [("access-control-allow-origin", ORIGIN), ("access-control-expose-headers", exposed)];
        assert_eq!(cors_headers(&response), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(response.vary_headers(), ["Authorization", "Origin"]);
    }
    for origin in ["https://evil.example", "null"] {
        let response = app.send(from_origin(origin, bearer("ann-read", Method::GET, "/api/v1/me"))).await;
        assert_eq!(cors_headers(response.assert_ok()), []);
        assert_eq!(response.vary_headers(), ["Authorization", "Origin"]);
    }
    assert_eq!(
        app.send_with_token("ann-read", Method::GET, "/api/v1/me").await.vary_headers(),
        ["Authorization", "Origin"]
    );
}

#[tokio::test]
async fn session_routes_refuse_listed_origins() {
    let app = app_with_cors().await;
    app.send(preflight("/api/users/me", ORIGIN)).await.assert_problem(401, "not_signed_in");
    let response = app.send(from_origin(ORIGIN, session("ann", Method::GET, "/api/users/me"))).await;
    assert_eq!(cors_headers(response.assert_ok()), []);
    assert_eq!(response.vary_headers(), ["Cookie"]);
    let write = from_origin(ORIGIN, session("ann", Method::PATCH, "/api/users/me").raw_json("{}"));
    app.send(write).await.assert_problem(403, "cross_site_request");
}
