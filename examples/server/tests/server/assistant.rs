//! An assistant that connects without a key (OAuth).

use reqwest::header::{CONTENT_TYPE, COOKIE};
use reqwest::{RequestBuilder, Url};
use serde_json::{Value, json};

use crate::client::{Response, request, send, sign_in};
use crate::family::PASSWORD;
use crate::sandbox::Server;

const REDIRECT_URI: &str = "https://assistant.example/callback";
pub(crate) const STATE: &str = "canary-of-the-state";
/// The example of RFC 7636, appendix B.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A connection of Ana to an assistant.
pub(crate) struct Connected {
    pub(crate) client: String,
    pub(crate) cookie: String,
    pub(crate) signed: String,
    pub(crate) code: String,
    pub(crate) tokens: Value,
}

impl Connected {
    pub(crate) fn access_token(&self) -> String {
        text(&self.tokens, "access_token")
    }
}

/// Connects an assistant.
pub(crate) async fn connect(server: &Server) -> Connected {
    let client = text(&send(registration(server)).await.json(), "client_id");
    let cookie = sign_in(server, "ana@family.example", PASSWORD).await.cookie();
    assert_eq!(send(authorization(server, &client)).await.status, 303);
    let page = send(authorization(server, &client).header(COOKIE, &cookie)).await;
    let signed = signed_request(&page);
    let code = code(&send(consent(server, &signed).header(COOKIE, &cookie)).await);
    let tokens = send(form(server, "/oauth/token", &redemption(&client, &code))).await.json();
    Connected { client, cookie, signed, code, tokens }
}

/// Registers a client.
pub(crate) fn registration(server: &Server) -> RequestBuilder {
    let body = json!({ "client_name": "Assistant", "redirect_uris": [REDIRECT_URI] });
    request(server, "POST", "/oauth/register").header(CONTENT_TYPE, "application/json").body(body.to_string())
}

/// Opens the consent page.
pub(crate) fn authorization(server: &Server, client: &str) -> RequestBuilder {
    let parameters = [
        ("response_type", "code"),
        ("client_id", client),
        ("redirect_uri", REDIRECT_URI),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("state", STATE),
    ];
    request(server, "GET", &format!("/oauth/authorize?{}", encode(&parameters)))
}

/// Returns the signed request of the consent page.
pub(crate) fn signed_request(page: &Response) -> String {
    let (_, signed) = page.text.split_once(r#"name="request" value=""#).unwrap();
    signed.split_once('"').unwrap().0.to_owned()
}

/// Allows the connection.
pub(crate) fn consent(server: &Server, signed: &str) -> RequestBuilder {
    form(server, "/oauth/consent", &[("request", signed), ("decision", "allow"), ("access", "v1_read")])
}

/// Returns the code of the redirect after the consent.
pub(crate) fn code(redirect: &Response) -> String {
    let address: Url = redirect.header("location").unwrap().parse().unwrap();
    address.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned()
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

pub(crate) fn text(body: &Value, name: &str) -> String {
    body[name].as_str().unwrap_or_else(|| panic!("{name} in {body}")).to_owned()
}

pub(crate) fn form(server: &Server, path: &str, fields: &[(&str, impl AsRef<str>)]) -> RequestBuilder {
    let request = request(server, "POST", path).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    request.body(encode(fields))
}

pub(crate) fn encode(fields: &[(&str, impl AsRef<str>)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}
