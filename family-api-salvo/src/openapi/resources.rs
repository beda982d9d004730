//! One operation for each resource. The router serves them all by `{resource}`, but a generated client gets the type of
//! a response only from an operation of its own.

use family_api_core::FamilyApi;
use family_api_core::resource::ResourceKind;

use crate::route::{Action, Route};

/// Returns the operations of the resources that the storage keeps, for each route with `{resource}`.
pub(super) fn resource_operations(api: &FamilyApi, routes: &[&Route]) -> Vec<Route> {
    let generic = routes.iter().filter(|route| route.action == Action::Read(None));
    let kept: Vec<ResourceKind> = api.capabilities().resources().collect();
    generic.flat_map(|route| kept.iter().map(|resource| operation(route, *resource))).collect()
}

fn operation(route: &Route, resource: ResourceKind) -> Route {
    let words = resource.as_str().split('_');
    let name: String = words.map(|word| word[..1].to_uppercase() + &word[1..]).collect();
    Route {
        path: route.path.replace("{resource}", resource.as_str()).into(),
        action: Action::Read(Some(resource)),
        operation: route.operation.replace("Resource", &name).into(),
        summary: format!("Returns {}", resource.description()).into(),
        ..route.clone()
    }
}
