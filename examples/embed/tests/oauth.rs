//! An assistant connects without a key, through the app's own sign-in.

use salvo::Response;
use salvo::http::Method;
use salvo::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE, WWW_AUTHENTICATE};
use salvo::test::{ResponseExt, TestClient};
use serde_json::{Value, json};

use crate::support::{App, Credentials};

const HOST: &str = "http://127.0.0.1";
const ISSUER: &str = "http://127.0.0.1/family";
const ENDPOINT: &str = "family/api/v1/mcp";
const REDIRECT_URI: &str = "https://assistant.example/callback";
/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

impl App {
    /// Registers an assistant and returns the path of its authorization request, with its id.
    async fn authorization_request(&self) -> (String, String) {
        let body = json!({ "redirect_uris": [REDIRECT_URI], "client_name": "Assistant", "token_endpoint_auth_method": "none" });
        let request = TestClient::post(format!("{ISSUER}/oauth/register")).json(&body);
        let registered: Value = request.send(&self.service).await.take_json().await.unwrap();
        let client = registered["client_id"].as_str().unwrap().to_owned();
        let query = encode(&[
            ("response_type", "code"),
            ("client_id", &client),
            ("redirect_uri", REDIRECT_URI),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("resource", &format!("{HOST}/{ENDPOINT}")),
            ("scope", "v1.read v1.tasks.write v1.notes.write"),
        ]);
        (format!("/family/oauth/authorize?{query}"), client)
    }

    async fn get(&self, path: &str, cookie: Option<&str>) -> Response {
        let request = TestClient::get(format!("{HOST}{path}"));
        let request = cookie.into_iter().fold(request, |request, cookie| request.add_header(COOKIE, cookie, true));
        request.send(&self.service).await
    }

    /// Sends a form as a page of the app does.
    async fn post_form(&self, path: &str, cookie: Option<&str>, fields: &[(&str, &str)]) -> Response {
        let request = TestClient::post(format!("{HOST}{path}")).add_header("sec-fetch-site", "same-origin", true);
        let request = cookie.into_iter().fold(request, |request, cookie| request.add_header(COOKIE, cookie, true));
        let request = request.add_header(CONTENT_TYPE, "application/x-www-form-urlencoded", true);
        request.body(encode(fields)).send(&self.service).await
    }

