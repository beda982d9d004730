//! The request to which a user consents, as the consent form carries it.

use family_api_core::grant::{Approval, OAuthClient, SigningKey};
use family_api_core::id::{GrantId, UserId};
use family_api_core::key::ScopeSet;
use family_api_core::{Surface, Timestamp, paths};
use serde::{Deserialize, Serialize};

use crate::oauth::authorization_request::AuthorizationRequest;
use crate::oauth::consent::access::Access;
use crate::oauth::{RedirectUri, ResolvedClient};

/// The purpose of the seal. The same key seals the ids of clients, which do not open as consent requests.
const PURPOSE: &str = "consent";

/// The time in which the user must answer.
const LIFETIME_MILLIS: i64 = 10 * 60 * 1000;

/// A valid authorization request, and the user who is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ConsentRequest {
    /// The id of the future grant. The storage accepts it once, so the form has an effect only once.
    id: GrantId,
    pub(super) user: UserId,
    asked_at: Timestamp,
    client_id: String,
    pub(super) client_name: Option<String>,
    redirect_uri: String,
    pub(super) state: Option<String>,
    /// The path of the MCP endpoint.
    resource: String,
    scopes: ScopeSet,
    challenge: String,
}

/// The sealed text is not from this server, or is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InvalidSeal;

impl ConsentRequest {
    pub(crate) fn new(
        user: &UserId,
        client: ResolvedClient,
        redirect_uri: &RedirectUri,
        request: AuthorizationRequest,
        now: Timestamp,
    ) -> Self {
        let mut random = [0; 10];
        // The id is not a secret, because only a sealed id has an effect.
        fastrand::fill(&mut random);
        Self {
            id: GrantId::new_v7(now, random),
            user: user.clone(),
            asked_at: now,
            client_id: client.id,
            client_name: client.name,
            redirect_uri: redirect_uri.to_string(),
            state: request.state,
            resource: paths::mcp(request.surface).to_owned(),
            scopes: request.scopes,
            challenge: request.challenge.to_string(),
        }
    }

    /// Returns the text for the form.
    pub(super) fn seal(&self, key: &SigningKey) -> String {
        key.seal(PURPOSE, &serde_json::to_vec(self).unwrap_or_default())
    }

    /// Opens the text of a form.
    pub(super) fn open(text: &str, key: &SigningKey) -> Result<Self, InvalidSeal> {
        let payload = key.open(PURPOSE, text).ok_or(InvalidSeal)?;
        serde_json::from_slice(&payload).map_err(|_| InvalidSeal)
    }

    /// Returns whether it is too late to answer. A request from the future was sealed by a node with another clock.
    pub(super) fn is_expired(&self, now: Timestamp) -> bool {
        now.as_millis() - self.asked_at.as_millis() >= LIFETIME_MILLIS
    }

    pub(super) fn surface(&self) -> Result<Surface, InvalidSeal> {
        Surface::ALL.into_iter().find(|surface| paths::mcp(*surface) == self.resource).ok_or(InvalidSeal)
    }

    pub(super) fn redirect_uri(&self) -> Result<RedirectUri, InvalidSeal> {
        self.redirect_uri.parse().map_err(|_| InvalidSeal)
    }

    /// Returns the choices of the user, the widest first.
    pub(super) fn choices(&self) -> Result<Vec<Access>, InvalidSeal> {
        Ok(Access::choices(self.surface()?, &self.scopes))
    }

    /// Returns the approval of one of the choices.
    pub(super) fn approve(self, access: Access) -> Result<Approval, InvalidSeal> {
        let redirect_uri = self.redirect_uri()?;
        Ok(Approval {
            surface: self.surface()?,
            challenge: self.challenge.parse().map_err(|_| InvalidSeal)?,
            client: OAuthClient::new(self.client_id, self.client_name, redirect_uri.host()).map_err(|_| InvalidSeal)?,
            request: self.id,
            redirect_uri: redirect_uri.to_string(),
            scopes: access.scopes,
        })
    }
}
