//! The `components` of the document.

use family_api_core::resource::ResourceKind;
use family_api_core::{ErrorCode, Problem};
use salvo::http::HeaderName;
use salvo::http::header::COOKIE;
use schemars::SchemaGenerator;
use serde_json::{Value, json};

use crate::route::{Part, Route};

pub(super) fn components(routes: &[&Route], session_header: &HeaderName, schemas: SchemaGenerator) -> Value {
    json!({
        "schemas": all_schemas(routes, schemas),
        "parameters": parameters(),
        "headers": headers(),
        "responses": { "MethodNotAllowed": method_not_allowed() },
        "securitySchemes": security_schemes(session_header),
    })
}

fn all_schemas(routes: &[&Route], mut schemas: SchemaGenerator) -> Value {
    schemas.subschema_for::<Problem>();
    let mut all = schemas.take_definitions(true);
    for body in routes.iter().filter_map(|route| route.request.as_ref()) {
        all.insert(body.name.to_owned(), (body.schema)());
    }
    if let Some(code) = all.get_mut("Problem").and_then(|problem| problem.pointer_mut("/properties/code")) {
        code["enum"] = codes();
    }
    all.into()
}

/// Returns every error code once. `api_disabled` has two rows in the table.
fn codes() -> Value {
    let mut names = ErrorCode::ALL.map(ErrorCode::as_str).to_vec();
    names.sort_unstable();
    names.dedup();
    names.into()
}

fn parameters() -> Value {
    let resources = ResourceKind::ALL.map(ResourceKind::as_str);
    json!({
        "Id": path("id", "The id of the record. A value that is not an id gets 404.", &json!({
            "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$",
        })),
        "Resource": path("resource", "The name of the resource.", &json!({ "type": "string", "enum": resources })),
        "File": path("file", "The file's name.", &json!({ "type": "string" })),
        "From": day("from", "Events only: returns events that start on this day, in the profile's time zone, or later."),
        "To": day("to", "Events only: returns events that end on this day, in the profile's time zone, or earlier."),
        "Completed": {
            "name": "completed", "in": "query", "schema": { "type": "string", "enum": ["true", "false", "all"] },
            "description": "Tasks only: `true` returns completed tasks, `false` open tasks, `all` both. Default: `false`.",
        },
        "IfNoneMatch": tags("If-None-Match", "The `ETag` of the client's copy. The response is 304 if the copy is still current."),
        "IfMatch": tags("If-Match", "The `ETag` of an earlier PATCH of this record, or `*`. Another version gets 412. The `ETag` of a list matches no record."),
        "RequestId": {
            "name": "X-Request-Id", "in": "header", "schema": request_id(),
            "description": "The id of the request. Invalid ids are replaced.",
        },
    })
}

fn path(name: &str, description: &str, schema: &Value) -> Value {
    json!({ "name": name, "in": "path", "required": true, "description": description, "schema": schema })
}

fn day(name: &str, description: &str) -> Value {
    let schema = json!({ "type": "string", "format": "date" });
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}

fn tags(name: &str, description: &str) -> Value {
    json!({ "name": name, "in": "header", "schema": { "type": "string" }, "description": description })
}

fn request_id() -> Value {
    json!({ "type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$" })
}

fn headers() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "X-Request-Id": { "description": "The id of the request.", "required": true, "schema": request_id() },
        "WWW-Authenticate": { "description": "The challenge (RFC 6750).", "required": true, "schema": text },
        "Allow": { "description": "The methods that the path supports.", "required": true, "schema": text },
        "Location": { "description": "The path of the created record.", "required": true, "schema": text },
        "ETag": { "description": "The tag of this version (RFC 9110).", "required": true, "schema": text },
        "RateLimit-Policy": {
            "description": "The number of requests (`q`) that a token may make in a window of seconds (`w`) (draft-ietf-httpapi-ratelimit-headers).",
            "schema": text,
        },
        "RateLimit": { "description": "The remaining requests (`r`), and the seconds until the full quota is available again (`t`).", "schema": text },
        "Retry-After": {
            "description": "The number of seconds to wait before the next attempt.", "required": true,
            "schema": { "type": "integer", "minimum": 1 },
        },
    })
}

/// The response to an unsupported method. No operation refers to it.
fn method_not_allowed() -> Value {
    json!({
        "description": "Method Not Allowed: method_not_allowed",
        "headers": {
            "Allow": { "$ref": "#/components/headers/Allow" },
            "X-Request-Id": { "$ref": "#/components/headers/X-Request-Id" },
        },
        "content": { (Problem::MEDIA_TYPE): { "schema": { "$ref": "#/components/schemas/Problem" } } },
    })
}

fn security_schemes(session_header: &HeaderName) -> Value {
    let (location, name) =
        if session_header == COOKIE { ("cookie", "session") } else { ("header", session_header.as_str()) };
    json!({
        "bearer": {
            "type": "http", "scheme": "bearer",
            "description": "An integration key. Each operation lists the scope that it requires.",
        },
        "session": { "type": "apiKey", "in": location, "name": name, "description": "The session of a signed-in user." },
    })
}

impl Part {
    /// Returns the tag of the part's operations.
    pub(super) const fn tag(self) -> &'static str {
        match self {
            Self::V1 => "Personal API",
            Self::ReadPath => "Read path",
            Self::Profile => "Profile",
            Self::Keys => "Integration keys",
            Self::Records => "Family records",
            Self::OpenApi | Self::Page => "Documentation",
        }
    }

    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::V1 => "Reads and writes with a token. The token's user must have the personal API switched on.",
            Self::ReadPath => "Reads with a token, even if the personal API is switched off.",
            Self::Profile => "The profile of the signed-in user.",
            Self::Keys => "The integration keys of the signed-in user.",
            Self::Records => "The writes of the personal API, for the signed-in user.",
            Self::OpenApi | Self::Page => "This document.",
        }
    }
}
