//! What the operations of the document refer to.

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

/// Every code, once: `api_disabled` has two rows in the table.
fn codes() -> Value {
    let mut names = ErrorCode::ALL.map(ErrorCode::as_str).to_vec();
    names.sort_unstable();
    names.dedup();
    names.into()
}

fn parameters() -> Value {
    let resources = ResourceKind::ALL.map(ResourceKind::as_str);
    json!({
        "Id": path("id", "Names the record; what is no id names nothing.", &json!({
            "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$",
        })),
        "Resource": path("resource", "Which resource.", &json!({ "type": "string", "enum": resources })),
        "File": path("file", "The file's name.", &json!({ "type": "string" })),
        "From": day("from", "Events only: those that start on this day of the profile's time zone or later."),
        "To": day("to", "Events only: those that end on this day of the profile's time zone or earlier."),
        "Completed": {
            "name": "completed", "in": "query", "schema": { "type": "string", "enum": ["true", "false", "all"] },
            "description": "Tasks only: `true` for those that are done, `false` for those that are open, or `all`. Default: `false`.",
        },
        "IfNoneMatch": tags("If-None-Match", "What the caller has already: it is answered with 304 while it is so."),
        "IfMatch": tags("If-Match", "The `ETag` of an earlier PATCH of this record, or `*`: another version is 412. A list's names no record."),
        "RequestIdGuard": {
            "name": "X-Request-Id", "in": "header", "schema": request_id(),
            "description": "Names the request; anything else than such an id is replaced.",
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
        "X-Request-Id": { "description": "Names the request.", "required": true, "schema": request_id() },
        "WWW-Authenticate": { "description": "The challenge (RFC 6750).", "required": true, "schema": text },
        "Allow": { "description": "The methods that the path takes.", "required": true, "schema": text },
        "Location": { "description": "The path of what was created.", "required": true, "schema": text },
        "ETag": { "description": "Names this version (RFC 9110).", "required": true, "schema": text },
        "RateLimit-Policy": {
            "description": "How many requests a recognised token may make (draft-ietf-httpapi-ratelimit-headers).",
            "schema": text,
        },
        "RateLimit": { "description": "How many are left (`r`), and in how many seconds all are there again (`t`).", "schema": text },
        "Retry-After": {
            "description": "When to come back, in seconds.", "required": true,
            "schema": { "type": "integer", "minimum": 1 },
        },
    })
}

/// It belongs to no operation: it is the answer to a method that is none.
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
    let (place, name) =
        if session_header == COOKIE { ("cookie", "session") } else { ("header", session_header.as_str()) };
    json!({
        "bearer": {
            "type": "http", "scheme": "bearer",
            "description": "An integration key. Each operation names the scope that it needs.",
        },
        "session": { "type": "apiKey", "in": place, "name": name, "description": "The session of a signed-in user." },
    })
}

impl Part {
    /// The tag of the part's operations.
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
            Self::V1 => "Reads and writes with a token, while its user has the personal API switched on.",
            Self::ReadPath => "Reads with a token, whether or not the personal API is on.",
            Self::Profile => "The signed-in user.",
            Self::Keys => "Tokens of the signed-in user.",
            Self::Records => "The writes of the personal API, for a signed-in user.",
            Self::OpenApi | Self::Page => "This document.",
        }
    }
}
