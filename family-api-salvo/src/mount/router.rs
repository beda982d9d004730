//! Builds the router: the mounted routes behind their guards, in the order in which the guards run.

use std::collections::BTreeMap;
use std::sync::Arc;

use family_api_core::{Endpoint, Surface, paths};
use salvo::Router;
use salvo::http::header::AUTHORIZATION;

use super::FamilyRoutes;
use crate::calendar::calendar_router;
use crate::guard::{
    BearerGuard, Cors, CredentialSource, PrivateResponse, SameSite, SessionGuard, SessionWriteLimit, outer_router,
};
#[cfg(feature = "mcp")]
use crate::mcp::OwnOrigin;
use crate::methods::{Methods, NotFound, RawPathFilter};
#[cfg(feature = "oauth")]
use crate::oauth::MetadataChallenge;
use crate::route::{Access, Action, Route, RouteGroup};
use crate::routes::ROUTES;
use crate::{Origin, SessionAuthenticator};

impl FamilyRoutes {
    /// Builds the router. It can be pushed anywhere into the host's router.
    ///
    /// To add a method to one of the API's paths, the host must push its own route before this router.
    ///
    /// `POST /api/v1/batch` calls the handlers of this library directly. A route or a middleware that the host has for
    /// the path of a single write does not see this write in a batch. If it must see every write, remove the batches
    /// ([`without_batch`](Self::without_batch)).
    ///
    /// Logs one warning if options have no effect, which names them ([`unused_options`](Self::unused_options)).
    #[must_use]
    pub fn into_router(self) -> Router {
        self.warn_of_unused_options();
        let mut router = outer_router();
        for (surface, group, base) in
            [(Surface::V1, RouteGroup::V1, paths::V1), (Surface::ReadPath, RouteGroup::ReadPath, paths::READ_PATH)]
        {
            if !self.excluded.contains(&group) {
                router = router.push(self.bearer_router(surface, group, base));
            }
        }
        if let Some(session) = &self.session {
            router = router.push(self.session_router(session));
        }
        let router = if self.api.has_feeds() { router.push(calendar_router(&self.api, &self.limits)) } else { router };
        #[cfg(feature = "html")]
        let router = router.push(self.html_router());
        #[cfg(feature = "oauth")]
        let router = match self.mounted_oauth() {
            Some(server) if !server.has_path() => router.push(self.metadata_router()),
            _ => router,
        };
        router.push(self.public_router())
    }

    /// Handles every path below `/api/v1` or `/api/mcp`, including unknown paths.
    fn bearer_router(&self, surface: Surface, group: RouteGroup, base: &str) -> Router {
        let batch = (surface == Surface::V1).then_some(RouteGroup::Batch);
        let mounted = self.routes_of(&[&[group], batch.as_slice()].concat());
        let rest = push_routes(self.guarded_router(surface, Endpoint::Rest, &mounted), &mounted, base);
        let router = Router::with_path(base).hoop(PrivateResponse::vary(&AUTHORIZATION));
        #[cfg(feature = "mcp")]
        let router = router.push(self.mcp_router(surface, base, &mounted));
        router.push(rest.push(Router::with_path("{**rest}").goal(NotFound)))
    }

