//! What a user has approved on the consent page.

use crate::Surface;
use crate::grant::{CodeChallenge, OAuthClient};
use crate::id::GrantId;
use crate::key::ScopeSet;

/// The approval of a client by a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// The one-time id of the consent form. It becomes the id of the grant, so that a form has an effect only once.
    pub request: GrantId,
    /// The client.
    pub client: OAuthClient,
    /// The redirect address of the authorization request. The caller has checked that the client may use it.
    pub redirect_uri: String,
    /// The surface whose MCP endpoint the client may use.
    pub surface: Surface,
    /// The approved scopes. Scopes of the other surface grant nothing.
    pub scopes: ScopeSet,
    /// The PKCE challenge of the authorization request.
    pub challenge: CodeChallenge,
}
