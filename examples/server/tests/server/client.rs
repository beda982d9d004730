//! A small HTTP client for the tests.

use reqwest::header::{CONTENT_TYPE, COOKIE, HeaderMap, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Method, RequestBuilder};
use serde_json::Value;

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

/// Where requests go, and the client that sends them.
#[derive(Debug, Clone)]
pub(crate) struct Destination {
    pub(crate) client: Client,
    pub(crate) url: String,
}

/// A client for one server. It keeps connections open and follows no redirects.
pub(crate) fn client() -> Client {
    builder().build().unwrap()
}

/// Builds a client that follows no redirects, and trusts no certificate.
pub(crate) fn builder() -> ClientBuilder {
    // The TLS of family-api-salvo installs no provider for other clients in the same build. The first test installs it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().redirect(Policy::none()).no_proxy().tls_certs_only([])
}

pub(crate) fn request(to: &Destination, method: &str, path: &str) -> RequestBuilder {
    to.client.request(Method::from_bytes(method.as_bytes()).unwrap(), format!("{}{path}", to.url))
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

pub(crate) async fn call(to: &Destination, method: &str, path: &str) -> Response {
    send(request(to, method, path)).await
}

pub(crate) async fn with_token(
    to: &Destination,
    token: &str,
    method: &str,
    path: &str,
    body: Option<Value>,
) -> Response {
    send(with_body(request(to, method, path).bearer_auth(token), body)).await
}

pub(crate) async fn in_session(
    to: &Destination,
    cookie: &str,
    method: &str,
    path: &str,
    body: Option<Value>,
) -> Response {
    send(with_body(request(to, method, path).header(COOKIE, cookie), body)).await
}

pub(crate) fn with_body(request: RequestBuilder, body: Option<Value>) -> RequestBuilder {
    match body {
        Some(body) => request.header(CONTENT_TYPE, "application/json").body(body.to_string()),
        None => request,
    }
}

pub(crate) async fn sign_in(to: &Destination, email: &str, password: &str) -> Response {
    send(sign_in_request(to, email, password)).await
}

pub(crate) fn sign_in_request(to: &Destination, email: &str, password: &str) -> RequestBuilder {
    let body = serde_json::json!({ "email": email, "password": password });
    with_body(request(to, "POST", "/login"), Some(body))
}
