//! The authorization server that the metadata of the MCP endpoints names.

use family_api_core::Surface;

use crate::oauth::public_url_source::PublicUrlSource;
use crate::oauth::{ExternalOAuth, OAuth};

/// The authorization server for the MCP endpoints: the built-in one of this crate, or an external one of the host.
#[derive(Clone)]
#[non_exhaustive]
pub enum AuthorizationServer {
    /// The server of this crate.
    BuiltIn(OAuth),
    /// A server of the host.
    External(ExternalOAuth),
}

impl AuthorizationServer {
    /// Returns the options of the built-in server.
    pub(crate) fn built_in(&self) -> Option<&OAuth> {
        match self {
            Self::BuiltIn(oauth) => Some(oauth),
            Self::External(_) => None,
        }
    }

    /// Returns where the URL of the API comes from. It is also the issuer of the built-in server.
    pub(super) fn public_url(&self) -> &PublicUrlSource {
        match self {
            Self::BuiltIn(oauth) => &oauth.issuer,
            Self::External(external) => &external.public_url,
        }
    }

    /// Returns the endpoint that the metadata without a path describes.
    pub(crate) fn main(&self) -> Surface {
        match self {
            Self::BuiltIn(oauth) => oauth.main,
            Self::External(external) => external.main,
        }
    }

    /// Returns whether the API is mounted below a prefix.
    pub(crate) fn has_path(&self) -> bool {
        !self.public_url().path().is_empty()
    }
}

impl From<OAuth> for AuthorizationServer {
    fn from(oauth: OAuth) -> Self {
        Self::BuiltIn(oauth)
    }
}

impl From<ExternalOAuth> for AuthorizationServer {
    fn from(external: ExternalOAuth) -> Self {
        Self::External(external)
    }
}
