//! The metadata of a client (RFC 7591, section 2), in a registration or in a document.

use family_api_core::grant::clean_name;
use serde::Deserialize;
use serde_json::Value;

use crate::oauth::RedirectUri;

/// Maximum number of redirect URIs of a registration.
const MAX_REDIRECT_URIS: usize = 5;

/// Metadata as the client sends it. Unknown members are ignored.
#[derive(Deserialize)]
pub(super) struct ClientMetadata {
    pub(super) client_id: Option<String>,
    client_name: Option<String>,
    redirect_uris: Option<Vec<String>>,
    grant_types: Option<Vec<String>>,
    response_types: Option<Vec<String>>,
    token_endpoint_auth_method: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    client_secret: Option<Value>,
}

/// The metadata cannot be used. The text is the reason, in ASCII.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum InvalidMetadata {
    #[error("{0}")]
    RedirectUri(String),
    #[error("{0}")]
    Other(&'static str),
}

impl ClientMetadata {
    pub(super) fn parse(json: &[u8]) -> Result<Self, InvalidMetadata> {
        let invalid = InvalidMetadata::Other("expected a JSON object with the metadata of a client");
        serde_json::from_slice(json).map_err(|_| invalid)
    }

    /// Returns the cleaned name.
    pub(super) fn name(&self) -> Option<String> {
        self.client_name.as_deref().and_then(clean_name)
    }

    /// Returns the redirect URIs of a registration, which must all be usable.
    pub(super) fn all_redirect_uris(&self) -> Result<Vec<RedirectUri>, InvalidMetadata> {
        let texts = self.redirect_uris.as_deref().unwrap_or_default();
        if texts.is_empty() || texts.len() > MAX_REDIRECT_URIS {
            return Err(InvalidMetadata::RedirectUri(format!("expected 1 to {MAX_REDIRECT_URIS} redirect_uris")));
        }
        let parsed = texts.iter().enumerate().map(|(index, text)| {
            text.parse().map_err(|error| InvalidMetadata::RedirectUri(format!("redirect_uris[{index}]: {error}")))
        });
        parsed.collect()
    }

    /// Returns the usable redirect URIs of a document. A document cannot adapt to a server, so the others are ignored.
    pub(super) fn usable_redirect_uris(&self) -> Result<Vec<RedirectUri>, InvalidMetadata> {
        let texts = self.redirect_uris.as_deref().unwrap_or_default();
        let usable: Vec<RedirectUri> = texts.iter().filter_map(|text| text.parse().ok()).collect();
        let missing =
            || InvalidMetadata::RedirectUri("none of the redirect_uris is one that this service accepts".to_owned());
        if usable.is_empty() { Err(missing()) } else { Ok(usable) }
    }

    /// Checks that the client can use authorization codes.
    pub(super) fn check_flow(&self) -> Result<(), InvalidMetadata> {
        let includes = |list: &Option<Vec<String>>, name: &str| {
            list.as_ref().is_none_or(|list| list.iter().any(|member| member == name))
        };
        if !includes(&self.grant_types, "authorization_code") {
            return Err(InvalidMetadata::Other("grant_types must include authorization_code"));
        }
        if !includes(&self.response_types, "code") {
            return Err(InvalidMetadata::Other("response_types must include code"));
        }
        Ok(())
    }

    /// Checks that the client of a document can be a public client.
    ///
    /// A client may prefer another method and list all methods that it supports. It then uses `none`, because the
    /// server's metadata offers no other.
    pub(super) fn check_public(&self) -> Result<(), InvalidMetadata> {
        let preferred = self.token_endpoint_auth_method.iter();
        let supported = self.token_endpoint_auth_methods_supported.iter().flatten();
        let mut methods = preferred.chain(supported).peekable();
        let is_public = methods.peek().is_none() || methods.any(|method| method == "none");
        if !is_public || self.client_secret.is_some() {
            return Err(InvalidMetadata::Other("the client must support the authentication method none"));
        }
        Ok(())
    }
}
