//! A client of the tests, and the steps of the protocol.

use std::sync::Arc;

use family_api_core::access::Caller;
use family_api_core::connection::Connection;
use family_api_core::grant::{
    Approval, AuthorizationCode, CodeRedemption, CodeVerifier, IssuedTokens, OAuthClient, Refresh, RefreshToken,
    TokenError,
};
use family_api_core::key::KeyMode;
use family_api_core::{Admission, Endpoint, Error, FamilyApi, Surface};

use crate::fixture::{Fixture, session};

pub(crate) const CLIENT: &str = "https://claude.example/client";
pub(crate) const REDIRECT: &str = "https://claude.example/callback";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// Returns an API whose grants are in the storage of the fixture.
pub(crate) fn api(fixture: &Fixture) -> FamilyApi {
    fixture.builder().grants(Arc::new(fixture.storage.memory.clone())).build()
}

/// Creates a fixture, and an API whose grants are in its storage.
pub(crate) async fn setup() -> (Fixture, FamilyApi) {
    let fixture = Fixture::new().await;
    let api = api(&fixture);
    (fixture, api)
}

/// Creates the same, and connects the client for Ana with the grant `g1`. Returns its tokens too.
pub(crate) async fn connected() -> (Fixture, FamilyApi, IssuedTokens) {
    let (fixture, api) = setup().await;
    let tokens = connect(&api, "ana", "g1", Surface::V1).await;
    (fixture, api, tokens)
}

pub(crate) fn verifier() -> CodeVerifier {
    VERIFIER.parse().unwrap()
}

/// Returns an approval of reads and writes, or of reads on the read path.
pub(crate) fn approval(request: &str, surface: Surface) -> Approval {
    let client = OAuthClient::new(CLIENT.to_owned(), Some("Claude".to_owned()), "claude.example".to_owned());
    Approval {
        request: request.parse().unwrap(),
        client: client.unwrap(),
        redirect_uri: REDIRECT.to_owned(),
        surface,
        scopes: KeyMode::V1ReadWrite.scopes().on(surface),
        challenge: verifier().challenge(),
    }
}

pub(crate) async fn approve(api: &FamilyApi, user: &str, request: &str, surface: Surface) -> AuthorizationCode {
    let session = session(api, user).await;
    api.grants().unwrap().approve(&session, approval(request, surface)).await.unwrap()
}

pub(crate) fn redemption(code: &AuthorizationCode) -> CodeRedemption {
    CodeRedemption {
        code: code.clone(),
        client_id: CLIENT.to_owned(),
        redirect_uri: Some(REDIRECT.to_owned()),
        verifier: Some(verifier()),
        surface: Ok(None),
    }
}

pub(crate) async fn redeem(api: &FamilyApi, code: &AuthorizationCode) -> Result<IssuedTokens, TokenError> {
    api.grants().unwrap().redeem(redemption(code)).await
}

pub(crate) fn refresh_of(token: &RefreshToken) -> Refresh {
    Refresh { token: token.clone(), client_id: CLIENT.to_owned(), scopes: None, surface: None }
}

pub(crate) async fn refresh(api: &FamilyApi, tokens: &IssuedTokens) -> Result<IssuedTokens, TokenError> {
    api.grants().unwrap().refresh(refresh_of(&tokens.refresh_token)).await
}

/// Connects the client and returns its tokens.
pub(crate) async fn connect(api: &FamilyApi, user: &str, request: &str, surface: Surface) -> IssuedTokens {
    redeem(api, &approve(api, user, request, surface).await).await.unwrap()
}

pub(crate) async fn admit_mcp(api: &FamilyApi, token: &str, surface: Surface) -> Admission {
    api.admit([format!("Bearer {token}").as_bytes()], surface, Endpoint::Mcp).await
}

/// Presents the access token on the MCP endpoint of the personal API.
pub(crate) async fn present(api: &FamilyApi, tokens: &IssuedTokens) -> Result<Caller, Error> {
    admit_mcp(api, tokens.access_token.expose(), Surface::V1).await.caller
}

/// Presents the access token, and returns the code of the error.
pub(crate) async fn refusal(api: &FamilyApi, tokens: &IssuedTokens) -> &'static str {
    present(api, tokens).await.unwrap_err().code().as_str()
}

pub(crate) async fn connections(api: &FamilyApi, user: &str) -> Vec<Connection> {
    let session = session(api, user).await;
    api.connections(&session).unwrap().list().await.unwrap().connections
}

#[track_caller]
pub(crate) fn assert_invalid_grant(outcome: Result<IssuedTokens, TokenError>) {
    let error = outcome.unwrap_err();
    assert!(matches!(error, TokenError::InvalidGrant(_)), "{error:?}");
}
