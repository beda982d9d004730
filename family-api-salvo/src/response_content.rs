//! The media types and schemas of successful responses.

use family_api_core::FamilyApi;
use family_api_core::resource::ResourceKind;
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
}

fn any_resource(api: &FamilyApi, schemas: &mut SchemaGenerator) -> Schema {
    let variant = |kind: ResourceKind| {
        let mut schema = kind.schema(schemas);
        schema.insert("title".to_owned(), kind.as_str().into());
        schema
    };
    let variants: Vec<Schema> = api.capabilities().resources().map(variant).collect();
    // `anyOf` instead of `oneOf`, because an empty list matches all four list types.
    json_schema!({ "anyOf": variants })
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
