//! Decides which routes are mounted.

use family_api_core::Surface;

use super::FamilyRoutes;
use crate::route::{Access, Route, RouteGroup};
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
    }
}
