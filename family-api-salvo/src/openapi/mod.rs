//! Builds the OpenAPI 3.1 document from the list of routes and the schemas of the types of core.

mod components;
mod description;
mod merge;
mod operation;
mod referenced;
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
use description::description;
use merge::merge;
use operation::operation;
use referenced::remove_unreferenced;
use resources::resource_operations;
use tags::tags;

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
            "description": description(api, routes),
        },
        "tags": tags(routes),
        "paths": paths,
        "components": components(api, routes, session_header, schemas),
    });
    for fragment in fragments {
        merge(&mut document, fragment);
    }
    remove_unreferenced(&mut document, fragments);
    document
}

fn generator() -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.definitions_path = "/components/schemas".into();
    let settings = settings.with_transform(RecursiveTransform(list_constants));
    settings.with_transform(RecursiveTransform(use_signed_formats)).into_generator()
}

/// Replaces the formats of unsigned integers, which some generators do not know. `minimum` excludes negative numbers.
fn use_signed_formats(schema: &mut Schema) {
    let signed = match schema.get("format").and_then(Value::as_str) {
        Some("uint8" | "uint16") => "int32",
        Some("uint" | "uint32" | "uint64") => "int64",
        _ => return,
    };
    schema.insert("format".to_owned(), signed.into());
}

/// Replaces a union of constant strings by an `enum`, from which generators of clients make an enumeration. Adds the
/// descriptions of the constants to that of the schema.
fn list_constants(schema: &mut Schema) {
    let Some(branches) = schema.get("oneOf").and_then(Value::as_array) else { return };
    let constants: Option<Vec<&str>> = branches.iter().map(|branch| branch.get("const")?.as_str()).collect();
    let Some(constants) = constants else { return };
    let mut lines = Vec::new();
    for (constant, branch) in constants.iter().zip(branches) {
        let text = branch.get("description").and_then(Value::as_str).unwrap_or_default();
        if !text.is_empty() && text.trim_matches('`') != *constant {
            lines.push(format!("- `{constant}`: {text}"));
        }
    }
    let paragraphs = schema.get("description").and_then(Value::as_str).map(str::to_owned);
    let paragraphs = paragraphs.into_iter().chain((!lines.is_empty()).then(|| lines.join("\n")));
    let description = paragraphs.collect::<Vec<_>>().join("\n\n");
    let constants = Value::from(constants);
    schema.remove("oneOf");
    schema.insert("type".to_owned(), "string".into());
    schema.insert("enum".to_owned(), constants);
    if !description.is_empty() {
        schema.insert("description".to_owned(), description.into());
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
