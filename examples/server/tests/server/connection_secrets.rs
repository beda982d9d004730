//! Checks that no log and no database contains a secret of a connection, at any log level and in both formats.

use reqwest::header::{CONTENT_TYPE, COOKIE};
use reqwest::{RequestBuilder, Url};
use serde_json::{Value, json};

use crate::backend::{Backend, on_each_backend};
use crate::client::{request, send, sign_in, with_token};
use crate::family::PASSWORD;
use crate::sandbox::{Sandbox, Server};
use crate::secrets::{assert_not_written, log_statements};

const MCP: &str = "/api/v1/mcp";
const REDIRECT_URI: &str = "https://assistant.example/callback";
const STATE: &str = "canary-of-the-state";
/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

on_each_backend! { no_secret_of_a_connection_is_written }

async fn no_secret_of_a_connection_is_written(backend: Backend) {
    for format in ["text", "json"] {
        let sandbox = Sandbox::with_families(backend).await;
        log_statements(&sandbox).await;
        let server = sandbox.serve_with(&["--log", format], &[("FAMILY_API_LOG", "trace")]);
        let secrets = use_connection(&server).await;
        let secrets: Vec<&str> = secrets.iter().map(String::as_str).chain([PASSWORD, STATE, VERIFIER]).collect();
        // Checked twice: while SQLite's write-ahead log exists, and after the server has emptied it.
        assert_not_written(&sandbox, &secrets).await;
        assert!(server.stop().success());
        assert!(sandbox.log().contains("approve_grant"), "the log is not at TRACE");
        assert_not_written(&sandbox, &secrets).await;
    }
}

/// A connection of Ana to an assistant.
pub(crate) struct Connected {
    client: String,
    cookie: String,
    sealed: String,
    code: String,
    tokens: Value,
}

impl Connected {
    pub(crate) fn access_token(&self) -> String {
        text(&self.tokens, "access_token")
    }
}

/// Connects an assistant.
pub(crate) async fn connect(server: &Server) -> Connected {
    let body = json!({ "client_name": "Assistant", "redirect_uris": [REDIRECT_URI] });
    let registration = request(server, "POST", "/oauth/register").header(CONTENT_TYPE, "application/json");
    let client = text(&send(registration.body(body.to_string())).await.json(), "client_id");
    let cookie = sign_in(server, "ana@family.example", PASSWORD).await.cookie();
    let parameters = [
        ("response_type", "code"),
        ("client_id", client.as_str()),
        ("redirect_uri", REDIRECT_URI),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("state", STATE),
    ];
    let authorization = format!("/oauth/authorize?{}", encode(&parameters));
    assert_eq!(send(request(server, "GET", &authorization)).await.status, 303);
    let page = send(request(server, "GET", &authorization).header(COOKIE, &cookie)).await;
    let (_, sealed) = page.text.split_once(r#"name="request" value=""#).unwrap();
    let sealed = sealed.split_once('"').unwrap().0.to_owned();
    let answer = [("request", sealed.as_str()), ("decision", "allow"), ("access", "v1_read")];
    let redirect = send(form(server, "/oauth/consent", &answer).header(COOKIE, &cookie)).await;
    let redirect: Url = redirect.header("location").unwrap().parse().unwrap();
    let code = redirect.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned();

    let tokens = send(form(server, "/oauth/token", &redemption(&client, &code))).await.json();
    Connected { client, cookie, sealed, code, tokens }
}

fn redemption<'a>(client: &'a str, code: &'a str) -> [(&'static str, &'a str); 5] {
    [
        ("grant_type", "authorization_code"),
        ("client_id", client),
        ("redirect_uri", REDIRECT_URI),
        ("code", code),
        ("code_verifier", VERIFIER),
    ]
}

/// Connects, refreshes, misuses and revokes. Returns the secrets that the server has sent.
async fn use_connection(server: &Server) -> Vec<String> {
    let Connected { client, cookie, sealed, code, tokens: first } = connect(server).await;
    let redemption = redemption(&client, &code);
    let refresh_token = text(&first, "refresh_token");
    let refresh = [("grant_type", "refresh_token"), ("client_id", &client), ("refresh_token", &refresh_token)];
    let second = send(form(server, "/oauth/token", &refresh)).await.json();
    let access = text(&second, "access_token");
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    assert_eq!(with_token(server, &access, "POST", MCP, Some(call.clone())).await.status, 200);
    // A token in the query is ignored, and not logged either.
    let in_query = format!("{MCP}?access_token={access}");
    assert_eq!(send(request(server, "POST", &in_query)).await.status, 401);
    assert_eq!(send(form(server, "/oauth/token", &refresh)).await.status, 400);
    assert_eq!(send(form(server, "/oauth/token", &redemption)).await.status, 400);
    assert_eq!(with_token(server, &access, "POST", MCP, Some(call)).await.status, 401);
    assert_eq!(send(form(server, "/oauth/revoke", &[("token", &access)])).await.status, 200);
    let session = cookie.split_once('=').unwrap().1.to_owned();
    let tokens = [&first, &second].map(|tokens| [text(tokens, "access_token"), text(tokens, "refresh_token")]);
    [session, sealed, code].into_iter().chain(tokens.into_iter().flatten()).collect()
}

fn text(body: &Value, name: &str) -> String {
    body[name].as_str().unwrap_or_else(|| panic!("{name} in {body}")).to_owned()
}

fn form(server: &Server, path: &str, fields: &[(&str, impl AsRef<str>)]) -> RequestBuilder {
    let request = request(server, "POST", path).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    request.body(encode(fields))
}

fn encode(fields: &[(&str, impl AsRef<str>)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}
