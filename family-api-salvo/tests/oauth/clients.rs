//! Registration, and clients with a metadata document.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use family_api_core::FamilyApi;
use family_api_core::limit::Rate;
use family_api_salvo::{ClientDocuments, FamilyRoutes, FetchError, OAuth};
use family_api_sql::sqlite::SqliteStorage;
use salvo::Service;
use salvo::http::Method;
use serde_json::{Value, json};

use crate::harness::{Parameters, assert_page, assert_token_error, consent_form, form, signed_request};
use crate::mounted::{app, issuer, request, service};
use crate::support::{CookieAuthenticator, TestResponse, TestServer, send};

const CALLBACK: &str = "https://assistant.example/callback";

async fn register(service: &Service, metadata: &Value) -> TestResponse {
    send(service, request(Method::POST, "/oauth/register").raw_json(metadata.to_string())).await
}

async fn authorize(service: &Service, parameters: &Parameters) -> TestResponse {
    send(service, request(Method::GET, &parameters.path()).add_header("cookie", "user=ann", true)).await
}

#[tokio::test]
async fn registration_returns_a_public_client() {
    let app = app(OAuth::new(issuer())).await;
    let metadata = json!({
        "client_name": " Ass\u{202e}istant\u{200b} ",
        "redirect_uris": [CALLBACK, "http://127.0.0.1:1234/cb", "cursor://anysphere.cursor-mcp/oauth/callback"],
        "token_endpoint_auth_method": "client_secret_post",
        "grant_types": ["authorization_code"],
        "logo_uri": "https://assistant.example/logo.png",
    });
    let response = register(&app, &metadata).await;
    assert_eq!((response.status, response.header("cache-control")), (201, Some("no-store")));
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    let mut client = response.json();
    let id = client["client_id"].take();
    let expected = json!({
        "client_id": null,
        "client_name": "Assistant",
        "redirect_uris": metadata["redirect_uris"],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    });
    assert_eq!(client, expected);
    assert!(!id.as_str().unwrap().starts_with("https:"));
    let consent = authorize(&app, &Parameters::of(id.as_str().unwrap())).await;
    assert_eq!(consent.status, 200, "{consent:?}");
    assert!(consent.text().contains("Assistant"));
}

