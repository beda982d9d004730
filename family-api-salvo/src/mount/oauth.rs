//! Mounts the authorization server.

use family_api_core::Surface;
use salvo::Router;

use super::FamilyRoutes;
use crate::guard::{SameSite, outer_router};
use crate::oauth::{self, AuthorizationServer, OAuth};

impl FamilyRoutes {
    /// Mounts the [MCP endpoints](Self::mcp) with an authorization server, so that assistants connect without a key.
    ///
    /// Users sign in and consent in the host's session, so the server is mounted only with a
    /// [`session`](Self::session), and only if the API has a storage for
    /// [grants](family_api_core::FamilyApiBuilder::grants). If the issuer has a path, the host must also push the
    /// [metadata](Self::oauth_metadata_router).
    ///
    /// A host with an authorization server of its own passes [`OAuth::external`] instead. It needs neither a session
    /// nor a storage for grants, but a [`TokenVerifier`](family_api_core::TokenVerifier).
    #[must_use]
    pub fn oauth(mut self, server: impl Into<AuthorizationServer>) -> Self {
        self.oauth = Some(server.into());
        self.mcp()
    }

    /// Builds the router of the metadata from which assistants learn how to connect. Only for an issuer with a path,
    /// such as `https://home.example/family`: the host must push it at the root of its origin, because the well-known
    /// part of a URL precedes the path. [`into_router`](Self::into_router) contains the metadata of any other issuer.
    #[must_use]
    pub fn oauth_metadata_router(&self) -> Router {
        outer_router().push(self.metadata_router())
    }

    /// Serves the pages and the endpoints of the built-in authorization server, if it is mounted.
    pub(super) fn oauth_router(&self) -> Option<Router> {
        let (oauth, session) = (self.built_in_oauth()?, self.session.as_ref()?);
        let (layout, same_site) = (self.page_layout(), SameSite::new(self.address.clone()));
        Some(oauth::router(oauth, &self.api, session, &layout, same_site, &self.mcp_surfaces(), &self.limits))
    }

    pub(super) fn metadata_router(&self) -> Router {
        let Some(server) = self.mounted_oauth() else { return Router::new() };
        oauth::metadata_router(server, &self.api.grantable_scopes(), &self.mcp_surfaces())
    }

    /// Returns the surfaces whose MCP endpoints are mounted.
    pub(super) fn mcp_surfaces(&self) -> Vec<Surface> {
        Surface::ALL.into_iter().filter(|surface| !self.mcp_routes(*surface).is_empty()).collect()
    }

    /// Returns the authorization server: an external one, or the built-in one if there is a storage for grants and a
    /// session that tells who is signed in.
    pub(super) fn mounted_oauth(&self) -> Option<&AuthorizationServer> {
        let has_parts = self.session.is_some() && self.api.grants().is_some();
        self.oauth.as_ref().filter(|server| server.built_in().is_none() || has_parts)
    }

    pub(super) fn built_in_oauth(&self) -> Option<&OAuth> {
        self.mounted_oauth().and_then(AuthorizationServer::built_in)
    }
}
