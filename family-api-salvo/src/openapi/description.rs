//! What the OpenAPI document says about the whole API.

use family_api_core::resource::{RecordKind, ResourceKind};
use family_api_core::storage::Capabilities;
use family_api_core::{FamilyApi, Surface};

use crate::route::{Action, Route, RouteGroup};

/// Returns the `description` of the document, which names only what these routes serve.
pub(super) fn description(api: &FamilyApi, routes: &[&Route]) -> String {
    let is_mounted = |is_meant: &dyn Fn(&Route) -> bool| routes.iter().any(|route| is_meant(route));
    let bases = [(Surface::V1, "`/api/v1`"), (Surface::ReadPath, "`/api/mcp`")];
    let bases = bases.into_iter().filter(|(surface, _)| is_mounted(&|route| route.surface() == Some(*surface)));
    let unknown_path = match enumeration(bases.map(|(_, base)| base)) {
        None => String::new(),
        Some(bases) => format!(" Below {bases}, an unknown path gets 404 with a valid token and 401 without one."),
    };
    let nouns: Vec<&str> = if is_mounted(&|route| route.action != Action::Other) {
        api.capabilities().resources().map(|resource| noun(api.capabilities(), resource)).collect()
    } else if is_mounted(&|route| route.group == RouteGroup::Keys) {
        vec!["profiles", "integration keys"]
    } else {
        vec!["profiles"]
    };
    let content = enumeration(nouns.into_iter()).unwrap_or_default();
    format!(
        "A family's {content} for integrations. Errors are `application/problem+json` with a stable `code`. The only \
         exception is 431 (headers above the limit), which has no body. `HEAD` is supported for every `GET`. Methods \
         that are not listed get 405 `method_not_allowed` with `Allow`.{unknown_path} The full rules are in the \
         [HTTP reference](https://docs.rs/family-api-salvo/latest/family_api_salvo/http_api/)."
    )
}

/// Returns what a resource contains.
fn noun(kept: &Capabilities, resource: ResourceKind) -> &'static str {
    match resource {
        ResourceKind::Tasks => "tasks",
        ResourceKind::Events => "events",
        ResourceKind::Shopping if kept.keeps_kind(RecordKind::ShoppingList) => "shopping lists",
        ResourceKind::Shopping => "shopping items",
        ResourceKind::Notes => "notes",
        ResourceKind::TaskStats => "task statistics",
    }
}

/// Returns `a, b and c`, or `None` for an empty list.
fn enumeration<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let names: Vec<&str> = names.collect();
    let (last, others) = names.split_last()?;
    Some(if others.is_empty() { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) })
}
