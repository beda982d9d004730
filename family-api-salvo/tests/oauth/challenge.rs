//! The challenge in the 401 and 403 of an MCP endpoint.

use family_api_salvo::{FamilyRoutes, OAuth};
use salvo::http::Method;
use salvo::test::RequestBuilder;
use salvo::{Router, Service};

use crate::mounted::{api, app, issuer, request, routes, service};
use crate::support::{CookieAuthenticator, TestResponse, send, token};

const METADATA: &str = "https://family.example/.well-known/oauth-protected-resource";

async fn challenge(service: &Service, request: RequestBuilder) -> String {
    challenge_of(401, service, request).await
}

async fn challenge_of(status: u16, service: &Service, request: RequestBuilder) -> String {
    let response = send(service, request).await;
    assert_eq!(response.status, status, "{response:?}");
    response.header("www-authenticate").unwrap().to_owned()
}

fn post(path: &str) -> RequestBuilder {
    request(Method::POST, path)
}

#[tokio::test]
async fn missing_token_gets_the_metadata_and_the_scopes_without_an_error() {
    let app = app(OAuth::new(issuer())).await;
    let v1 = format!(
        r#"Bearer realm="family-api", resource_metadata="{METADATA}/api/v1/mcp", scope="v1.read v1.tasks.write v1.notes.write""#
    );
    let read_path = format!(r#"Bearer realm="family-api", resource_metadata="{METADATA}/api/mcp", scope="mcp.read""#);
    for (path, expected) in [("/api/v1/mcp", v1), ("/api/mcp", read_path)] {
        for method in [Method::POST, Method::GET, Method::DELETE] {
            assert_eq!(challenge(&app, request(method, path)).await, expected);
        }
    }
}

#[tokio::test]
async fn refused_token_gets_the_metadata_and_the_error() {
    let app = app(OAuth::new(issuer())).await;
    let scopes = "v1.read v1.tasks.write v1.notes.write";
    for key in ["ann-revoked", "ann-expired", "unknown"] {
        let expected = format!(
            r#"Bearer realm="family-api", error="invalid_token", resource_metadata="{METADATA}/api/v1/mcp", scope="{scopes}""#
        );
        assert_eq!(challenge(&app, post("/api/v1/mcp").bearer_auth(token(key))).await, expected, "{key}");
    }
}

#[tokio::test]
async fn missing_scope_gets_the_metadata_and_the_scopes_to_ask_for() {
    let app = app(OAuth::new(issuer())).await;
    let call = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "update_notes"}}"#;
    for (key, scopes) in [("ann-mcp", "v1.read"), ("ann-read", "v1.read v1.notes.write")] {
        let expected = format!(
            r#"Bearer realm="family-api", error="insufficient_scope", scope="{scopes}", resource_metadata="{METADATA}/api/v1/mcp""#
        );
        let request = post("/api/v1/mcp").bearer_auth(token(key)).raw_json(call);
        assert_eq!(challenge_of(403, &app, request).await, expected, "{key}");
    }
    let foreign = post("/api/v1/mcp").bearer_auth(token("ann-rw")).add_header("origin", "https://evil.example", true);
    let refused = send(&app, foreign).await;
    assert_eq!((refused.status, refused.header("www-authenticate")), (403, None));
}

#[tokio::test]
async fn url_of_the_metadata_follows_the_issuer() {
    let loopback = app(OAuth::on_loopback()).await;
    let header = challenge(&loopback, post("http://127.0.0.1:8080/api/mcp")).await;
    let url = r#"resource_metadata="http://127.0.0.1:8080/.well-known/oauth-protected-resource/api/mcp""#;
    assert!(header.contains(url), "{header}");
    let header = challenge(&loopback, post("http://rebound.example/api/mcp")).await;
    assert_eq!(header, r#"Bearer realm="family-api""#);

    let routes = routes(OAuth::new("https://home.example/family".parse().unwrap())).await;
    let prefixed = Service::new(Router::new().push(Router::with_path("family").push(routes.into_router())));
    let header = challenge(&prefixed, post("/family/api/v1/mcp")).await;
    let url = r#"resource_metadata="https://home.example/.well-known/oauth-protected-resource/family/api/v1/mcp""#;
    assert!(header.contains(url), "{header}");
}

/// Every answer of the REST routes, without the id of the request.
async fn rest_answers(app: &Service) -> Vec<Answer> {
    let mut answers = Vec::new();
    for path in ["/api/v1/me", "/api/v1/read/notes", "/api/v1/unknown", "/api/mcp/read/tasks", "/api/mcp/x", "/api/v1"]
    {
        for key in ["ann-rw", "ann-mcp", "ann-tasks", "ann-revoked", "bob-rw", "cid-rw", "unknown"] {
            answers.push(send(app, request(Method::GET, path).bearer_auth(token(key))).await);
        }
        answers.push(send(app, request(Method::GET, path)).await);
        answers.push(send(app, request(Method::PATCH, path)).await);
    }
    for path in ["/api/users/me", "/api/users/me/mcp-tokens", "/api/notes/x"] {
        answers.push(send(app, request(Method::GET, path)).await);
    }
    answers.iter().map(without_request_id).collect()
}

/// Status, headers and body.
type Answer = (u16, Vec<(String, String)>, String);

fn without_request_id(response: &TestResponse) -> Answer {
    let id = response.header("x-request-id").unwrap().to_owned();
    let headers = response.headers.iter().filter(|(name, _)| *name != "x-request-id");
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    (response.status, headers, response.text().replace(&id, ""))
}

#[tokio::test]
async fn answers_of_the_rest_routes_do_not_change() {
    let api = api().await;
    let routes = || FamilyRoutes::new(api.clone()).session(CookieAuthenticator);
    let without = rest_answers(&service(routes().mcp())).await;
    let with = rest_answers(&service(routes().oauth(OAuth::new(issuer())))).await;
    // The remaining requests of the tokens differ, because the apps share the rate limits.
    let without_limits = |answers: Vec<Answer>| {
        answers.into_iter().map(|(status, headers, body)| {
            let headers = headers.into_iter().filter(|(name, _)| name != "ratelimit");
            (status, headers.collect::<Vec<_>>(), body)
        })
    };
    assert!(without_limits(without).eq(without_limits(with)));
}

#[tokio::test]
async fn without_oauth_no_answer_mentions_it() {
    let app = service(FamilyRoutes::new(api().await).session(CookieAuthenticator).mcp());
    for path in ["/api/v1/mcp", "/api/mcp"] {
        assert_eq!(challenge(&app, post(path)).await, r#"Bearer realm="family-api""#);
        let header = challenge(&app, post(path).bearer_auth(token("ann-revoked"))).await;
        assert_eq!(header, r#"Bearer realm="family-api", error="invalid_token""#);
    }
    for path in ["/oauth/authorize", "/oauth/token", "/.well-known/oauth-authorization-server", "/authorize"] {
        assert_eq!(send(&app, request(Method::GET, path)).await.status, 404, "{path}");
    }
}
