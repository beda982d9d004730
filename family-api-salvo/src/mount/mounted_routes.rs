//! Decides which routes are mounted, and adds them to a router.

use std::collections::BTreeMap;

use family_api_core::Surface;
use family_api_core::resource::{RecordKind, Verb};
use salvo::Router;

use super::FamilyRoutes;
use crate::guard::RawPathFilter;
use crate::methods::Methods;
use crate::route::{Access, Action, Route, RouteGroup};
use crate::routes::ROUTES;

impl FamilyRoutes {
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
        let is_excluded = |group: &RouteGroup| self.excluded.contains(group);
        !is_excluded(&route.group)
            && !prefix.as_ref().is_some_and(is_excluded)
            && (self.session.is_some() || !needs_session)
            && (self.api.grants().is_some() || !needs_grants)
            && self.is_supported(route.action)
    }

    /// Returns whether the storage supports an action.
    fn is_supported(&self, action: Action) -> bool {
        let capabilities = self.api.capabilities();
        match action {
            Action::Read(None) | Action::ListMembers => capabilities.resources().next().is_some(),
            Action::Find(kind) | Action::List(kind) => capabilities.keeps_resource(kind.resource()),
            Action::Read(Some(resource)) => capabilities.keeps_resource(resource),
            Action::Write(kind, verb) => capabilities.supports(kind, verb),
            Action::DeleteChecked => capabilities.supports(RecordKind::ShoppingItem, Verb::Delete),
            Action::ListDeleted => RecordKind::ALL.into_iter().any(|kind| capabilities.supports(kind, Verb::Restore)),
            Action::Other => true,
        }
    }
}

/// Adds one router for each path, with all methods of the path.
pub(super) fn push_routes(parent: Router, routes: &[&'static Route], base: &str) -> Router {
    let paths: BTreeMap<&str, &Route> = routes.iter().map(|route| (&*route.path, *route)).collect();
    paths.into_iter().fold(parent, |parent, (path, any)| {
        let methods = routes
            .iter()
            .filter(|route| route.path == path)
            .fold(Methods::new(), |methods, route| methods.on(route.method.clone(), (route.handler)()));
        parent.push(methods.at_filtered(path.strip_prefix(base).unwrap_or(path), RawPathFilter::of_route(any)))
    })
}
