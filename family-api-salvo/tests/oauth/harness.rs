//! An app with the authorization server, and a client that connects to it.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use family_api_core::access::Caller;
use family_api_core::id::UserId;
use family_api_core::storage::SignedIn;
use family_api_core::{Error, FamilyApi, ManualClock};
use family_api_salvo::{FamilyRoutes, OAuth, SessionAuthenticator};
use salvo::http::Method;
use salvo::test::RequestBuilder;
use salvo::{Depot, Request, Router, Service};
use serde_json::{Value, json};

use crate::storages::{OnStorage, StorageKind, StorageLocation};
use crate::support::{NOW, TestResponse, fixture, send};

pub(crate) const ISSUER: &str = "https://family.example";
pub(crate) const V1: &str = "https://family.example/api/v1/mcp";
pub(crate) const READ_PATH: &str = "https://family.example/api/mcp";
pub(crate) const REDIRECT_URI: &str = "https://assistant.example/callback";
pub(crate) const STATE: &str = "state of the client & more";

/// The secret part of each cookie.
pub(crate) const COOKIE: &str = "canary-of-a-cookie";

/// The example of RFC 7636, appendix B.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// Accepts the cookie `user=<id>`, unless a test has ended all sessions.
#[derive(Clone, Default)]
struct UserCookie {
    has_ended: Arc<Mutex<bool>>,
}

#[async_trait]
impl SessionAuthenticator for UserCookie {
    async fn user(&self, req: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        let cookie = req.cookie("user").filter(|_| !*self.has_ended.lock().unwrap());
        Ok(cookie.and_then(|cookie| cookie.value().parse::<UserId>().ok()).map(SignedIn::from))
    }
}

pub(crate) struct OAuthApp {
    service: Service,
    pub(crate) api: FamilyApi,
    pub(crate) clock: ManualClock,
    session: UserCookie,
    /// Keeps the directory or database of the storage until the end of the test.
    _location: StorageLocation,
}

impl OnStorage for OAuthApp {
    async fn on(kind: StorageKind) -> Self {
        let (storage, location) = fixture::seeded(kind).await;
        let clock = ManualClock::new(NOW.parse().unwrap());
        let api = FamilyApi::builder(storage.clone()).grants(storage).clock(clock.clone()).full_access(true).build();
        let session = UserCookie::default();
        let routes = FamilyRoutes::new(api.clone()).session(session.clone());
        let routes = routes.public_address(ISSUER.parse().unwrap()).oauth(OAuth::new(ISSUER.parse().unwrap()));
        let service = Service::new(Router::new().push(routes.into_router()));
        Self { service, api, clock, session, _location: location }
    }
}

/// Access and refresh token.
pub(crate) struct Tokens {
    pub(crate) access: String,
    pub(crate) refresh: String,
    pub(crate) scope: String,
}

impl OAuthApp {
    pub(crate) fn end_sessions(&self) {
        *self.session.has_ended.lock().unwrap() = true;
    }

