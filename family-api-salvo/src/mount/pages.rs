//! Mounts the pages of keys, connections and deleted records, and the files that all pages load.

#[cfg(feature = "pages")]
use std::sync::Arc;

#[cfg(feature = "pages")]
use family_api_core::key::KeyMode;
#[cfg(feature = "pages")]
use family_api_core::{Surface, paths};
#[cfg(feature = "pages")]
use salvo::Request;
use salvo::Router;

use super::FamilyRoutes;
#[cfg(feature = "pages")]
use crate::guard::CredentialSource;
#[cfg(feature = "pages")]
use crate::html::ErrorPages;
use crate::html::{ASSET, Brand, Layout};
use crate::methods::Methods;
#[cfg(feature = "pages")]
use crate::pages::{Features, Pages};

impl FamilyRoutes {
    /// Sets the name and the look of the product on all pages. Default: the name `Family`.
    ///
    /// Needs a page: of the features `pages` or `oauth`.
    #[must_use]
    pub fn brand(mut self, brand: Brand) -> Self {
        self.layout = Layout::new(brand);
        self.is_branded = true;
        self
    }

    /// Mounts the page on which users manage their keys, connections and calendar feeds, and the page of deleted records
    /// if [`Pages::deleted_at`] names its path.
    ///
    /// Needs a [`session`](Self::session), and the routes of the profile and of keys. The page of deleted records also
    /// needs the session routes of records, and a storage that restores records.
    #[cfg(feature = "pages")]
    #[must_use]
    pub fn pages(mut self, pages: Pages) -> Self {
        self.pages = Some(pages);
        self
    }

    /// Serves the pages, the authorization server, and the files that their pages load. Serves no files if there is no
    /// page.
    pub(super) fn html_router(&self) -> Router {
        let mut parts: Vec<Router> = Vec::new();
        #[cfg(feature = "pages")]
        parts.extend(self.pages_router());
        #[cfg(feature = "oauth")]
        parts.extend(self.oauth_router());
        if !parts.is_empty() {
            parts.push(Methods::new().get(self.layout.assets_handler()).at(ASSET));
        }
        parts.into_iter().fold(Router::new(), Router::push)
    }

    /// Serves the pages of keys, connections and deleted records.
    #[cfg(feature = "pages")]
    fn pages_router(&self) -> Option<Router> {
        let (mut pages, session) = (self.pages.clone()?, self.session.as_ref()?);
        pages.deleted = pages.deleted.filter(|_| self.lists_deleted());
        let layout = self.page_layout();
        let source = CredentialSource::Session(session.header());
        let limited = |path: &str, page| {
            let errors = ErrorPages::new(layout.clone()).at(path).for_everyone();
            self.limits.apply(Router::new().hoop(errors), source.clone()).push(page)
        };
        let mut router = Router::new();
        if let Some(path) = &pages.deleted {
            let page = pages.deleted_router(path, self.api.clone(), layout.clone(), Arc::clone(session));
            router = router.push(limited(path, page));
        }
        let keys = pages.keys_router(self.features(), layout.clone(), Arc::clone(session));
        Some(router.push(limited(&pages.path, keys)))
    }

    /// Returns the layout of all pages. It links to the page of keys if there is one.
    #[cfg(any(feature = "pages", feature = "oauth"))]
    pub(super) fn page_layout(&self) -> Layout {
        let layout = self.layout.clone();
        #[cfg(all(feature = "pages", feature = "oauth"))]
        let layout = match &self.pages {
            Some(pages) if self.session.is_some() => layout.with_keys_page(&pages.path),
            _ => layout,
        };
        layout
    }

    /// Returns whether the route is mounted that the page of deleted records calls.
    #[cfg(feature = "pages")]
    pub(super) fn lists_deleted(&self) -> bool {
        self.routes().iter().any(|route| route.path == paths::DELETED)
    }

    #[cfg(feature = "pages")]
    fn features(&self) -> impl Fn(&Request) -> Features + Send + Sync + 'static {
        #[cfg(feature = "oauth")]
        let oauth_endpoint = {
            let oauth = self.built_in_oauth().cloned();
            let endpoint = self.mcp_surfaces().first().map(|surface| paths::mcp(*surface));
            move |req: &Request| endpoint.filter(|_| oauth.as_ref().is_some_and(|oauth| oauth.issuer_of(req).is_some()))
        };
        #[cfg(not(feature = "oauth"))]
        let oauth_endpoint = |_: &Request| None;
        let routes = self.routes();
        let mcp = routes.iter().any(|route| route.is_mcp());
        let access = routes.iter().any(|route| route.path == paths::ACCESS);
        let connections = routes.iter().any(|route| route.path == paths::CONNECTIONS);
        let feeds = routes.iter().any(|route| route.path == paths::CALENDAR_FEEDS);
        let has_routes = |mode: &&KeyMode| {
            let surface = if **mode == KeyMode::McpRead { Surface::ReadPath } else { Surface::V1 };
            routes.iter().any(|route| route.surface() == Some(surface))
        };
        let api = self.api.clone();
        let grantable = api.grantable_scopes();
        let mut modes: Vec<KeyMode> = api.key_modes().iter().filter(has_routes).copied().collect();
        modes.dedup_by_key(|mode| mode.scopes().only(&grantable));
        move |req: &Request| {
            let (api, modes) = (api.clone(), modes.clone());
            Features { api, mcp, access, connections, feeds, oauth: oauth_endpoint(req), modes }
        }
    }
}