    /// Builds a router with the guards of an endpoint, but without routes. The routes only tell which methods CORS
    /// allows.
    fn guarded_router(&self, surface: Surface, endpoint: Endpoint, mounted: &[&'static Route]) -> Router {
        let guard = BearerGuard {
            api: Arc::new(self.api.clone()),
            surface,
            endpoint,
            body_limit: self.limits.body,
            compression: self.compression,
            invalid_tokens: self.limits.invalid_tokens.clone(),
        };
        let mut router = Router::new();
        #[cfg(feature = "oauth")]
        if let (Endpoint::Mcp, Some(server)) = (endpoint, self.mounted_oauth()) {
            router = router.hoop(MetadataChallenge::new(server, &self.api.grantable_scopes(), surface));
        }
        if let Some(origins) = &self.cors {
            router = router.hoop(self.cors_of(origins, surface, mounted));
        }
        let source = CredentialSource::Token(Box::new(self.api.clone()), endpoint);
        self.limits.apply(router, source).hoop(guard)
    }

    /// Returns the CORS handler of the REST routes and of the MCP endpoint, if it is mounted.
    fn cors_of(&self, origins: &Arc<[Origin]>, surface: Surface, mounted: &[&'static Route]) -> Cors {
        let endpoints = self.mcp_routes(surface);
        let cors = Cors::new(origins, mounted.iter().chain(&endpoints).map(|route| &route.method));
        if endpoints.is_empty() { cors } else { cors.allow_mcp_headers() }
    }

    pub(super) fn mcp_routes(&self, surface: Surface) -> Vec<&'static Route> {
        let mut routes = self.routes();
        routes.retain(|route| route.is_mcp() && route.surface() == Some(surface));
        routes
    }

    #[cfg(feature = "mcp")]
    fn mcp_router(&self, surface: Surface, base: &str, mounted: &[&'static Route]) -> Router {
        let guarded = self.guarded_router(surface, Endpoint::Mcp, mounted);
        push_routes(guarded.hoop(self.own_origin()), &self.mcp_routes(surface), base)
    }

    #[cfg(feature = "mcp")]
    fn own_origin(&self) -> OwnOrigin {
        OwnOrigin::new(self.address.clone(), self.cors.clone().unwrap_or_default())
    }

    fn session_router(&self, session: &Arc<dyn SessionAuthenticator>) -> Router {
        let api = Arc::new(self.api.clone());
        let guard = SessionGuard { api, session: session.clone(), body_limit: self.limits.body };
        let header = session.header();
        let router = Router::new().hoop(PrivateResponse::vary(&header));
        let router = self.limits.apply(router, CredentialSource::Session(header));
        let router = router.hoop(guard).hoop(SameSite::new(self.address.clone())).hoop(SessionWriteLimit);
        let groups =
            [RouteGroup::Profile, RouteGroup::Keys, RouteGroup::Connections, RouteGroup::Feeds, RouteGroup::Records];
        push_routes(router, &self.routes_of(&groups), "")
    }

    pub(super) fn routes(&self) -> Vec<&'static Route> {
        ROUTES.iter().filter(|route| self.is_mounted(route)).collect()
    }

    pub(super) fn routes_of(&self, groups: &[RouteGroup]) -> Vec<&'static Route> {
        self.routes().into_iter().filter(|route| groups.contains(&route.group)).collect()
    }

    fn is_mounted(&self, route: &Route) -> bool {
        let needs_session = route.access == Access::Session;
        // An MCP endpoint is also part of the routes with its prefix.
        let prefix = route.surface().map(|surface| match surface {
            Surface::V1 => RouteGroup::V1,
            Surface::ReadPath => RouteGroup::ReadPath,
        });
        let needs_grants = route.group == RouteGroup::Connections;
        let needs_feeds = route.group == RouteGroup::Feeds;
        let is_excluded = |group: &RouteGroup| self.excluded.contains(group);
        !is_excluded(&route.group)
            && !prefix.as_ref().is_some_and(is_excluded)
            && (self.session.is_some() || !needs_session)
            && (self.api.grants().is_some() || !needs_grants)
            && (self.api.has_feeds() || !needs_feeds)
            && route.action.is_supported(self.api.capabilities())
    }
}

/// Adds one router for each path, with all methods of the path.
///
/// salvo tries the routers in their order, at about 400 instructions each. The most frequent requests, the reads of
/// resources, come first, but after the overview, whose path also matches theirs.
pub(super) fn push_routes(parent: Router, routes: &[&'static Route], base: &str) -> Router {
    let rank = |action| match action {
        Action::Overview => 0,
        Action::Read(None) => 1,
        _ => 2,
    };
    let position = |route: &'static Route| (rank(route.action), &*route.path);
    let paths: BTreeMap<_, &Route> = routes.iter().map(|route| (position(route), *route)).collect();
    paths.into_iter().fold(parent, |parent, ((_, path), any)| {
        let methods = routes
            .iter()
            .filter(|route| route.path == path)
            .fold(Methods::new(), |methods, route| methods.on(route.method.clone(), (route.handler)()));
        parent.push(methods.at_filtered(path.strip_prefix(base).unwrap_or(path), RawPathFilter::of_route(any)))
    })
}