    pub(crate) fn resume_sessions(&self) {
        *self.session.has_ended.lock().unwrap() = false;
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> TestResponse {
        send(&self.service, request).await
    }

    pub(crate) async fn send_as(&self, user: &str, method: Method, path_and_query: &str) -> TestResponse {
        self.send(request(method, path_and_query).add_header("cookie", cookie(user), true)).await
    }

    /// Registers a client, and returns its id.
    pub(crate) async fn register(&self, name: &str, redirect_uris: &[&str]) -> String {
        let body = json!({ "client_name": name, "redirect_uris": redirect_uris, "token_endpoint_auth_method": "none" });
        let response = self.send(request(Method::POST, "/oauth/register").raw_json(body.to_string())).await;
        assert_eq!(response.status, 201, "{response:?}");
        response.json()["client_id"].as_str().unwrap().to_owned()
    }

    /// Registers the client of most tests.
    pub(crate) async fn client(&self) -> String {
        self.register("Assistant", &[REDIRECT_URI]).await
    }

    /// Opens the page of an authorization request as a signed-in user.
    pub(crate) async fn authorize(&self, user: &str, parameters: &Parameters) -> TestResponse {
        self.send_as(user, Method::GET, &parameters.path()).await
    }

    /// Opens the consent page, and returns the signed request of its form.
    pub(crate) async fn open_consent(&self, user: &str, parameters: &Parameters) -> String {
        let page = self.authorize(user, parameters).await;
        assert_eq!(page.status, 200, "{page:?}");
        signed_request(&page)
    }

    /// Sends the consent form as a browser does.
    pub(crate) async fn submit(&self, user: &str, fields: &[(&str, &str)]) -> TestResponse {
        self.send(consent_form(user).add_header("sec-fetch-site", "same-origin", true).body(form(fields))).await
    }

    /// Consents to the access that the client asks for, and returns the code.
    pub(crate) async fn code(&self, user: &str, parameters: &Parameters) -> String {
        let request = self.open_consent(user, parameters).await;
        let mode = if parameters.get("resource") == Some(READ_PATH) {
            "mcp_read"
        } else if parameters.get("scope").is_some_and(|scope| scope.contains("write")) {
            "v1_read_write"
        } else {
            "v1_read"
        };
        let response = self.submit(user, &[("request", &request), ("decision", "allow"), ("access", mode)]).await;
        redirect_parameter(&response, "code").unwrap_or_else(|| panic!("{response:?}"))
    }

    pub(crate) async fn token(&self, fields: &[(&str, &str)]) -> TestResponse {
        self.send(token_request(fields)).await
    }

    /// Exchanges a code.
    pub(crate) async fn redeem(&self, client: &str, code: &str) -> TestResponse {
        self.token(&redemption(client, code)).await
    }

    pub(crate) async fn refresh(&self, client: &str, refresh: &str) -> TestResponse {
        self.token(&[("grant_type", "refresh_token"), ("client_id", client), ("refresh_token", refresh)]).await
    }

    /// Connects a client with the scopes and for the resource of the parameters.
    pub(crate) async fn connect(&self, user: &str, parameters: &Parameters) -> Tokens {
        let code = self.code(user, parameters).await;
        tokens(&self.redeem(parameters.get("client_id").unwrap(), &code).await)
    }

    /// Calls an MCP endpoint with an access token. Returns the status, and the code of a problem document.
    pub(crate) async fn call(&self, endpoint: &str, access: &str) -> (u16, Option<String>) {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        } } });
        let request = request(Method::POST, endpoint.strip_prefix(ISSUER).unwrap())
            .bearer_auth(access)
            .add_header("mcp-protocol-version", "2026-07-28", true)
            .add_header("mcp-method", "tools/list", true)
            .add_header("accept", "application/json, text/event-stream", true);
        let response = self.send(request.raw_json(message.to_string())).await;
        let code = (response.status != 200).then(|| response.problem_code());
        (response.status, code)
    }

    /// Returns the number of the user's live connections.
    pub(crate) async fn connections(&self, user: &str) -> usize {
        let caller = self.caller(user).await;
        self.api.connections(&caller).unwrap().list().await.unwrap().connections.len()
    }

    /// Ends all connections of the user, as the user does.
    pub(crate) async fn end_connections(&self, user: &str) {
        let caller = self.caller(user).await;
        let service = self.api.connections(&caller).unwrap();
        for connection in service.list().await.unwrap().connections {
            service.revoke(&connection.id.as_str().into()).await.unwrap();
        }
    }

    async fn caller(&self, user: &str) -> Caller {
        self.api.session_caller(&SignedIn::from(user.parse::<UserId>().unwrap())).await.unwrap()
    }
}

/// The parameters of an authorization request.
#[derive(Clone)]
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Returns a valid request for reads on `/api/v1`.
    pub(crate) fn of(client: &str) -> Self {
        let parameters = [
            ("response_type", "code"),
            ("client_id", client),
            ("redirect_uri", REDIRECT_URI),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", STATE),
            ("resource", V1),
            ("scope", "v1.read"),
        ];
        Self(parameters.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec())
    }

    /// Replaces a parameter.
    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        self.without(name).and(name, value)
    }

    /// Adds a parameter, even if there is one with this name.
    pub(crate) fn and(mut self, name: &str, value: &str) -> Self {
        self.0.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.0.retain(|(other, _)| other != name);
        self
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Returns the path and query of the authorization request.
    pub(crate) fn path(&self) -> String {
        format!("/oauth/authorize?{}", form(&self.0))
    }
}

/// Returns the header of a user's session, with a secret that no log may contain.
fn cookie(user: &str) -> String {
    format!("user={user}; device={COOKIE}")
}