#[tokio::test]
async fn unusable_registrations_are_refused() {
    let app = app(OAuth::new(issuer())).await;
    let too_long: Vec<String> = (0..5).map(|n| format!("https://assistant.example/{n}/{}", "a".repeat(470))).collect();
    for (metadata, error) in [
        (json!({ "redirect_uris": null }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": [] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": [CALLBACK, "javascript:alert(1)"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": vec![CALLBACK; 6] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": [format!("{CALLBACK}{}", "a".repeat(500))] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": too_long }), "invalid_client_metadata"),
        (json!({ "redirect_uris": CALLBACK }), "invalid_client_metadata"),
        (json!({ "redirect_uris": [CALLBACK], "grant_types": ["client_credentials"] }), "invalid_client_metadata"),
        (json!({ "redirect_uris": [CALLBACK], "response_types": ["token"] }), "invalid_client_metadata"),
        (json!([]), "invalid_client_metadata"),
    ] {
        assert_token_error(&register(&app, &metadata).await, 400, error);
    }
    let post = || request(Method::POST, "/oauth/register");
    assert_token_error(&send(&app, post().raw_json("{")).await, 400, "invalid_client_metadata");
    let form = post().add_header("content-type", "application/x-www-form-urlencoded", true).body("a=b");
    assert_token_error(&send(&app, form).await, 400, "invalid_request");
    let large = format!("{{\"client_name\":\"{}\"}}", "a".repeat(16 * 1_024));
    assert_token_error(&send(&app, post().raw_json(large)).await, 413, "invalid_request");
}

#[tokio::test]
async fn registration_belongs_to_one_service() {
    let (app, other) = (app(OAuth::new(issuer())).await, app(OAuth::new(issuer())).await);
    let client = register(&other, &json!({ "redirect_uris": [CALLBACK] })).await.json();
    let id = client["client_id"].as_str().unwrap();
    for id in [id, "unknown", &id[1..], &id[..id.len() - 1]] {
        assert_page(&authorize(&app, &Parameters::of(id)).await, 400, "The app is unknown");
    }
}

fn size_of(folder: &Path) -> u64 {
    std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().metadata().unwrap().len()).sum()
}

/// Each registration takes the same path, which writes to no storage and to no cache. If one of them left as much as a
/// byte in the database, 10,000 would show it as a million do. In memory, a registration can only leave its network
/// address in the rate limiter, whose number of keys has its own test.
#[tokio::test]
async fn ten_thousand_registrations_store_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Arc::new(SqliteStorage::open(folder.path().join("family.db")).await.unwrap());
    let api = FamilyApi::builder(storage.clone()).grants(storage).build();
    let oauth = OAuth::new(issuer()).without_registration_limit();
    let app = service(FamilyRoutes::new(api).session(CookieAuthenticator).oauth(oauth));
    let register = async |number: u32| {
        let metadata = json!({ "client_name": format!("Client {number}"), "redirect_uris": [CALLBACK] });
        assert_eq!(register(&app, &metadata).await.status, 201);
    };
    register(0).await;
    let size = size_of(folder.path());
    for number in 1..10_000 {
        register(number).await;
    }
    assert_eq!(size_of(folder.path()), size);
}

#[tokio::test]
async fn registrations_of_a_network_address_are_limited() {
    let rate = Rate::per_minute(NonZeroU32::new(2).unwrap());
    let server = TestServer::start(app(OAuth::new(issuer()).registration_limit(rate)).await).await;
    let body = json!({ "redirect_uris": [CALLBACK] }).to_string();
    let request = format!(
        "POST /oauth/register HTTP/1.1\r\nHost: family.example\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    for status in [201, 201, 429] {
        let (head, body) = server.send(request.as_bytes()).await;
        assert!(head.starts_with(&format!("http/1.1 {status}")), "{head}");
        assert_eq!(head.contains("\r\nretry-after: "), status == 429, "{head}");
        assert_eq!(body.contains("temporarily_unavailable"), status == 429, "{body}");
    }
}

/// Serves metadata documents by their URL.
struct Documents(BTreeMap<&'static str, Value>);

#[async_trait]
impl ClientDocuments for Documents {
    async fn fetch(&self, url: &str) -> Result<Bytes, FetchError> {
        let document =
            self.0.get(url).ok_or_else(|| FetchError::Refused("the site responds with status 404".into()))?;
        Ok(document.to_string().into())
    }
}

const DOCUMENT: &str = "https://assistant.example/oauth/client.json";

/// The document of an assistant that prefers to authenticate, but can do without.
fn document() -> Value {
    json!({
        "client_id": DOCUMENT,
        "client_name": "Hosted assistant",
        "redirect_uris": [CALLBACK],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "private_key_jwt",
        "token_endpoint_auth_methods_supported": ["none", "private_key_jwt"],
        "jwks_uri": "https://assistant.example/jwks.json",
    })
}

#[tokio::test]
async fn metadata_document_identifies_its_client() {
    let mut native = document();
    native["redirect_uris"] = json!([CALLBACK, "http://127.0.0.1/callback"]);
    let documents = Documents(BTreeMap::from([(DOCUMENT, native)]));
    let app = app(OAuth::new(issuer()).client_documents(documents)).await;
    let foreign = Parameters::of(DOCUMENT).with("redirect_uri", "https://evil.example/callback");
    assert_eq!(authorize(&app, &foreign).await.status, 400);
    assert_eq!(authorize(&app, &Parameters::of(DOCUMENT)).await.status, 200);
    let parameters = Parameters::of(DOCUMENT).with("redirect_uri", "http://127.0.0.1:7777/callback");
    let page = authorize(&app, &parameters).await;
    let text = page.text();
    for part in [
        "Hosted assistant",
        "Published by",
        "<bdi>assistant.example</bdi>",
        "An app on this device",
        "<bdi>127.0.0.1</bdi>",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let answer = form(&[("request", signed_request(&page).as_str()), ("decision", "allow"), ("access", "v1_read")]);
    let redirect = send(&app, consent_form("ann").body(answer)).await;
    // The port of a loopback address may differ from the registered one.
    assert!(redirect.header("location").unwrap().starts_with("http://127.0.0.1:7777/callback?code=famc_"));
    let list = request(Method::GET, "/api/users/me/connections").add_header("cookie", "user=ann", true);
    assert_eq!(send(&app, list).await.json()["connections"][0]["host"], "assistant.example");
}

/// Counts the fetches. No site responds.
#[derive(Clone, Default)]
struct CountedDocuments(Arc<AtomicUsize>);

#[async_trait]
impl ClientDocuments for CountedDocuments {
    async fn fetch(&self, _: &str) -> Result<Bytes, FetchError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        std::future::pending().await
    }
}

#[tokio::test]
async fn stranger_causes_no_fetch() {
    let documents = CountedDocuments::default();
    let app = app(OAuth::new(issuer()).client_documents(documents.clone())).await;
    for number in 0..20 {
        let path = Parameters::of(&format!("https://slow.example/{number}")).path();
        let response = send(&app, request(Method::GET, &path)).await;
        assert!(response.status == 303 && response.header("location").unwrap().starts_with("/login?next="));
    }
    assert_eq!(documents.0.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn unusable_metadata_document_is_refused_with_the_reason() {
    let mut stolen = document();
    stolen["client_id"] = json!("https://other.example/client.json");
    let documents = Documents(BTreeMap::from([(DOCUMENT, stolen)]));
    let app = app(OAuth::new(issuer()).client_documents(documents)).await;
    let refused = authorize(&app, &Parameters::of(DOCUMENT)).await;
    assert_eq!((refused.status, refused.header("location")), (400, None));
    assert!(refused.text().contains("not the address of the document"), "{}", refused.text());
    let missing = authorize(&app, &Parameters::of("https://assistant.example/missing")).await;
    assert_eq!((missing.status, missing.header("location")), (400, None));
    assert!(missing.text().contains("404"), "{}", missing.text());
}

#[tokio::test]
async fn without_client_documents_their_urls_are_unknown() {
    let app = app(OAuth::new(issuer()).without_client_documents()).await;
    assert_page(&authorize(&app, &Parameters::of(DOCUMENT)).await, 400, "The app is unknown");
}
