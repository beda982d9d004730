//! Tokens of an authorization server of the host.

use async_trait::async_trait;

use crate::Surface;
use crate::access::VerifiedToken;
use crate::error::Error;

/// Verifies tokens that an authorization server of the host has issued, for example by introspection (RFC 7662). A host
/// sets it with [`FamilyApiBuilder::token_verifier`](crate::FamilyApiBuilder::token_verifier).
///
/// The API asks it on the MCP endpoints, for each token that is neither a key nor an access token of a grant, and again
/// immediately before each change. One call of a tool can make 50 changes, so an implementation that asks another server
/// should keep its answers for a few seconds.
#[async_trait]
pub trait TokenVerifier: Send + Sync {
    /// Verifies a token. Returns `None` if the token is not valid for the MCP endpoint of the surface.
    ///
    /// The token has 1–8,192 characters of visible ASCII. It is a secret and must not be logged.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the authorization server does not respond.
    async fn verify(&self, token: &str, surface: Surface) -> Result<Option<VerifiedToken>, Error>;
}
