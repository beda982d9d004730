//! The documents from which clients learn how to connect.

use family_api_core::{FamilyApi, Surface};
use family_api_memory::MemoryStorage;
use family_api_salvo::{FamilyRoutes, OAuth};
use salvo::http::Method;
use salvo::{Router, Service};
use serde_json::json;
use std::sync::Arc;

use crate::harness::{ISSUER, READ_PATH, V1};
use crate::mounted::{app, get, issuer, request, routes, service};
use crate::support::{CookieAuthenticator, TestResponse, send};

const SERVER: &str = "/.well-known/oauth-authorization-server";
const RESOURCE: &str = "/.well-known/oauth-protected-resource";
const V1_RESOURCE: &str = "/.well-known/oauth-protected-resource/api/v1/mcp";
const READ_PATH_RESOURCE: &str = "/.well-known/oauth-protected-resource/api/mcp";

#[track_caller]
fn assert_document(response: &TestResponse) {
    response.assert_ok();
    assert_eq!(response.header("cache-control"), Some("public, max-age=3600"));
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(response.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test]
async fn server_metadata_has_the_exact_issuer_and_absolute_urls() {
    let response = get(&app(OAuth::new(issuer())).await, SERVER).await;
    assert_document(&response);
    let expected = json!({
        "issuer": ISSUER,
        "authorization_endpoint": "https://family.example/oauth/authorize",
        "token_endpoint": "https://family.example/oauth/token",
        "registration_endpoint": "https://family.example/oauth/register",
        "revocation_endpoint": "https://family.example/oauth/revoke",
        "scopes_supported": ["mcp.read", "v1.read", "v1.tasks.write", "v1.notes.write"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
    });
    assert_eq!(response.json(), expected);
}

#[tokio::test]
async fn metadata_says_if_client_documents_are_not_fetched() {
    let response = get(&app(OAuth::new(issuer()).without_client_documents()).await, SERVER).await;
    assert_eq!(response.json()["client_id_metadata_document_supported"], false);
}

#[tokio::test]
async fn resource_metadata_has_the_exact_resource() {
    let app = app(OAuth::new(issuer())).await;
    let v1_scopes = ["v1.read", "v1.tasks.write", "v1.notes.write"];
    for (path, resource, scopes) in
        [(V1_RESOURCE, V1, &v1_scopes[..]), (READ_PATH_RESOURCE, READ_PATH, &["mcp.read"]), (RESOURCE, V1, &v1_scopes)]
    {
        let response = get(&app, path).await;
        assert_document(&response);
        let expected = json!({
            "resource": resource,
            "authorization_servers": [ISSUER],
            "scopes_supported": scopes,
            "bearer_methods_supported": ["header"],
        });
        assert_eq!(response.json(), expected, "{path}");
    }
}

#[tokio::test]
async fn main_endpoint_is_described_without_a_path() {
    let app = app(OAuth::new(issuer()).main_endpoint(Surface::ReadPath)).await;
    assert_eq!(get(&app, RESOURCE).await.json()["resource"], READ_PATH);
}

#[tokio::test]
async fn only_mounted_endpoints_are_described() {
    let app = service(routes(OAuth::new(issuer())).await.without_v1());
    assert_document(&get(&app, READ_PATH_RESOURCE).await);
    for path in
        [V1_RESOURCE, RESOURCE, "/.well-known/oauth-protected-resource/api/v1", "/.well-known/openid-configuration"]
    {
        assert_eq!(get(&app, path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn path_of_the_issuer_follows_the_well_known_part() {
    let routes = routes(OAuth::new("https://home.example/family".parse().unwrap())).await;
    let root = Router::new().push(routes.oauth_metadata_router());
    let app = Service::new(root.push(Router::with_path("family").push(routes.into_router())));
    let server = get(&app, "/.well-known/oauth-authorization-server/family").await;
    assert_document(&server);
    assert_eq!(server.json()["issuer"], "https://home.example/family");
    assert_eq!(server.json()["token_endpoint"], "https://home.example/family/oauth/token");
    for path in ["/.well-known/oauth-protected-resource/family/api/v1/mcp", RESOURCE] {
        let resource = get(&app, path).await;
        assert_document(&resource);
        assert_eq!(resource.json()["resource"], "https://home.example/family/api/v1/mcp");
        assert_eq!(resource.json()["authorization_servers"], json!(["https://home.example/family"]));
    }
    for path in [SERVER, V1_RESOURCE, "/family/.well-known/oauth-authorization-server"] {
        assert_eq!(get(&app, path).await.status, 404, "{path}");
    }
    assert_eq!(send(&app, request(Method::POST, "/family/oauth/token")).await.status, 400);
}

#[tokio::test]
async fn issuer_on_loopback_is_the_address_of_the_request() {
    let app = app(OAuth::on_loopback()).await;
    for issuer in ["http://127.0.0.1:8080", "http://localhost:3000", "http://[::1]:8080", "http://127.0.0.1"] {
        let server = get(&app, &format!("{issuer}{SERVER}")).await;
        assert_eq!(server.json()["issuer"], issuer);
        assert_eq!(server.json()["token_endpoint"], format!("{issuer}/oauth/token"));
        let resource = get(&app, &format!("{issuer}{V1_RESOURCE}")).await;
        assert_eq!(resource.json()["resource"], format!("{issuer}/api/v1/mcp"));
    }
    for path in [SERVER, RESOURCE, V1_RESOURCE, "/oauth/authorize"] {
        assert_eq!(get(&app, &format!("http://rebound.example{path}")).await.status, 404, "{path}");
    }
    let token = send(&app, request(Method::POST, "http://rebound.example/oauth/token")).await;
    assert_eq!(token.status, 404);
}

#[tokio::test]
async fn request_through_a_proxy_has_no_loopback_issuer() {
    let app = app(OAuth::on_loopback()).await;
    let address = |path: &str| format!("http://127.0.0.1:8080{path}");
    let direct = get(&app, &address(SERVER)).await;
    assert_eq!((direct.status, direct.header("cache-control")), (200, Some("no-cache")));
    for header in ["forwarded", "via", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-real-ip"] {
        for path in [SERVER, V1_RESOURCE, "/oauth/authorize"] {
            let proxied = request(Method::GET, &address(path)).add_header(header, "x", true);
            assert_eq!(send(&app, proxied).await.status, 404, "{header} {path}");
        }
        let refused = request(Method::POST, &address("/api/v1/mcp")).add_header(header, "x", true);
        let refused = send(&app, refused).await;
        assert_eq!(refused.header("www-authenticate"), Some(r#"Bearer realm="family-api""#), "{header}");
    }
}

#[tokio::test]
async fn pages_of_every_origin_can_use_the_public_endpoints() {
    let app = app(OAuth::new(issuer())).await;
    for (path, method) in [
        (SERVER, "GET"),
        (V1_RESOURCE, "GET"),
        ("/oauth/token", "POST"),
        ("/oauth/register", "POST"),
        ("/oauth/revoke", "POST"),
    ] {
        let preflight = request(Method::OPTIONS, path).add_header("origin", "https://inspector.example", true);
        let response = send(&app, preflight.add_header("access-control-request-method", method, true)).await;
        assert_eq!((response.status, response.header("access-control-allow-origin")), (204, Some("*")), "{path}");
        assert!(response.header("access-control-allow-methods").unwrap().contains(method), "{path}");
        assert_eq!(response.header("access-control-allow-credentials"), None, "{path}");
        let headers = response.header("access-control-allow-headers").unwrap();
        assert!(headers.contains("Content-Type") && headers.contains("MCP-Protocol-Version"), "{headers}");
    }
    let failed = send(&app, request(Method::POST, "/oauth/token")).await;
    assert_eq!(failed.header("access-control-allow-origin"), Some("*"));
    for path in ["/oauth/authorize", "/oauth/consent"] {
        let preflight = request(Method::OPTIONS, path).add_header("origin", "https://evil.example", true);
        let response = send(&app, preflight.add_header("access-control-request-method", "POST", true)).await;
        assert_eq!((response.status, response.header("access-control-allow-origin")), (405, None), "{path}");
    }
}

#[tokio::test]
async fn without_a_session_or_a_storage_for_grants_nothing_is_mounted() {
    let with_grants = FamilyRoutes::new(crate::mounted::api().await).oauth(OAuth::new(issuer()));
    let api = FamilyApi::new(Arc::new(MemoryStorage::new()));
    let with_session = FamilyRoutes::new(api).session(CookieAuthenticator).oauth(OAuth::new(issuer()));
    for routes in [with_grants, with_session] {
        let app = service(routes);
        for path in [SERVER, RESOURCE, V1_RESOURCE, "/oauth/authorize", "/oauth/token"] {
            assert_eq!(get(&app, path).await.status, 404, "{path}");
        }
        let refused = send(&app, request(Method::POST, "/api/v1/mcp")).await;
        assert_eq!(refused.header("www-authenticate"), Some(r#"Bearer realm="family-api""#));
    }
}

#[tokio::test]
async fn external_server_is_named_and_no_endpoint_is_mounted() {
    let oauth = OAuth::external(issuer(), "https://login.example/");
    let app = service(FamilyRoutes::new(crate::mounted::api().await).oauth(oauth));
    let resource = get(&app, V1_RESOURCE).await;
    assert_document(&resource);
    assert_eq!(resource.json()["resource"], V1);
    assert_eq!(resource.json()["authorization_servers"], json!(["https://login.example/"]));
    for path in [SERVER, "/oauth/authorize", "/oauth/token", "/oauth/register"] {
        assert_eq!(get(&app, path).await.status, 404, "{path}");
    }
    let refused = send(&app, request(Method::POST, "/api/v1/mcp")).await;
    assert!(refused.header("www-authenticate").unwrap().contains("resource_metadata="), "{refused:?}");
}

#[tokio::test]
async fn aliases_at_the_root_are_mounted_only_on_request() {
    let aliases = [(Method::GET, "/authorize"), (Method::POST, "/token"), (Method::POST, "/register")];
    for (method, path) in aliases {
        let without = send(&app(OAuth::new(issuer())).await, request(method.clone(), path)).await;
        assert_eq!(without.status, 404, "{path}");
        let app = app(OAuth::new(issuer()).with_root_aliases()).await;
        let alias = send(&app, request(method.clone(), path)).await;
        let endpoint = send(&app, request(method, &format!("/oauth{path}"))).await;
        assert_eq!((alias.status, &alias.body), (endpoint.status, &endpoint.body), "{path}");
        assert_eq!(alias.status, if path == "/authorize" { 303 } else { 400 }, "{path}");
    }
}

#[tokio::test]
async fn full_access_adds_its_scopes_to_the_documents_and_the_challenge() {
    let storage = Arc::new(MemoryStorage::new());
    let api = FamilyApi::builder(storage.clone()).grants(storage).full_access(true).build();
    let app = service(FamilyRoutes::new(api).session(CookieAuthenticator).oauth(OAuth::new(issuer())));
    let further = ["v1.tasks.manage", "v1.notes.manage", "v1.events.write", "v1.shopping.write", "v1.boards.manage"];
    for path in [SERVER, V1_RESOURCE] {
        let scopes = get(&app, path).await.json()["scopes_supported"].as_array().unwrap().clone();
        assert!(further.iter().all(|scope| scopes.contains(&json!(scope))), "{path}: {scopes:?}");
    }
    assert_eq!(get(&app, READ_PATH_RESOURCE).await.json()["scopes_supported"], json!(["mcp.read"]));
    let refused = send(&app, request(Method::POST, "/api/v1/mcp")).await;
    assert!(refused.header("www-authenticate").unwrap().contains(&further.join(" ")), "{refused:?}");
}
