//! Accepts the tokens of an authorization server that the host already has, by introspection (RFC 7662).
//!
//! The metadata of the MCP endpoints names that server, and assistants get their tokens there. Set the variables
//! `ISSUER`, `INTROSPECTION_URL`, `CLIENT_ID` and `CLIENT_SECRET`, and run:
//!
//! ```console
//! $ cargo run --example introspection --features oauth
//! ```
//!
//! If the authorization server is on another machine, enable the feature `rustls` of `reqwest`.

use std::env;
use std::error::Error as StdError;
use std::sync::Arc;

use async_trait::async_trait;
use family_api_core::TokenVerifier;
use family_api_core::access::VerifiedToken;
use family_api_core::key::Scope;
use family_api_core::storage::StorageError;
use family_api_core::{Error, FamilyApi, Surface, paths};
use family_api_memory::MemoryStorage;
use family_api_salvo::{FamilyRoutes, OAuth};
use reqwest::Client;
use reqwest::header::CONTENT_TYPE;
use salvo::conn::{Listener, TcpListener};
use serde::Deserialize;

/// The address of this API.
const ADDRESS: &str = "http://127.0.0.1:8080";

/// Asks the authorization server about each token. The server must know this API as a client.
struct Introspection {
    http: Client,
    url: String,
    client_id: String,
    client_secret: String,
}

/// The response of the introspection endpoint. `aud` can also be a list in general; this server sends one value.
#[derive(Deserialize)]
struct Introspected {
    active: bool,
    aud: Option<String>,
    client_id: Option<String>,
    scope: Option<String>,
    sub: Option<String>,
}

impl Introspection {
    async fn introspect(&self, token: &str) -> Result<Introspected, Box<dyn StdError + Send + Sync>> {
        let form = form_urlencoded::Serializer::new(String::new()).append_pair("token", token).finish();
        let request = self.http.post(&self.url).basic_auth(&self.client_id, Some(&self.client_secret));
        let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(form);
        let body = request.send().await?.error_for_status()?.bytes().await?;
        Ok(serde_json::from_slice(&body)?)
    }
}

#[async_trait]
impl TokenVerifier for Introspection {
    async fn verify(&self, token: &str, surface: Surface) -> Result<Option<VerifiedToken>, Error> {
        let found = self.introspect(token).await.map_err(|error| StorageError::unavailable(error.to_string()))?;
        // A token for another service must not open this one.
        let is_for_this_endpoint = found.aud.is_some_and(|aud| aud == format!("{ADDRESS}{}", paths::mcp(surface)));
        let (Some(user), true) = (found.sub, found.active && is_for_this_endpoint) else {
            return Ok(None);
        };
        let scopes = found.scope.unwrap_or_default();
        let scopes = scopes.split(' ').map(|name| Scope::from(name.to_owned())).collect();
        // The rate limit counts per client and user, because the server replaces its tokens often.
        let id = format!("{}/{user}", found.client_id.unwrap_or_default());
        Ok(user.parse().ok().map(|user| VerifiedToken { id, user, scopes }))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn StdError>> {
    let verifier = Introspection {
        http: Client::new(),
        url: env::var("INTROSPECTION_URL")?,
        client_id: env::var("CLIENT_ID")?,
        client_secret: env::var("CLIENT_SECRET")?,
    };
    let api = FamilyApi::builder(Arc::new(MemoryStorage::new())).token_verifier(Arc::new(verifier)).build();
    let routes = FamilyRoutes::new(api).oauth(OAuth::external(ADDRESS.parse()?, env::var("ISSUER")?));
    let acceptor = TcpListener::new("127.0.0.1:8080").bind().await;
    salvo::Server::new(acceptor).serve(routes.into_router()).await;
    Ok(())
}
