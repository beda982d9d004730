//! An assistant on the user's device, which connects with OAuth and waits for the answer on a loopback port.

use std::collections::HashMap;

use reqwest::Url;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::client::{request, send, with_body, with_token};
use crate::page::Page;
use crate::site::Site;
use crate::until::DEADLINE;

pub(crate) const NAME: &str = "Kitchen assistant";
pub(crate) const READ_AND_CHANGE: &str = "v1.read v1.tasks.write v1.notes.write";
pub(crate) const EVERYTHING: &str = "v1.read v1.tasks.write v1.notes.write v1.tasks.manage v1.notes.manage \
                                     v1.events.write v1.shopping.write v1.boards.manage";
pub(crate) const STATE: &str = "af0ifjsldkj";

const MCP: &str = "/api/v1/mcp";
/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A registered client.
pub(crate) struct Assistant {
    client_id: String,
    redirect_uri: String,
    listener: TcpListener,
}

impl Assistant {
    pub(crate) async fn register(site: &Site) -> Self {
        Self::register_as(site, NAME).await
    }

    pub(crate) async fn register_as(site: &Site, name: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let redirect_uri = format!("http://{}/callback", listener.local_addr().unwrap());
        let body = json!({ "client_name": name, "redirect_uris": [redirect_uri] });
        let registered = send(with_body(request(&site.server, "POST", "/oauth/register"), Some(body))).await.json();
        Self { client_id: registered["client_id"].as_str().unwrap().to_owned(), redirect_uri, listener }
    }

    /// Returns the path that the assistant opens in the browser.
    pub(crate) fn authorization(&self, site: &Site, scope: &str) -> String {
        self.authorization_to(&self.redirect_uri, site, scope)
    }

    pub(crate) fn authorization_to(&self, redirect_uri: &str, site: &Site, scope: &str) -> String {
        let parameters = [
            ("response_type", "code"),
            ("client_id", &self.client_id),
            ("redirect_uri", redirect_uri),
            ("resource", &site.url(MCP)),
            ("scope", scope),
            ("state", STATE),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        let url = Url::parse_with_params(&site.url("/oauth/authorize"), parameters).unwrap();
        url.as_str().strip_prefix(&site.server.url).unwrap().to_owned()
    }

    /// Waits for the browser to come back. Returns the parameters of the redirect, and the headers of the request.
    pub(crate) async fn answer(&self) -> (HashMap<String, String>, String) {
        loop {
            let (path, headers) = self.request().await;
            // The browser also requests an icon.
            if path.starts_with("/callback?") {
                let url = Url::parse("http://127.0.0.1").unwrap().join(&path).unwrap();
                return (url.query_pairs().into_owned().collect(), headers);
            }
        }
    }

    /// Answers one request with a page. Returns the path and query, and the headers.
    async fn request(&self) -> (String, String) {
        let (mut connection, _) = timeout(DEADLINE, self.listener.accept()).await.unwrap().unwrap();
        let mut lines = BufReader::new(&mut connection).lines();
        let request = lines.next_line().await.unwrap().unwrap();
        let mut headers = String::new();
        while let Some(line) = lines.next_line().await.unwrap().filter(|line| !line.is_empty()) {
            headers.push_str(&line.to_lowercase());
            headers.push('\n');
        }
        let body = "The assistant is connected";
        let response = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        connection.write_all(response.as_bytes()).await.unwrap();
        (request.split(' ').nth(1).unwrap().to_owned(), headers)
    }

    /// Exchanges the code for tokens. Returns the body of the response.
    pub(crate) async fn redeem(&self, site: &Site, code: &str) -> Value {
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("client_id", &self.client_id),
            ("redirect_uri", &self.redirect_uri),
            ("code_verifier", VERIFIER),
        ];
        let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = request(&site.server, "POST", "/oauth/token");
        send(request.header("Content-Type", "application/x-www-form-urlencoded").body(form)).await.json()
    }

    /// Allows the connection on the consent page. Returns the body of the response with the tokens.
    pub(crate) async fn allow(&self, site: &Site, page: &Page) -> Value {
        page.click("button", "Allow").await;
        let (answer, _) = self.answer().await;
        self.redeem(site, &answer["code"]).await
    }
}

/// Returns the status of a call of the MCP endpoint.
pub(crate) async fn call(site: &Site, access_token: &str) -> u16 {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    with_token(&site.server, access_token, "POST", MCP, Some(body)).await.status
}
