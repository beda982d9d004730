//! CORS: requests from pages of other origins.

use family_api_salvo::FamilyRoutes;
use salvo::Router;
use salvo::http::Method;
use salvo::test::RequestBuilder;

use crate::storages::{OnStorage, StorageKind};
use crate::support::{Answer, App, CookieUser, anonymous, bearer, session};

const PAGE: &str = "https://board.example";

/// Creates an app that allows two origins.
async fn listed() -> App {
    let origins = [PAGE, "http://localhost:3000"].map(|origin| origin.parse().unwrap());
    let app = App::on(StorageKind::Memory).await;
    app.mounted(|api| Router::new().push(FamilyRoutes::new(api).session(CookieUser).cors(origins).into_router()))
}

fn preflight(path: &str, origin: &str) -> RequestBuilder {
    from(origin, anonymous(Method::OPTIONS, path)).add_header("access-control-request-method", "PATCH", true)
}

fn from(origin: &str, request: RequestBuilder) -> RequestBuilder {
    request.add_header("origin", origin, true)
}

fn cors_headers(answer: &Answer) -> Vec<(String, String)> {
    let named = answer.headers.iter().filter(|(name, _)| name.as_str().starts_with("access-control-"));
    let mut headers: Vec<_> = named.map(|(name, value)| (name.to_string(), value.to_str().unwrap().into())).collect();
    headers.sort();
    headers
}

#[tokio::test]
async fn no_cors_headers_without_listed_origins() {
    let app = App::on(StorageKind::Memory).await;
    let none = app.mounted(|api| Router::new().push(FamilyRoutes::new(api).session(CookieUser).cors([]).into_router()));
    for app in [app, none] {
        for request in [
            preflight("/api/v1/me", PAGE),
            preflight("/api/users/me", PAGE),
            from(PAGE, bearer("ann-read", Method::GET, "/api/v1/me")),
            from(PAGE, bearer("ann-read", Method::OPTIONS, "/api/v1/me")),
            from(PAGE, session("ann", Method::GET, "/api/users/me")),
            from(PAGE, anonymous(Method::GET, "/openapi.json")),
        ] {
            let answer = app.send(request).await;
            assert_eq!(cors_headers(&answer), []);
            assert!(!answer.varies().contains(&"Origin"), "{answer:?}");
        }
        app.send(preflight("/api/v1/me", PAGE)).await.is(401, "missing_token");
    }
}

#[tokio::test]
async fn preflight_of_a_listed_origin_needs_no_token() {
    let app = listed().await;
    for (path, methods) in [
        ("/api/v1/notes/x", "DELETE, GET, HEAD, PATCH"),
        ("/api/v1/unknown", "DELETE, GET, HEAD, PATCH"),
        ("/api/mcp/read/notes", "GET, HEAD"),
    ] {
        for origin in [PAGE, "http://localhost:3000", "HTTPS://BOARD.example:443"] {
            let answer = app.send(preflight(path, origin)).await;
            assert_eq!((answer.status, answer.text().as_str()), (204, ""));
            assert_eq!(answer.varies(), ["Authorization", "Origin"]);
            let allowed = "Authorization, Content-Type, If-Match, If-None-Match, X-Request-Id";
            let expected = [
                ("access-control-allow-headers", allowed),
                ("access-control-allow-methods", methods),
                ("access-control-allow-origin", origin),
                ("access-control-max-age", "7200"),
            ];
            assert_eq!(cors_headers(&answer), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
    }
}

#[tokio::test]
async fn other_preflights_are_handled_as_normal_requests() {
    let app = listed().await;
    for origin in
        ["https://evil.example", "http://board.example", "https://board.example.evil.example", "null", "*", ""]
    {
        let answer = app.send(preflight("/api/v1/me", origin)).await;
        answer.is(401, "missing_token");
        assert_eq!(cors_headers(&answer), [], "{origin}");
        assert_eq!(answer.varies(), ["Authorization", "Origin"]);
    }
    let two = preflight("/api/v1/me", PAGE).add_header("origin", PAGE, false);
    assert_eq!(cors_headers(app.send(two).await.is(401, "missing_token")), []);
    let no_preflight = from(PAGE, bearer("ann-read", Method::OPTIONS, "/api/v1/me"));
    app.send(no_preflight).await.is(405, "method_not_allowed");
}

#[tokio::test]
async fn listed_origin_can_read_responses_but_not_with_cookies() {
    let app = listed().await;
    for (request, status) in [
        (bearer("ann-read", Method::GET, "/api/v1/me"), 200),
        (bearer("ann-read", Method::GET, "/api/mcp/read/x"), 404),
        (bearer("ann-read", Method::GET, "/api/v1/unknown"), 404),
        (bearer("ann-read", Method::PUT, "/api/v1/me"), 405),
        (anonymous(Method::GET, "/api/v1/me"), 401),
        (session("ann", Method::GET, "/api/v1/me"), 401),
    ] {
        let answer = app.send(from(PAGE, request)).await;
        assert_eq!(answer.status, status);
        let exposed = "ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id";
        let expected = [("access-control-allow-origin", PAGE), ("access-control-expose-headers", exposed)];
        assert_eq!(cors_headers(&answer), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(answer.varies(), ["Authorization", "Origin"]);
    }
    for origin in ["https://evil.example", "null"] {
        let answer = app.send(from(origin, bearer("ann-read", Method::GET, "/api/v1/me"))).await;
        assert_eq!(cors_headers(answer.is_ok()), []);
        assert_eq!(answer.varies(), ["Authorization", "Origin"]);
    }
    assert_eq!(app.with_token("ann-read", Method::GET, "/api/v1/me").await.varies(), ["Authorization", "Origin"]);
}

#[tokio::test]
async fn session_routes_refuse_listed_origins() {
    let app = listed().await;
    app.send(preflight("/api/users/me", PAGE)).await.is(401, "not_signed_in");
    let answer = app.send(from(PAGE, session("ann", Method::GET, "/api/users/me"))).await;
    assert_eq!(cors_headers(answer.is_ok()), []);
    assert_eq!(answer.varies(), ["Cookie"]);
    let write = from(PAGE, session("ann", Method::PATCH, "/api/users/me").raw_json("{}"));
    app.send(write).await.is(403, "cross_site_request");
}
