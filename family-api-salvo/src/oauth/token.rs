//! Exchanges codes and refresh tokens for tokens (RFC 6749, sections 4.1.3 and 6).

use std::collections::BTreeSet;
use std::str::FromStr;

use family_api_core::grant::{CodeRedemption, IssuedTokens, MalformedSecret, Refresh, UnknownResource};
use family_api_core::key::{Scope, ScopeSet};
use salvo::http::header::{AUTHORIZATION, PRAGMA};
use salvo::http::{HeaderValue, StatusCode};
use salvo::{Depot, Request, Response, Scribe, handler};
use serde_json::json as document;

use crate::guard::PrivateResponse;
use crate::oauth::authorization_request::requested_surface;
use crate::oauth::endpoint_error::EndpointError;
use crate::oauth::error::{OAuthError, OAuthErrorCode};
use crate::oauth::parameters::Parameters;
use crate::oauth::{OAuthContext, json_body};

/// The path of the token endpoint.
pub(crate) const PATH: &str = "/oauth/token";

/// Handles `POST /oauth/token`.
///
/// The client is not resolved again: core compares its id with the id to which the user consented. So the exchange
/// never waits for the client's site.
pub(crate) struct Token;

#[handler]
impl Token {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<TokenResponse, EndpointError> {
        let oauth = OAuthContext::of(depot)?;
        let parameters = read_parameters(req).await?;
        let grants = oauth.grants()?;
        let request = TokenRequest::parse(oauth, req, &parameters)?;
        if !oauth.clients.knows(parameters.get("client_id")?).await? {
            return Err(
                OAuthError::new(OAuthErrorCode::InvalidClient, "the client is unknown, register it again").into()
            );
        }
        let issued = match request {
            TokenRequest::Redemption(redemption) => grants.redeem(redemption).await,
            TokenRequest::Refresh(refresh) => grants.refresh(refresh).await,
        };
        issued.map(TokenResponse).map_err(|error| oauth.refuse(req, error))
    }
}

/// A request whose code or refresh token is well-formed. A malformed one is refused before anything is looked up.
enum TokenRequest {
    Redemption(CodeRedemption),
    Refresh(Refresh),
}

impl TokenRequest {
    fn parse(oauth: &OAuthContext, req: &Request, parameters: &Parameters) -> Result<Self, EndpointError> {
        match parameters.get("grant_type")? {
            "authorization_code" => redemption(oauth, req, parameters).map(Self::Redemption),
            "refresh_token" => refresh(oauth, req, parameters).map(Self::Refresh),
            _ => Err(unsupported_grant_type().into()),
        }
    }
}

/// Reads the form of a client. All clients are public, so a client that authenticates is refused.
pub(crate) async fn read_parameters(req: &mut Request) -> Result<Parameters, EndpointError> {
    let parameters = Parameters::read_form(req).await?;
    if has_basic_credentials(req) || parameters.find("client_secret")?.is_some() {
        let description = "clients of this server have no secret, use the authentication method none";
        return Err(OAuthError::new(OAuthErrorCode::InvalidClient, description).into());
    }
    Ok(parameters)
}

fn has_basic_credentials(req: &Request) -> bool {
    let mut values = req.headers().get_all(AUTHORIZATION).iter();
    values.any(|value| value.as_bytes().get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"basic ")))
}

fn redemption(oauth: &OAuthContext, req: &Request, parameters: &Parameters) -> Result<CodeRedemption, EndpointError> {
    Ok(CodeRedemption {
        client_id: parameters.get("client_id")?.to_owned(),
        redirect_uri: parameters.find("redirect_uri")?.map(str::to_owned),
        surface: requested_surface(parameters, &oauth.issuer).map_err(|_| UnknownResource),
        verifier: parameters.get("code_verifier")?.parse().ok(),
        code: parse_secret(oauth, req, parameters.get("code")?)?,
    })
}

fn refresh(oauth: &OAuthContext, req: &Request, parameters: &Parameters) -> Result<Refresh, EndpointError> {
    Ok(Refresh {
        client_id: parameters.get("client_id")?.to_owned(),
        scopes: parameters.find("scope")?.map(parse_scopes),
        surface: requested_surface(parameters, &oauth.issuer)?,
        token: parse_secret(oauth, req, parameters.get("refresh_token")?)?,
    })
}

/// Parses a code or a refresh token. A malformed one counts and is answered as an unknown one.
fn parse_secret<T: FromStr<Err = MalformedSecret>>(
    oauth: &OAuthContext,
    req: &Request,
    text: &str,
) -> Result<T, EndpointError> {
    text.parse().map_err(|malformed: MalformedSecret| oauth.refuse(req, malformed.into()))
}

/// Returns each scope once. A scope that the connection does not have is not dropped, but refused by core.
fn parse_scopes(scope: &str) -> ScopeSet {
    let names: BTreeSet<&str> = scope.split(' ').filter(|name| !name.is_empty()).collect();
    names.into_iter().map(|name| Scope::from(name.to_owned())).collect()
}

fn unsupported_grant_type() -> OAuthError {
    let description = "the grant_type must be authorization_code or refresh_token";
    OAuthError::new(OAuthErrorCode::UnsupportedGrantType, description)
}

/// New tokens (RFC 6749, section 5.1).
pub(crate) struct TokenResponse(IssuedTokens);

impl Scribe for TokenResponse {
    fn render(self, res: &mut Response) {
        let Self(tokens) = self;
        let scopes: Vec<&str> = tokens.scopes.iter().map(Scope::as_str).collect();
        let body = document!({
            "access_token": tokens.access_token.expose(),
            "token_type": "Bearer",
            "expires_in": tokens.expires_in,
            "refresh_token": tokens.refresh_token.expose(),
            "scope": scopes.join(" "),
        });
        PrivateResponse::no_store(res);
        res.headers_mut().insert(PRAGMA, HeaderValue::from_static("no-cache"));
        json_body::render(StatusCode::OK, &body, res);
    }
}