pub(crate) fn request(method: Method, path_and_query: &str) -> RequestBuilder {
    RequestBuilder::new(format!("http://family.example{path_and_query}"), method)
}

/// Returns the request of the consent form, without body and without the headers that only browsers send.
pub(crate) fn consent_form(user: &str) -> RequestBuilder {
    form_request("/oauth/consent").add_header("cookie", cookie(user), true)
}

pub(crate) fn token_request(fields: &[(&str, &str)]) -> RequestBuilder {
    form_request("/oauth/token").body(form(fields))
}

pub(crate) fn revocation_request(fields: &[(&str, &str)]) -> RequestBuilder {
    form_request("/oauth/revoke").body(form(fields))
}

/// Returns a request with a form, without its body.
fn form_request(path_and_query: &str) -> RequestBuilder {
    let request = request(Method::POST, path_and_query);
    request.add_header("content-type", "application/x-www-form-urlencoded", true)
}

pub(crate) fn redemption<'a>(client: &'a str, code: &'a str) -> [(&'static str, &'a str); 5] {
    [
        ("grant_type", "authorization_code"),
        ("client_id", client),
        ("redirect_uri", REDIRECT_URI),
        ("code", code),
        ("code_verifier", VERIFIER),
    ]
}

pub(crate) fn form(fields: &[(impl AsRef<str>, impl AsRef<str>)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// Returns the signed request of the consent page.
pub(crate) fn signed_request(page: &TestResponse) -> String {
    let text = page.text();
    let (_, rest) = text.split_once(r#"name="request" value=""#).unwrap_or_else(|| panic!("{text}"));
    rest.split_once('"').unwrap().0.to_owned()
}

/// Returns a parameter of a redirect to the client.
pub(crate) fn redirect_parameter(response: &TestResponse, name: &str) -> Option<String> {
    assert_eq!(response.status, 303, "{response:?}");
    parameter_for_client(response.header("location").unwrap(), name)
}

/// Returns a parameter of the link to the client, on the page of a refused request.
pub(crate) fn link_parameter(page: &TestResponse, name: &str) -> Option<String> {
    assert_eq!((page.status, page.header("location")), (400, None), "{page:?}");
    let text = page.text();
    let (_, rest) = text.split_once(&format!(r#"<a href="{REDIRECT_URI}?"#)).unwrap_or_else(|| panic!("{text}"));
    let query = rest.split_once('"').unwrap().0.replace("&amp;", "&");
    parameter_for_client(&format!("{REDIRECT_URI}?{query}"), name)
}

fn parameter_for_client(url: &str, name: &str) -> Option<String> {
    let (address, query) = url.split_once('?').unwrap();
    assert_eq!(address, REDIRECT_URI);
    let mut values = form_urlencoded::parse(query.as_bytes()).filter(|(other, _)| other == name);
    let value = values.next().map(|(_, value)| value.into_owned());
    assert!(values.next().is_none(), "{name} occurs twice in {query}");
    value
}

pub(crate) fn tokens(response: &TestResponse) -> Tokens {
    assert_eq!(response.status, 200, "{response:?}");
    let body: Value = response.json();
    let text = |name: &str| body[name].as_str().unwrap_or_else(|| panic!("{name} in {body}")).to_owned();
    Tokens { access: text("access_token"), refresh: text("refresh_token"), scope: text("scope") }
}

/// Asserts that a response is an error of the token endpoint (RFC 6749, section 5.2).
#[track_caller]
pub(crate) fn assert_token_error(response: &TestResponse, status: u16, error: &str) {
    assert_eq!(response.status, status, "{response:?}");
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(response.header("cache-control"), Some("no-store"));
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    let body = response.json();
    assert_eq!(body["error"], error, "{body}");
    let description = body["error_description"].as_str().unwrap();
    assert!(description.bytes().all(|byte| matches!(byte, b' '..=b'!' | b'#'..=b'[' | b']'..=b'~')), "{description}");
}

/// Asserts that a response is a page for the user, and no redirect.
#[track_caller]
pub(crate) fn assert_page(response: &TestResponse, status: u16, title: &str) {
    assert_eq!(response.status, status, "{response:?}");
    assert_eq!(response.header("location"), None);
    assert_eq!(response.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(response.text().contains(&format!("<h1>{title}</h1>")), "{}", response.text());
}
