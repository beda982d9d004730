//! Builds the OpenAPI 3.1 document from the list of routes and the schemas of the types of core.

mod components;
mod merge;
mod operation;
mod resources;
mod tags;

use family_api_core::FamilyApi;
use salvo::http::HeaderName;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::route::Route;
use components::components;
use merge::merge;
use operation::operation;
use resources::resource_operations;

/// Builds the document for these routes and merges the host's own fragments into it.
pub(crate) fn document(api: &FamilyApi, routes: &[&Route], session_header: &HeaderName, fragments: &[Value]) -> Value {
    let mut schemas = generator();
    let resources = resource_operations(api, routes);
    let paths = paths(api, routes.iter().copied().chain(&resources), &mut schemas);
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Family API",
            "version": env!("CARGO_PKG_VERSION"),
            "description": DESCRIPTION,
        },
        "tags": tags(routes),
        "paths": paths,
        "components": components(api, routes, session_header, schemas),
    });
    for fragment in fragments {
        merge(&mut document, fragment);
    }
    document
}

const DESCRIPTION: &str = "\
    A family's tasks, events, shopping lists, notes and task statistics for integrations. Errors are \
    `application/problem+json` with a stable `code`. The only exception is 431 (headers above the limit), which has no \
    body. `HEAD` is supported for every `GET`. Methods that are not listed get 405 `method_not_allowed` with `Allow`. \
    Below `/api/v1` and `/api/mcp`, an unknown path gets 404 with a valid token and 401 without one. The full rules are \
    in the \
    [HTTP reference](https://docs.rs/family-api-salvo/latest/family_api_salvo/http_api/).";

fn generator() -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.definitions_path = "/components/schemas".into();
    settings.with_transform(RecursiveTransform(name_constants)).into_generator()
}

/// Names each constant in a union by its value. A generated client gets the names of its constants from these titles.
fn name_constants(schema: &mut Schema) {
    let branches = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    for branch in branches.into_iter().flatten().filter_map(Value::as_object_mut) {
        if let Some(constant) = branch.get("const").cloned() {
            branch.entry("title").or_insert(constant);
        }
    }
}

fn paths<'a>(api: &FamilyApi, routes: impl Iterator<Item = &'a Route>, schemas: &mut SchemaGenerator) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in routes {
        let item = paths.entry(&*route.path).or_insert_with(|| json!({}));
        item[route.method.as_str().to_ascii_lowercase()] = operation(api, route, schemas);
    }
    Value::Object(paths)
}

fn tags(routes: &[&Route]) -> Value {
    let mut groups: Vec<_> = routes.iter().map(|route| route.group).collect();
    groups.sort_unstable();
    groups.dedup_by_key(|group| group.tag());
    groups.into_iter().map(|group| json!({ "name": group.tag(), "description": group.description() })).collect()
}
