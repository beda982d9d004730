//! The request to which a user consents, as the consent form carries it.

use family_api_core::grant::{Approval, CodeChallenge, InvalidClient, OAuthClient, SigningKey};
use family_api_core::id::{GrantId, UserId};
use family_api_core::jiff::SignedDuration;
use family_api_core::key::ScopeSet;
use family_api_core::{Error, Surface, Timestamp, paths};
use serde::{Deserialize, Serialize};

use crate::oauth::authorization_request::AuthorizationRequest;
use crate::oauth::consent::access::Access;
use crate::oauth::{RedirectUri, ResolvedClient};

/// The purpose of the signature. The same key signs the ids of clients, which do not verify as consent requests.
const PURPOSE: &str = "consent";

/// The time in which the user must answer.
const LIFETIME: SignedDuration = SignedDuration::from_mins(10);

/// A valid authorization request, and the user who is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConsentRequest {
    /// The id of the future grant. The storage accepts it once, so the form has an effect only once.
    id: GrantId,
    pub(super) user: UserId,
    expires_at: Timestamp,
    pub(super) client: OAuthClient,
    /// The host of the client's metadata document.
    pub(super) publisher: Option<String>,
    pub(super) redirect_uri: RedirectUri,
    pub(super) state: Option<String>,
    pub(super) surface: Surface,
    scopes: ScopeSet,
    code_challenge: CodeChallenge,
}

/// The signed text is not from this server, or is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InvalidSignature;

/// The text in the form.
#[derive(Serialize, Deserialize)]
struct SignedRequest {
    id: GrantId,
    user: UserId,
    expires_at: Timestamp,
    client_id: String,
    client_name: Option<String>,
    publisher: Option<String>,
    redirect_uri: String,
    state: Option<String>,
    /// The path of the MCP endpoint.
    resource: String,
    scopes: ScopeSet,
    challenge: String,
}

impl ConsentRequest {
    /// Creates the request with a new id.
    ///
    /// # Errors
    /// [`InvalidClient`] if the client's name or host is too long to be shown.
    pub(crate) fn new(
        user: &UserId,
        client: ResolvedClient,
        redirect_uri: RedirectUri,
        request: AuthorizationRequest,
        now: Timestamp,
    ) -> Result<Self, InvalidClient> {
        let mut random = [0; 10];
        // The id is not a secret, because only a signed id has an effect.
        fastrand::fill(&mut random);
        Ok(Self {
            id: GrantId::new_v7(now, random),
            user: user.clone(),
            expires_at: now.saturating_add(LIFETIME),
            client: described(client.id, client.name, client.publisher.as_deref(), &redirect_uri)?,
            publisher: client.publisher,
            redirect_uri,
            state: request.state,
            surface: request.surface,
            scopes: request.scopes,
            code_challenge: request.code_challenge,
        })
    }

    /// Returns the text for the form. The lengths of the id, the name, the redirect URI and the state are bounded, so
    /// that the text always verifies.
    ///
    /// # Errors
    /// [`Error::Internal`] if the request is no JSON.
    pub(super) fn sign(&self, key: &SigningKey) -> Result<String, Error> {
        let signed = SignedRequest {
            id: self.id.clone(),
            user: self.user.clone(),
            expires_at: self.expires_at,
            client_id: self.client.id().to_owned(),
            client_name: self.client.name().map(str::to_owned),
            publisher: self.publisher.clone(),
            redirect_uri: self.redirect_uri.to_string(),
            state: self.state.clone(),
            resource: paths::mcp(self.surface).to_owned(),
            scopes: self.scopes.clone(),
            challenge: self.code_challenge.to_string(),
        };
        let payload = serde_json::to_vec(&signed).map_err(|error| Error::Internal(error.into()))?;
        Ok(key.sign(PURPOSE, &payload))
    }

    /// Opens the text of a form.
    ///
    /// # Errors
    /// [`InvalidSignature`] if this server has not signed the text as a consent request.
    pub(super) fn verify(text: &str, key: &SigningKey) -> Result<Self, InvalidSignature> {
        let payload = key.verify(PURPOSE, text).ok_or(InvalidSignature)?;
        let signed: SignedRequest = serde_json::from_slice(&payload).map_err(|_| InvalidSignature)?;
        let redirect_uri: RedirectUri = signed.redirect_uri.parse().map_err(|_| InvalidSignature)?;
        let surface = Surface::ALL.into_iter().find(|surface| paths::mcp(*surface) == signed.resource);
        let client = described(signed.client_id, signed.client_name, signed.publisher.as_deref(), &redirect_uri);
        Ok(Self {
            id: signed.id,
            user: signed.user,
            expires_at: signed.expires_at,
            client: client.map_err(|_| InvalidSignature)?,
            publisher: signed.publisher,
            redirect_uri,
            state: signed.state,
            surface: surface.ok_or(InvalidSignature)?,
            scopes: signed.scopes,
            code_challenge: signed.challenge.parse().map_err(|_| InvalidSignature)?,
        })
    }

    /// Returns whether the request has become this connection.
    pub(super) fn has_become(&self, connection: &GrantId) -> bool {
        self.id == *connection
    }

    /// Returns whether it is too late to answer.
    pub(super) fn is_expired(&self, now: Timestamp) -> bool {
        now >= self.expires_at
    }

    /// Returns the choices of the user, the narrowest first.
    pub(super) fn choices(&self) -> Vec<Access> {
        Access::choices(self.surface, &self.scopes)
    }

    /// Returns the approval of one of the choices.
    pub(super) fn approve(&self, access: Access) -> Approval {
        Approval {
            request: self.id.clone(),
            client: self.client.clone(),
            redirect_uri: self.redirect_uri.to_string(),
            surface: self.surface,
            scopes: access.scopes,
            challenge: self.code_challenge,
        }
    }
}

/// Returns the client as connections show it: with the host that publishes its metadata document, which is proven, or
/// else with the host of its redirect URI.
fn described(
    id: String,
    name: Option<String>,
    publisher: Option<&str>,
    redirect_uri: &RedirectUri,
) -> Result<OAuthClient, InvalidClient> {
    OAuthClient::new(id, name, publisher.map_or_else(|| redirect_uri.host(), str::to_owned))
}
