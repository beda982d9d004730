//! Apps with other options of the authorization server.

use family_api_core::FamilyApi;
use family_api_core::key::KeyMode;
use family_api_salvo::{FamilyRoutes, OAuth, PublicUrl};
use salvo::http::Method;
use salvo::test::RequestBuilder;
use salvo::{Router, Service};

use crate::harness::{ISSUER, Parameters, REDIRECT_URI};
use crate::storages::StorageKind;
use crate::support::{CookieAuthenticator, TestResponse, fixture, send};

pub(crate) fn issuer() -> PublicUrl {
    ISSUER.parse().unwrap()
}

/// Creates an API with the fixture, which stores grants.
pub(crate) async fn api() -> FamilyApi {
    let (storage, _) = fixture::seeded(StorageKind::Memory).await;
    FamilyApi::builder(storage.clone()).grants(storage).build()
}

/// Mounts the session routes and the authorization server.
pub(crate) async fn routes(oauth: OAuth) -> FamilyRoutes {
    FamilyRoutes::new(api().await).session(CookieAuthenticator).oauth(oauth)
}

pub(crate) async fn app(oauth: OAuth) -> Service {
    service(routes(oauth).await)
}

pub(crate) fn service(routes: FamilyRoutes) -> Service {
    Service::new(Router::new().push(routes.into_router()))
}

/// Sends a request to a path of [`ISSUER`]'s host, or to a URL.
pub(crate) async fn get(service: &Service, url: &str) -> TestResponse {
    send(service, request(Method::GET, url)).await
}

pub(crate) fn request(method: Method, url: &str) -> RequestBuilder {
    let url = if url.starts_with('/') { format!("http://family.example{url}") } else { url.to_owned() };
    RequestBuilder::new(url, method)
}

/// Registers a client at the endpoint with this path, and returns its id.
pub(crate) async fn register(service: &Service, path: &str) -> String {
    let body = serde_json::json!({ "client_name": "Assistant", "redirect_uris": [REDIRECT_URI] }).to_string();
    let registered = send(service, request(Method::POST, path).raw_json(body)).await.json();
    registered["client_id"].as_str().unwrap().to_owned()
}

/// Returns the names of the modes that the consent page of an app with these routes offers for the scopes.
async fn offered(routes: FamilyRoutes, scope: &str) -> (Vec<&'static str>, String) {
    let app = service(routes);
    let path = Parameters::of(&register(&app, "/oauth/register").await).with("scope", scope).path();
    let page = send(&app, request(Method::GET, &path).add_header("cookie", "user=ann", true)).await.text();
    let is_offered = |mode: &KeyMode| page.contains(&format!(r#"value="{}""#, mode.as_str()));
    (KeyMode::ALL.iter().filter(|mode| is_offered(mode)).map(|mode| mode.as_str()).collect(), page)
}

#[tokio::test]
async fn host_without_full_access_grants_none_of_its_scopes() {
    let scopes =
        "v1.read v1.tasks.write v1.tasks.manage v1.notes.manage v1.events.write v1.shopping.write v1.boards.manage";
    let (modes, page) = offered(routes(OAuth::new(issuer())).await, scopes).await;
    assert_eq!(modes, ["v1_read", "v1_read_write"]);
    assert!(!page.contains("restore"), "{page}");
}

#[tokio::test]
async fn links_of_all_pages_work_below_a_prefix() {
    let issuer = format!("{ISSUER}/family").parse().unwrap();
    let routes = routes(OAuth::new(issuer).with_root_aliases()).await;
    let app = Service::new(Router::with_path("family").push(routes.into_router()));
    let send = |method, path: &str| {
        let request = request(method, &format!("/family{path}")).add_header("cookie", "user=ann", true);
        async { send(&app, request).await }
    };
    let client = register(&app, "/family/oauth/register").await;
    let resource = format!("{ISSUER}/family/api/v1/mcp");
    let parameters = Parameters::of(&client).with("scope", "v1.read").with("resource", &resource);
    let query = parameters.path().replace("/oauth/authorize", "");
    for (path, form) in [("/oauth/authorize", "../oauth/consent"), ("/authorize", "oauth/consent")] {
        let page = send(Method::GET, &format!("{path}{query}")).await.text();
        assert!(page.contains(&format!(r#" action="{form}""#)), "{path}: {page}");
    }
    // The errors of the guards and limits.
    for (path, style) in [
        ("/oauth/authorize", r#" href="../api/assets/style-"#),
        ("/oauth/consent", r#" href="../api/assets/style-"#),
        ("/authorize", r#" href="api/assets/style-"#),
    ] {
        let refused = send(Method::DELETE, path).await;
        assert_eq!(refused.status, 405, "{path}");
        assert!(refused.text().contains(style), "{path}: {refused:?}");
    }
}

#[cfg(feature = "pages")]
#[tokio::test]
async fn consent_and_error_pages_link_to_the_page_of_keys() {
    use family_api_salvo::Pages;

    let link = r#"<a href="../account/keys">Programs and assistants</a>"#;
    let mounted = async || routes(OAuth::new(issuer())).await.pages(Pages::at("/account/keys"));
    assert!(offered(mounted().await, "v1.read").await.1.contains(link));
    let malformed = request(Method::GET, "/oauth/authorize").add_header("cookie", "user=ann", true);
    let error = send(&service(mounted().await), malformed).await.text();
    assert!(error.contains(link), "{error}");
    assert!(!offered(routes(OAuth::new(issuer())).await, "v1.read").await.1.contains("account/keys"));
}
