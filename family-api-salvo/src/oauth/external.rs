//! The options for an authorization server of the host.

use family_api_core::Surface;

use crate::oauth::PublicUrl;
use crate::oauth::public_url_source::PublicUrlSource;

/// The options with which [`FamilyRoutes::oauth`](crate::FamilyRoutes::oauth) names the host's own authorization server
/// in the metadata of the MCP endpoints. [`OAuth::external`](crate::OAuth::external) creates them.
///
/// Nothing but the metadata is mounted. A [`TokenVerifier`](family_api_core::TokenVerifier) verifies the tokens.
#[derive(Debug, Clone)]
pub struct ExternalOAuth {
    /// The URL of the API.
    pub(super) public_url: PublicUrlSource,
    /// The URL that identifies the host's authorization server.
    pub(super) issuer: String,
    pub(super) main: Surface,
}

impl ExternalOAuth {
    pub(super) fn new(public_url: PublicUrl, issuer: String) -> Self {
        Self { public_url: PublicUrlSource::Fixed(public_url), issuer, main: Surface::V1 }
    }

    /// Sets the MCP endpoint that the metadata without a path describes. Default: the endpoint of `/api/v1`.
    #[must_use]
    pub fn main_endpoint(mut self, surface: Surface) -> Self {
        self.main = surface;
        self
    }
}
