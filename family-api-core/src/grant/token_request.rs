//! Requests to the token endpoint, and their results (RFC 6749).

use crate::Surface;
use crate::Timestamp;
use crate::error::Error;
use crate::grant::token::MalformedSecret;
use crate::grant::{ACCESS_LIFETIME, AuthorizationCode, CodeVerifier, RefreshToken, Rotation};
use crate::key::{KeySecret, ScopeSet};

/// A request to exchange a code for tokens.
#[derive(Debug)]
pub struct CodeRedemption {
    /// The code.
    pub code: AuthorizationCode,
    /// The id of the client.
    pub client_id: String,
    /// The redirect address, if the client sends one. It must then equal that of the authorization request.
    pub redirect_uri: Option<String>,
    /// The PKCE verifier. `None` if it is malformed, and so matches no challenge.
    pub verifier: Option<CodeVerifier>,
    /// The surface of the parameter `resource`, if the client sends one. An unknown resource matches no grant.
    pub surface: Result<Option<Surface>, UnknownResource>,
}

/// The parameter `resource` of a client does not name one MCP endpoint of this service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the resource is not an MCP endpoint of this service")]
pub struct UnknownResource;

/// A request to exchange a refresh token for new tokens.
#[derive(Debug)]
pub struct Refresh {
    /// The refresh token.
    pub token: RefreshToken,
    /// The id of the client.
    pub client_id: String,
    /// The scopes of the new access token. `None` requests all scopes of the grant.
    pub scopes: Option<ScopeSet>,
    /// The surface of the parameter `resource`, if the client sends one.
    pub surface: Option<Surface>,
}

/// New tokens of a grant. They replace the previous ones.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct IssuedTokens {
    /// The access token.
    pub access_token: KeySecret,
    /// The refresh token. It rotates once, but not within 60 seconds after it was issued by a rotation.
    pub refresh_token: RefreshToken,
    /// Time until the access token expires, in seconds.
    pub expires_in: u64,
    /// The scopes of the access token.
    pub scopes: ScopeSet,
}

impl IssuedTokens {
    pub(crate) fn new(access_token: KeySecret, refresh_token: RefreshToken, scopes: ScopeSet) -> Self {
        Self { access_token, refresh_token, expires_in: ACCESS_LIFETIME.as_secs().unsigned_abs(), scopes }
    }

    /// Derives the tokens that a rotation issued. `current` is the refresh token that it issued.
    pub(crate) fn of_rotation(current: RefreshToken, rotation: &Rotation, now: Timestamp) -> Self {
        let left = (rotation.access_expires_at.as_millis() - now.as_millis()) / 1_000;
        Self {
            access_token: current.access_token(&rotation.nonce),
            refresh_token: current,
            expires_in: left.max(0).unsigned_abs(),
            scopes: rotation.scopes.clone(),
        }
    }
}

/// Why a client gets no tokens.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// `invalid_grant`: the code or the refresh token is not valid. The reason is for the log, not for the client.
    #[error("the code or the refresh token is not valid: {0}")]
    InvalidGrant(&'static str),
    /// `invalid_scope`: the requested scopes exceed those of the grant. The refresh token stays valid.
    #[error("the requested scopes exceed those of the grant")]
    InvalidScope,
    /// `invalid_target`: the requested resource is not that of the grant.
    #[error("the requested resource is not that of the grant")]
    InvalidTarget,
    /// Any other error, such as a fault of the storage.
    #[error(transparent)]
    Api(#[from] Error),
}

impl From<UnknownResource> for TokenError {
    fn from(_: UnknownResource) -> Self {
        Self::InvalidTarget
    }
}

/// A client does not learn whether its code or token is malformed or unknown.
impl From<MalformedSecret> for TokenError {
    fn from(malformed: MalformedSecret) -> Self {
        Self::InvalidGrant(malformed.0)
    }
}
