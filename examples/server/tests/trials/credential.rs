//! Credentials of the clients.

use reqwest::RequestBuilder;
use reqwest::header::COOKIE;
use serde_json::Value;

use crate::client::{Destination, request, with_body};

#[derive(Debug, Clone)]
pub(crate) enum Credential {
    Token(String),
    Cookie(String),
}

impl Credential {
    /// Returns a request with this credential.
    pub(crate) fn request(&self, to: &Destination, method: &str, path: &str, body: Option<Value>) -> RequestBuilder {
        let request = with_body(request(to, method, path), body);
        match self {
            Self::Token(token) => request.bearer_auth(token),
            Self::Cookie(cookie) => request.header(COOKIE, cookie),
        }
    }
}
