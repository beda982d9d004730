//! The options for an authorization server of the host.

use family_api_core::Surface;

use crate::oauth::Issuer;
use crate::oauth::builder::IssuerSource;

/// The options with which [`FamilyRoutes::oauth`](crate::FamilyRoutes::oauth) names the host's own authorization server
/// in the metadata of the MCP endpoints. [`OAuth::external`](crate::OAuth::external) creates them.
///
/// Nothing but the metadata is mounted. A [`TokenVerifier`](family_api_core::TokenVerifier) verifies the tokens.
#[derive(Debug, Clone)]
pub struct ExternalOAuth {
    pub(super) address: IssuerSource,
    pub(super) issuer: String,
    pub(super) main: Surface,
}

impl ExternalOAuth {
    pub(super) fn new(address: Issuer, issuer: String) -> Self {
        Self { address: IssuerSource::Fixed(address), issuer, main: Surface::V1 }
    }

    /// Sets the MCP endpoint that the metadata without a path describes. Default: the endpoint of `/api/v1`.
    #[must_use]
    pub fn main_endpoint(mut self, surface: Surface) -> Self {
        self.main = surface;
        self
    }
}
