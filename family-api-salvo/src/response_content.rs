//! The media types and schemas of successful responses.

use family_api_core::FamilyApi;
use family_api_core::resource::{Board, Event, Note, Occurrence, ResourceKind, ShoppingList, TaskStats};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// The media type of a response and the schema of its body.
#[derive(Clone)]
pub(crate) struct Content {
    pub(crate) media_type: &'static str,
    pub(crate) schema: fn(&FamilyApi, &mut SchemaGenerator) -> Schema,
}

impl Content {
    /// One of the resources that the storage keeps, selected by the path.
    pub(crate) const RESOURCE: Self = Self { media_type: "application/json", schema: any_resource };
    /// An OpenAPI document.
    pub(crate) const DOCUMENT: Self =
        Self { media_type: "application/json", schema: |_, _| json_schema!({ "type": "object" }) };
    /// A JSON-RPC response.
    #[cfg(feature = "mcp")]
    pub(crate) const MCP_MESSAGE: Self = Self { media_type: "application/json", schema: |_, _| json_rpc_response() };
    /// An HTML page.
    #[cfg(feature = "docs")]
    pub(crate) const HTML: Self = Self { media_type: "text/html", schema: |_, _| json_schema!({ "type": "string" }) };
    /// A file of any type.
    #[cfg(feature = "docs")]
    pub(crate) const FILE: Self = Self { media_type: "*/*", schema: |_, _| json_schema!({}) };

    /// A JSON value of this type.
    pub(crate) const fn json<T: JsonSchema>() -> Self {
        Self { media_type: "application/json", schema: |_, schemas| schemas.subschema_for::<T>() }
    }

    /// This resource.
    pub(crate) const fn resource(kind: ResourceKind) -> Self {
        match kind {
            ResourceKind::Tasks => Self::json::<Vec<Board>>(),
            ResourceKind::Events => Self { media_type: "application/json", schema: events },
            ResourceKind::Shopping => Self::json::<Vec<ShoppingList>>(),
            ResourceKind::Notes => Self::json::<Vec<Note>>(),
            ResourceKind::TaskStats => Self::json::<TaskStats>(),
        }
    }
}

fn any_resource(api: &FamilyApi, schemas: &mut SchemaGenerator) -> Schema {
    let kept = api.capabilities().resources();
    let variants: Vec<Schema> =
        kept.map(|kind| titled(kind.as_str(), (Content::resource(kind).schema)(api, schemas))).collect();
    // `anyOf` instead of `oneOf`, because an empty list matches all four list types.
    json_schema!({ "anyOf": variants })
}

fn events(_: &FamilyApi, schemas: &mut SchemaGenerator) -> Schema {
    let variants = [
        titled("events", schemas.subschema_for::<Vec<Event>>()),
        titled("events with expand=true", schemas.subschema_for::<Vec<Occurrence>>()),
    ];
    json_schema!({ "anyOf": variants })
}

fn titled(resource: &str, mut schema: Schema) -> Schema {
    schema.insert("title".to_owned(), resource.into());
    schema
}

/// Returns the schema of a JSON-RPC response, with a result or an error.
pub(super) fn json_rpc_response() -> Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "jsonrpc": { "const": "2.0" },
            "id": { "type": ["string", "integer", "null"] },
            "result": { "type": "object" },
            "error": { "type": "object" },
        },
        "required": ["jsonrpc"],
    })
}
