//! One operation for each resource. The router serves them all by `{resource}`, but a generated client gets the type of
//! a response only from an operation of its own.

use family_api_core::FamilyApi;
use family_api_core::resource::ResourceKind;

use crate::response_content::Content;
use crate::route::{Action, Route};

/// Returns the operations of the resources that the storage keeps, for each route with `{resource}`.
pub(super) fn resource_operations(api: &FamilyApi, routes: &[&Route]) -> Vec<Route> {
    let generic = routes.iter().filter(|route| route.action == Action::Read(None));
    let kept: Vec<ResourceKind> = api.capabilities().resources().collect();
    generic.flat_map(|route| kept.iter().map(|resource| operation(route, *resource))).collect()
}

fn operation(route: &Route, resource: ResourceKind) -> Route {
    let (name, summary) = match resource {
        ResourceKind::Tasks => ("Tasks", "Returns the boards with their columns and tasks"),
        ResourceKind::Events => ("Events", "Returns the events, or their occurrences in a range of days"),
        ResourceKind::Shopping => ("Shopping", "Returns the shopping lists with their items"),
        ResourceKind::Notes => ("Notes", "Returns the notes"),
        ResourceKind::TaskStats => ("TaskStats", "Returns the numbers of the caller's tasks"),
    };
    Route {
        path: route.path.replace("{resource}", resource.as_str()).into(),
        action: Action::Read(Some(resource)),
        operation: route.operation.replace("Resource", name).into(),
        summary: summary.into(),
        response: Content::resource(resource),
        ..route.clone()
    }
}
