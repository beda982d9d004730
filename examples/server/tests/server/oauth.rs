//! When assistants can connect without a key.

use serde_json::Value;

use crate::client::{call, in_session, request, send, sign_in};
use crate::family::PASSWORD;
use crate::sandbox::{Sandbox, Server};

const PATHS: [(&str, &str); 7] = [
    ("GET", "/.well-known/oauth-authorization-server"),
    ("GET", "/.well-known/oauth-protected-resource"),
    ("GET", "/.well-known/oauth-protected-resource/api/v1/mcp"),
    ("GET", "/oauth/authorize"),
    ("POST", "/oauth/token"),
    ("POST", "/register"),
    ("GET", "/authorize"),
];

async fn assert_off(server: &Server) {
    for (method, path) in PATHS {
        assert_eq!(call(server, method, path).await.problem(), (404, "not_found".to_owned()), "{path}");
    }
    let refused = call(server, "POST", "/api/v1/mcp").await;
    assert_eq!(refused.header("www-authenticate"), Some(r#"Bearer realm="family-api""#));
}

async fn assert_on(server: &Server, issuer: &str) {
    for (method, path) in PATHS {
        assert_ne!(call(server, method, path).await.status, 404, "{path}");
    }
    let metadata = call(server, "GET", "/.well-known/oauth-authorization-server").await;
    assert_eq!(metadata.status, 200);
    let metadata: Value = serde_json::from_str(&metadata.text).unwrap();
    assert_eq!(metadata["issuer"], issuer);
    assert_eq!(metadata["authorization_endpoint"], format!("{issuer}/oauth/authorize"));
    let refused = call(server, "POST", "/api/v1/mcp").await;
    let url = format!("{issuer}/.well-known/oauth-protected-resource/api/v1/mcp");
    assert!(refused.header("www-authenticate").unwrap().contains(&url), "{refused:?}");
}

#[tokio::test]
async fn loopback_server_is_its_own_issuer() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
    assert_on(&server, &server.url).await;
    let rebound = request(&server, "GET", "/.well-known/oauth-authorization-server").header("host", "rebound.example");
    assert_eq!(send(rebound).await.status, 404);
}

#[tokio::test]
async fn pages_and_log_tell_when_another_host_needs_a_public_url() {
    let (sandbox, server) = Sandbox::on_sqlite().import_families().served();
    let cookie = sign_in(&server, "ana@family.example", PASSWORD).await.cookie();
    let own = server.url.trim_start_matches("http://");
    for (host, is_offered) in [(own, true), ("family.example", false)] {
        for (path, offer) in [("/", "Enter this address:"), ("/keys", "add a connector and enter this address")] {
            let page = send(request(&server, "GET", path).header("host", host).header("cookie", &cookie)).await;
            assert_eq!((page.status, page.text.contains(offer)), (200, is_offered), "{path} at {host}");
        }
    }
    assert!(server.stop().success());
    assert_eq!(sandbox.log().matches("--public-url").count(), 1, "{}", sandbox.log());
}

#[tokio::test]
async fn start_on_another_address_without_a_public_url_warns() {
    let sandbox = Sandbox::on_sqlite();
    let server = sandbox.start(&["serve", "--listen", "0.0.0.0:0"], &[], "listening on ");
    assert!(server.stop().success());
    assert!(sandbox.log().contains("set --public-url"), "{}", sandbox.log());
}

#[tokio::test]
async fn public_https_url_is_the_issuer() {
    let sandbox = Sandbox::on_sqlite();
    let server = sandbox.serve_with(&["--public-url", "https://family.example"], &[]);
    assert_on(&server, "https://family.example").await;
}

#[tokio::test]
async fn off_leaves_no_trace() {
    let sandbox = Sandbox::on_sqlite().import_families();
    let server = sandbox.serve_with(&["--oauth", "off"], &[]);
    let document = call(&server, "GET", "/openapi.json").await.text.to_lowercase();
    let cookie = sign_in(&server, "ana@family.example", PASSWORD).await.cookie();
    let keys = in_session(&server, &cookie, "GET", "/keys", None).await.text.to_lowercase();
    for trace in ["users/me/connections", "connection-entry", "without a key", "oauth", "consent", "grantid"] {
        assert!(!document.contains(trace) && !keys.contains(trace), "{trace}");
    }
    drop(server);
    assert_off(&sandbox.serve_with(&["--oauth", "off"], &[])).await;
    assert_off(&sandbox.serve_with(&["--public-url", "https://family.example"], &[("FAMILY_API_OAUTH", "off")])).await;
}

#[tokio::test]
async fn public_http_url_of_another_host_is_no_issuer() {
    let sandbox = Sandbox::on_sqlite();
    let server = sandbox.serve_with(&["--public-url", "http://192.168.1.2:8080"], &[]);
    assert_off(&server).await;
    assert!(sandbox.log().contains("assistants can connect only with a key"), "{}", sandbox.log());
}

#[tokio::test]
async fn clients_register_at_both_addresses() {
    let sandbox = Sandbox::on_sqlite();
    let server = sandbox.serve();
    for path in ["/oauth/register", "/register"] {
        let body = r#"{"redirect_uris":["http://127.0.0.1/callback"]}"#;
        let request = request(&server, "POST", path).header("content-type", "application/json").body(body);
        assert_eq!(send(request).await.status, 201, "{path}");
    }
}
