//! Finds the options that have no effect, because another option or a part of the API is missing.

use family_api_core::key::KeyMode;
use family_api_core::{Surface, paths};

use super::FamilyRoutes;
#[cfg(feature = "mcp")]
use crate::route::RouteGroup;
use crate::route::{Access, Route};

/// Whether an option is set but has no effect, and the text that says what it needs.
type Checked = (bool, &'static str);

impl FamilyRoutes {
    /// Returns the options that have no effect, each with what it needs. [`into_router`](Self::into_router) logs them.
    ///
    /// A test of the host can check that there are none. The options of a
    /// [`FamilyApiBuilder`](family_api_core::FamilyApiBuilder) are checked only if these routes accept tokens, because a
    /// host can mount the routes with a token and those with a session apart.
    #[must_use]
    pub fn unused_options(&self) -> Vec<&'static str> {
        let mut options = self.options_of_routes();
        if self.mounts(|route| route.surface().is_some()) {
            options.extend(self.options_of_api());
        }
        #[cfg(feature = "pages")]
        options.extend(self.options_of_pages());
        #[cfg(feature = "oauth")]
        options.extend(self.options_of_oauth());
        options.into_iter().filter(|(is_unused, _)| *is_unused).map(|(_, text)| text).collect()
    }

    pub(super) fn warn_of_unused_options(&self) {
        let unused = self.unused_options();
        if !unused.is_empty() {
            tracing::warn!("some options have no effect: {}", unused.join("; "));
        }
    }

    fn mounts(&self, is_meant: impl Fn(&Route) -> bool) -> bool {
        self.routes().into_iter().any(is_meant)
    }

    /// Returns whether a page is mounted. All pages belong to a session.
    fn has_pages(&self) -> bool {
        #[cfg(feature = "oauth")]
        let has_consent = self.built_in_oauth().is_some();
        #[cfg(not(feature = "oauth"))]
        let has_consent = false;
        #[cfg(feature = "pages")]
        let has_keys = self.pages.is_some();
        #[cfg(not(feature = "pages"))]
        let has_keys = false;
        self.session.is_some() && (has_consent || has_keys)
    }

    fn options_of_routes(&self) -> Vec<Checked> {
        let uses_session = self.has_pages() || self.mounts(|route| route.access == Access::Session);
        let uses_address = uses_session || self.mounts(|route| route.is_mcp() || route.path == paths::OPENAPI);
        let options = vec![
            (
                self.session.is_some() && !uses_session,
                "`FamilyRoutes::session` needs a page or a route with a session, but all are removed",
            ),
            (
                self.address.is_some() && !uses_address,
                "`FamilyRoutes::public_address` needs `FamilyRoutes::session`, an MCP endpoint or the OpenAPI document",
            ),
            (
                self.cors.is_some() && !self.mounts(|route| route.surface().is_some()),
                "`FamilyRoutes::cors` needs `/api/v1` or `/api/mcp`, but both are removed",
            ),
        ];
        let of_features = [
            #[cfg(feature = "mcp")]
            (
                !self.excluded.contains(&RouteGroup::Mcp) && !self.mounts(Route::is_mcp),
                "`FamilyRoutes::mcp` needs `/api/v1` or `/api/mcp`, but both are removed",
            ),
            #[cfg(feature = "html")]
            (
                self.is_branded && !self.has_pages(),
                "`FamilyRoutes::brand` needs pages: `FamilyRoutes::pages` or `FamilyRoutes::oauth`",
            ),
        ];
        options.into_iter().chain(of_features).collect()
    }

    fn options_of_api(&self) -> Vec<Checked> {
        let standard = KeyMode::V1ReadWrite.scopes();
        let needs_full_access =
            |route: &Route| matches!(&route.access, Access::Token { scope, .. } if !standard.grants(scope));
        let has_mcp = self.mounts(Route::is_mcp);
        vec![
            (
                self.api.key_modes().contains(&KeyMode::V1Full) && !self.mounts(needs_full_access),
                "`FamilyApiBuilder::full_access` needs `/api/v1`, and a storage with a write that only the mode \
                 `v1_full` allows",
            ),
            (
                self.api.accepts_environment_tokens()
                    && !self.mounts(|route| route.surface() == Some(Surface::ReadPath)),
                "`FamilyApiBuilder::environment_tokens` needs `/api/mcp`, but it is removed",
            ),
            (
                self.api.accepts_external_tokens() && !has_mcp,
                "`FamilyApiBuilder::token_verifier` needs an MCP endpoint: `FamilyRoutes::mcp` or `FamilyRoutes::oauth`",
            ),
            (
                self.api.grants().is_some() && !has_mcp,
                "`FamilyApiBuilder::grants` needs an MCP endpoint: `FamilyRoutes::mcp` or `FamilyRoutes::oauth`",
            ),
        ]
    }

    #[cfg(feature = "pages")]
    fn options_of_pages(&self) -> Vec<Checked> {
        let Some(pages) = &self.pages else { return Vec::new() };
        let has_session = self.session.is_some();
        let has_keys = [paths::ME, paths::KEYS].iter().all(|path| self.mounts(|route| route.path == *path));
        vec![
            (!has_session, "`FamilyRoutes::pages` needs `FamilyRoutes::session`"),
            (
                has_session && !has_keys,
                "the page of keys of `FamilyRoutes::pages` needs `/api/users/me` and `/api/users/me/mcp-tokens`, but \
                 one is removed",
            ),
            (
                has_session && pages.deleted.is_some() && !self.lists_deleted(),
                "`Pages::deleted_at` needs a storage that restores records, and the session routes of records",
            ),
        ]
    }

    #[cfg(feature = "oauth")]
    fn options_of_oauth(&self) -> Vec<Checked> {
        let Some(server) = &self.oauth else { return Vec::new() };
        let is_external = server.built_in().is_none();
        let surfaces = self.mcp_surfaces();
        vec![
            (!is_external && self.session.is_none(), "`FamilyRoutes::oauth` needs `FamilyRoutes::session`"),
            (!is_external && self.api.grants().is_none(), "`FamilyRoutes::oauth` needs `FamilyApiBuilder::grants`"),
            (
                is_external && !self.api.accepts_external_tokens(),
                "`OAuth::external` needs `FamilyApiBuilder::token_verifier`",
            ),
            (
                !surfaces.is_empty() && !surfaces.contains(&server.main()),
                "the metadata without a path needs the endpoint of `OAuth::main_endpoint`, which is not mounted",
            ),
        ]
    }
}