    /// Signs in with a one-time code, allows the request, and returns the assistant's access token and the cookie.
    async fn connect(&self, person: &str) -> (Credentials, String) {
        let (request, client) = self.authorization_request().await;
        let sign_in = location(&self.get(&request, None).await);
        assert!(self.get(&sign_in, None).await.take_string().await.unwrap().contains("One-time code"));
        let code = self.issue_code(person).await;
        let signed_in = self.post_form(&sign_in, None, &[("code", &code)]).await;
        assert_eq!(location(&signed_in), request);
        let cookie = signed_in.headers()[SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned();

        let page = self.get(&request, Some(&cookie)).await.take_string().await.unwrap();
        let signed = page.split_once(r#"name="request" value=""#).unwrap().1.split_once('"').unwrap().0;
        let answer = [("request", signed), ("decision", "allow"), ("access", "v1_read_write")];
        let consented = location(&self.post_form("/family/oauth/consent", Some(&cookie), &answer).await);
        let code =
            consented.strip_prefix(REDIRECT_URI).unwrap().split(['?', '&']).find_map(|p| p.strip_prefix("code="));

        let mut response = self
            .post_form(
                "/family/oauth/token",
                None,
                &[
                    ("grant_type", "authorization_code"),
                    ("client_id", &client),
                    ("redirect_uri", REDIRECT_URI),
                    ("code", code.unwrap()),
                    ("code_verifier", VERIFIER),
                ],
            )
            .await;
        let tokens: Value = response.take_json().await.unwrap();
        assert!(tokens["access_token"].is_string(), "{tokens}");
        let access = tokens["access_token"].as_str().unwrap();
        ((AUTHORIZATION, format!("Bearer {access}")), cookie)
    }

    async fn call_tool(&self, token: &Credentials, name: &str, arguments: Value) -> (u16, Value) {
        let params = json!({ "name": name, "arguments": arguments });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        self.send(token, Method::POST, ENDPOINT, Some(message)).await
    }
}

fn encode(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

fn location(response: &Response) -> String {
    assert_eq!(response.status_code.unwrap().as_u16(), 303, "{response:?}");
    response.headers()[LOCATION].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn assistant_connects_through_the_apps_sign_in() {
    let app = App::start().await;
    let (token, cookie) = app.connect("ines").await;
    let (status, answer) = app.call_tool(&token, "complete_tasks", json!({ "ids": ["bread"] })).await;
    assert_eq!((status, &answer["result"]["isError"]), (200, &Value::Bool(false)), "{answer}");
    let query = sqlx::query_scalar("SELECT state FROM chore WHERE id = 'bread'");
    let state: String = query.fetch_one(&app.database.hearth.writer).await.unwrap();
    assert_eq!(state, "done");

    let session = (COOKIE, cookie);
    let path = "family/api/users/me/connections";
    let (_, list) = app.send(&session, Method::GET, path, None).await;
    assert_eq!(list["connections"][0]["client"], "Assistant");
    let connection = format!("{path}/{}", list["connections"][0]["id"].as_str().unwrap());
    assert_eq!(app.send(&session, Method::DELETE, &connection, None).await.0, 200);
    assert_eq!(app.call_tool(&token, "get_overview", json!({})).await.0, 401);
}

#[tokio::test]
async fn assistant_of_a_removed_member_gets_nothing() {
    let app = App::start().await;
    let (token, _) = app.connect("ines").await;
    let joao = app.sign_in("joao").await;
    assert_eq!(app.send(&joao, Method::DELETE, "household/members/ines", None).await.0, 200);
    let (status, problem) = app.call_tool(&token, "get_overview", json!({})).await;
    assert_eq!((status, problem["code"].as_str()), (401, Some("no_family")));
}

#[tokio::test]
async fn endpoint_leads_to_the_metadata_at_the_root() {
    let app = App::start().await;
    let refused = TestClient::post(format!("{HOST}/{ENDPOINT}")).json(&json!({})).send(&app.service).await;
    let challenge = refused.headers()[WWW_AUTHENTICATE].to_str().unwrap();
    let metadata = "/.well-known/oauth-protected-resource/family/api/v1/mcp";
    assert!(challenge.contains(&format!(r#"resource_metadata="{HOST}{metadata}""#)), "{challenge}");
    let document: Value = app.get(metadata, None).await.take_json().await.unwrap();
    assert_eq!(document["authorization_servers"], json!([ISSUER]));
    let server = app.get("/.well-known/oauth-authorization-server/family", None).await.take_json::<Value>().await;
    assert_eq!(server.unwrap()["issuer"], ISSUER);
}

#[tokio::test]
async fn page_of_keys_needs_the_apps_session() {
    let app = App::start().await;
    let sign_in = location(&app.get("/family/keys", None).await);
    assert_eq!(sign_in, "/sign-in?next=%2Ffamily%2Fkeys");
    let cookie = app.sign_in("ines").await.1;
    assert_eq!(app.get("/family/keys", Some(&cookie)).await.status_code.unwrap().as_u16(), 200);
}

#[tokio::test]
async fn sign_in_does_not_lead_to_another_site() {
    let app = App::start().await;
    for next in ["https://evil.example/", "//evil.example/family/", "/household", "/\\evil.example", ""] {
        let code = app.issue_code("ines").await;
        let path = format!("/sign-in?{}", encode(&[("next", next)]));
        let response = app.post_form(&path, None, &[("code", &code)]).await;
        assert_eq!((response.status_code.unwrap().as_u16(), response.headers().get(LOCATION)), (200, None), "{next}");
    }
    let wrong = app.post_form("/sign-in?next=%2Ffamily%2Fkeys", None, &[("code", "wrong")]).await;
    assert_eq!(wrong.status_code.unwrap().as_u16(), 401);
}
