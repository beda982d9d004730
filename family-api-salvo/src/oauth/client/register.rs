//! Registers clients (RFC 7591).

use family_api_core::Error;
use salvo::http::StatusCode;
use salvo::{Depot, Request, Response, Scribe, handler};
use serde_json::json as document;

use crate::body::{BodyLimit, MediaTypes, read_body};
use crate::guard::PrivateResponse;
use crate::oauth::client::metadata::{ClientMetadata, InvalidMetadata};
use crate::oauth::client::registration;
use crate::oauth::endpoint_error::EndpointError;
use crate::oauth::error::{OAuthError, OAuthErrorCode};
use crate::oauth::{OAuthContext, RedirectUri, ResolvedClient, json_body};

/// The path of the registration endpoint.
pub(crate) const PATH: &str = "/oauth/register";

/// Maximum size of a registration.
const BODY_LIMIT: BodyLimit = BodyLimit::of_bytes(16 * 1_024);

/// Handles `POST /oauth/register`. Stores nothing.
///
/// All clients are public. If a client asks for another authentication method, the response says that it has none, as
/// RFC 7591, section 3.2.1, permits.
pub(crate) struct Register;

#[handler]
impl Register {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<RegisteredClient, EndpointError> {
        let oauth = OAuthContext::of(depot)?;
        if let Some(limit) = &oauth.options.registrations {
            limit.count(req).map_err(Error::from)?;
        }
        if !MediaTypes::Json.matches(req) {
            return Err(MediaTypes::Json.unsupported().into());
        }
        let body = read_body(req, BODY_LIMIT).await?;
        let key = oauth.grants()?.signing_key().await?;
        let client = ClientMetadata::parse(&body).and_then(|metadata| registration::register(&metadata, &key));
        Ok(RegisteredClient(client.map_err(OAuthError::from)?))
    }
}

impl From<InvalidMetadata> for OAuthError {
    fn from(error: InvalidMetadata) -> Self {
        let code = match error {
            InvalidMetadata::RedirectUri(_) => OAuthErrorCode::InvalidRedirectUri,
            InvalidMetadata::Other(_) => OAuthErrorCode::InvalidClientMetadata,
        };
        Self::new(code, error.to_string())
    }
}

/// A registered client (RFC 7591, section 3.2.1).
pub(crate) struct RegisteredClient(ResolvedClient);

impl Scribe for RegisteredClient {
    fn render(self, res: &mut Response) {
        let Self(client) = self;
        let redirect_uris: Vec<&str> = client.redirect_uris.iter().map(RedirectUri::as_str).collect();
        let mut body = document!({
            "client_id": client.id,
            "redirect_uris": redirect_uris,
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        });
        if let Some(name) = client.name {
            body["client_name"] = name.into();
        }
        PrivateResponse::no_store(res);
        json_body::render(StatusCode::CREATED, &body, res);
    }
}
