//! Mounts the pages.

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
#[cfg(feature = "oauth")]
use crate::guard::SameSite;
#[cfg(feature = "pages")]
use crate::html::ErrorPages;
use crate::html::{ASSET, Brand, Layout};
use crate::methods::Methods;
#[cfg(feature = "oauth")]
use crate::oauth;
#[cfg(feature = "pages")]
use crate::pages::{Features, Pages};

impl FamilyRoutes {
    /// Sets the name and the look of the product on all pages. Default: the name `Family`.
    #[must_use]
    pub fn brand(mut self, brand: Brand) -> Self {
        self.layout = Layout::new(brand);
        self
    }

    /// Mounts the page on which users manage their keys and connections, and the page of deleted records if
    /// [`Pages::deleted_at`] names its path. They need the session routes.
    #[cfg(feature = "pages")]
    #[must_use]
    pub fn pages(mut self, pages: Pages) -> Self {
        self.pages = Some(pages);
        self
    }

    /// Serves the pages and the files that they load. Serves no files if there is no page.
    pub(super) fn html_router(&self) -> Router {
        #[cfg(feature = "pages")]
        if self.pages.is_some() && self.session.is_none() {
            tracing::warn!("the page of keys and connections is not mounted: `FamilyRoutes::session` is missing");
        }
        #[cfg(any(feature = "pages", feature = "oauth"))]
        let layout = self.layout.clone();
        #[cfg(all(feature = "pages", feature = "oauth"))]
        let layout = match &self.pages {
            Some(page) if self.session.is_some() => layout.with_keys_page(&page.path),
            _ => layout,
        };
        let mut pages: Vec<Router> = Vec::new();
        #[cfg(feature = "pages")]
        if let (Some(keys), Some(session)) = (&self.pages, &self.session) {
            let mut keys = keys.clone();
            keys.deleted = keys.deleted.filter(|_| self.lists_deleted());
            let source = CredentialSource::Session(session.header());
            let limited = |path: &str, page| {
                let errors = ErrorPages::new(layout.clone()).at(path).for_everyone();
                self.limits.apply(Router::new().hoop(errors), source.clone()).push(page)
            };
            if let Some(path) = &keys.deleted {
                pages.push(limited(path, keys.deleted_router(path, layout.clone(), Arc::clone(session))));
            }
            let page = keys.keys_router(self.features(), layout.clone(), Arc::clone(session));
            pages.push(limited(&keys.path, page));
        }
        #[cfg(feature = "oauth")]
        if let (Some(oauth), Some(session)) = (self.built_in_oauth(), &self.session) {
            let same_site = SameSite::new(self.address.clone());
            let surfaces = self.mcp_surfaces();
            pages.push(oauth::router(oauth, &self.api, session, &layout, same_site, &surfaces, &self.limits));
        }
        if !pages.is_empty() {
            pages.push(self.assets_router());
        }
        pages.into_iter().fold(Router::new(), Router::push)
    }

    /// Returns whether the route is mounted that the page of deleted records calls.
    #[cfg(feature = "pages")]
    fn lists_deleted(&self) -> bool {
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
        let has_routes = |mode: &&KeyMode| {
            let surface = if **mode == KeyMode::McpRead { Surface::ReadPath } else { Surface::V1 };
            routes.iter().any(|route| route.surface() == Some(surface))
        };
        let modes: Vec<KeyMode> = self.api.key_modes().iter().filter(has_routes).copied().collect();
        move |req: &Request| Features { mcp, access, connections, oauth: oauth_endpoint(req), modes: modes.clone() }
    }

    fn assets_router(&self) -> Router {
        Methods::new().get(self.layout.assets_handler()).at(ASSET)
    }
}
