//! What a client asks for, beyond its identity and its redirect URI (OAuth 2.1, section 4.1.1).

use family_api_core::Surface;
use family_api_core::grant::CodeChallenge;
use family_api_core::key::{Scope, ScopeSet};

use crate::oauth::error::{OAuthError, OAuthErrorCode};
use crate::oauth::parameters::{InvalidParameter, Parameters};
use crate::oauth::{OAuthContext, PublicUrl};

const UNKNOWN_RESOURCE: &str = "the resource is not an MCP endpoint of this server";

/// Maximum length of the state, in bytes.
const MAX_STATE: usize = 1_024;

/// A valid request for access to one MCP endpoint.
pub(crate) struct AuthorizationRequest {
    /// The client's own value, which it gets back.
    pub(crate) state: Option<String>,
    pub(crate) surface: Surface,
    /// Scopes of the surface, with its read scope.
    pub(crate) scopes: ScopeSet,
    pub(crate) code_challenge: CodeChallenge,
}

impl AuthorizationRequest {
    /// Parses the parameters.
    ///
    /// # Errors
    /// [`OAuthError`], which a link on the page of the error sends to the client.
    pub(crate) fn parse(parameters: &Parameters, oauth: &OAuthContext) -> Result<Self, OAuthError> {
        let state = requested_state(parameters)?.map(str::to_owned);
        if parameters.get("response_type")? != "code" {
            let description = "the response_type must be code";
            return Err(OAuthError::new(OAuthErrorCode::UnsupportedResponseType, description));
        }
        let code_challenge = code_challenge(parameters)?;
        let surface = requested_surface(parameters, &oauth.issuer)?.unwrap_or(oauth.options.main);
        if !oauth.surfaces.contains(&surface) {
            return Err(OAuthError::new(OAuthErrorCode::InvalidTarget, UNKNOWN_RESOURCE));
        }
        let scopes = requested_scopes(parameters.find("scope")?, surface, &oauth.api.grantable_scopes())?;
        Ok(Self { state, surface, scopes, code_challenge })
    }
}

/// Returns the client's own value: visible ASCII and blanks (RFC 6749, appendix A.5). Its length is bounded, so that
/// the signed request fits into the consent form.
pub(crate) fn requested_state(parameters: &Parameters) -> Result<Option<&str>, OAuthError> {
    let state = parameters.find("state")?;
    let is_valid = |state: &str| state.len() <= MAX_STATE && state.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if state.is_none_or(is_valid) {
        Ok(state)
    } else {
        Err(OAuthError::invalid_request("the state must have at most 1024 characters of visible ASCII or blanks"))
    }
}

/// Returns the PKCE challenge. A missing method means `plain` (RFC 7636, section 4.3), which is refused.
fn code_challenge(parameters: &Parameters) -> Result<CodeChallenge, OAuthError> {
    if parameters.get("code_challenge_method")? != "S256" {
        return Err(OAuthError::invalid_request("the code_challenge_method must be S256"));
    }
    let challenge = parameters.get("code_challenge")?.parse();
    challenge.map_err(|_| OAuthError::invalid_request("the code_challenge must be 43 base64url characters"))
}

/// Returns the surface of the parameter `resource` (RFC 8707). A client can request several resources, but a token is
/// only for one.
pub(crate) fn requested_surface(parameters: &Parameters, issuer: &PublicUrl) -> Result<Option<Surface>, OAuthError> {
    let refuse = |description| OAuthError::new(OAuthErrorCode::InvalidTarget, description);
    match parameters.find("resource") {
        Ok(None) => Ok(None),
        Ok(Some(resource)) => match issuer.surface_of(resource) {
            Some(surface) => Ok(Some(surface)),
            None => Err(refuse(UNKNOWN_RESOURCE)),
        },
        Err(InvalidParameter::Repeated(_) | InvalidParameter::Missing(_)) => {
            Err(refuse("a token is only for one resource"))
        }
    }
}

/// Returns the requested scopes that a connection to the surface can have. Other scopes are ignored, because clients
/// request all scopes that they know (RFC 6749, section 3.3). The read scope is always among them, because the endpoint
/// requires it of every request.
fn requested_scopes(scope: Option<&str>, surface: Surface, grantable: &ScopeSet) -> Result<ScopeSet, OAuthError> {
    let Some(scope) = scope else {
        return Ok([Scope::read(surface)].into_iter().collect());
    };
    let requested: ScopeSet = scope.split(' ').map(|name| Scope::from(name.to_owned())).collect();
    let grantable = grantable.on(surface);
    if !grantable.iter().any(|scope| requested.grants(scope)) {
        return Err(OAuthError::new(OAuthErrorCode::InvalidScope, "no requested scope applies to the resource"));
    }
    let is_granted = |scope: &&Scope| requested.grants(scope) || **scope == Scope::read(surface);
    Ok(grantable.iter().filter(is_granted).cloned().collect())
}

#[cfg(test)]
mod tests {
    use family_api_core::key::KeyMode;

    use super::*;

    #[test]
    fn scopes_of_the_surface_are_kept_and_the_least_is_the_default() {
        for (scope, surface, expected) in [
            (None, Surface::V1, "v1.read"),
            (None, Surface::ReadPath, "mcp.read"),
            (Some("v1.read v1.read"), Surface::V1, "v1.read"),
            (Some("offline_access v1.notes.write mcp.read"), Surface::V1, "v1.read v1.notes.write"),
            (Some("v1.notes.write v1.tasks.write v1.read"), Surface::V1, "v1.read v1.tasks.write v1.notes.write"),
            (Some("mcp.read v1.read v1.tasks.write"), Surface::ReadPath, "mcp.read"),
            (Some("v1.events.write v1.notes.write"), Surface::V1, "v1.read v1.notes.write"),
        ] {
            let scopes = requested_scopes(scope, surface, &KeyMode::V1ReadWrite.scopes()).unwrap();
            let names: Vec<&str> = scopes.iter().map(Scope::as_str).collect();
            assert_eq!(names.join(" "), expected, "{scope:?} {surface:?}");
        }
    }

    #[test]
    fn a_request_without_a_scope_of_the_surface_is_refused() {
        for (scope, surface) in [
            ("mcp.read", Surface::V1),
            ("v1.read", Surface::ReadPath),
            ("v1.tasks.manage", Surface::V1),
            (" ", Surface::V1),
        ] {
            let error = requested_scopes(Some(scope), surface, &KeyMode::V1ReadWrite.scopes()).unwrap_err();
            assert_eq!(error.code, OAuthErrorCode::InvalidScope, "{scope}");
        }
    }
}
