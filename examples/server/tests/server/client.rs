//! A small HTTP client for the tests.

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HeaderMap, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Method, RequestBuilder};
use serde_json::Value;

use crate::sandbox::Server;

/// A complete response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// Checks the media type, status and request id of a problem document. Returns its status and code.
    pub(crate) fn problem(&self) -> (u16, String) {
        let problem = self.json();
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        assert_eq!(problem["status"], self.status);
        assert_eq!(problem["requestId"].as_str(), self.header("x-request-id"));
        (self.status, problem["code"].as_str().unwrap().to_owned())
    }

    /// Returns the session cookie that the response sets, in the form of a `Cookie` header.
    pub(crate) fn cookie(&self) -> String {
        let cookie = self.headers[SET_COOKIE].to_str().unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }
}

/// A client for one server. It keeps connections open and follows no redirects.
pub(crate) fn client() -> Client {
    builder().build().unwrap()
}

/// Builds a client that follows no redirects.
pub(crate) fn builder() -> ClientBuilder {
    // The TLS of family-api-salvo installs no provider for other clients in the same build. The first test installs it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().redirect(Policy::none()).no_proxy()
}

pub(crate) fn request(server: &Server, method: &str, path: &str) -> RequestBuilder {
    server.client.request(Method::from_bytes(method.as_bytes()).unwrap(), format!("{}{path}", server.url))
}

pub(crate) async fn send(request: RequestBuilder) -> Response {
    try_send(request).await.unwrap()
}

/// Sends a request to a server that can be killed meanwhile.
pub(crate) async fn try_send(request: RequestBuilder) -> Result<Response, reqwest::Error> {
    let response = request.send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Ok(Response { status, headers, text: response.text().await? })
}

pub(crate) async fn call(server: &Server, method: &str, path: &str) -> Response {
    send(request(server, method, path)).await
}

pub(crate) async fn with_token(
    server: &Server,
    token: &str,
    method: &str,
    path: &str,
    body: Option<Value>,
) -> Response {
    let request = request(server, method, path).header(AUTHORIZATION, format!("Bearer {token}"));
    send(with_body(request, body)).await
}

pub(crate) async fn in_session(
    server: &Server,
    cookie: &str,
    method: &str,
    path: &str,
    body: Option<Value>,
) -> Response {
    send(with_body(request(server, method, path).header(COOKIE, cookie), body)).await
}

pub(crate) fn with_body(request: RequestBuilder, body: Option<Value>) -> RequestBuilder {
    match body {
        Some(body) => request.header(CONTENT_TYPE, "application/json").body(body.to_string()),
        None => request,
    }
}

pub(crate) async fn sign_in(server: &Server, email: &str, password: &str) -> Response {
    let body = serde_json::json!({ "email": email, "password": password });
    send(with_body(request(server, "POST", "/login"), Some(body))).await
}
