//! Builds the `components` of the OpenAPI document.

use family_api_core::resource::ResourceKind;
use family_api_core::{ErrorCode, FamilyApi, Problem};
use salvo::http::HeaderName;
use salvo::http::header::COOKIE;
use schemars::SchemaGenerator;
use serde_json::{Value, json};

use crate::route::{Route, RouteGroup};

pub(super) fn components(
    api: &FamilyApi,
    routes: &[&Route],
    session_header: &HeaderName,
    schemas: SchemaGenerator,
) -> Value {
    json!({
        "schemas": all_schemas(api, routes, schemas),
        "parameters": parameters(api),
        "headers": headers(),
        "responses": { "MethodNotAllowed": method_not_allowed() },
        "securitySchemes": security_schemes(session_header),
    })
}

fn all_schemas(api: &FamilyApi, routes: &[&Route], mut schemas: SchemaGenerator) -> Value {
    schemas.subschema_for::<Problem>();
    let mut all = schemas.take_definitions(true);
    for body in routes.iter().filter_map(|route| route.request.as_ref()) {
        all.insert(body.name.clone().into_owned(), (body.schema)(api));
    }
    if let Some(code) = all.get_mut("Problem").and_then(|problem| problem.pointer_mut("/properties/code")) {
        code["enum"] = error_codes(routes);
    }
    all.into()
}

/// Returns every error code once. `ErrorCode::ALL` contains `api_disabled` twice: for 401 and for 403.
///
/// Without connections, no response has the codes of their limits.
fn error_codes(routes: &[&Route]) -> Value {
    let has_connections = routes.iter().any(|route| route.group == RouteGroup::Connections);
    let is_possible = |code: &ErrorCode| {
        has_connections || !matches!(code, ErrorCode::ConnectionLimitReached | ErrorCode::ConsentUsed)
    };
    let mut names: Vec<&str> = ErrorCode::ALL.into_iter().filter(is_possible).map(ErrorCode::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names.into()
}

fn parameters(api: &FamilyApi) -> Value {
    let resources: Vec<&str> = api.capabilities().resources().map(ResourceKind::as_str).collect();
    json!({
        "Id": path_parameter("id", "The id of the record. A value that is not a valid id gets 404.", &json!({
            "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$",
        })),
        "Resource": path_parameter("resource", "The name of the resource.", &json!({ "type": "string", "enum": resources })),
        "File": path_parameter("file", "The file's name.", &json!({ "type": "string" })),
        "From": date_parameter("from", "Events only: returns events that start on this day, in the profile's time zone, or later."),
        "To": date_parameter("to", "Events only: returns events that end on this day, in the profile's time zone, or earlier."),
        "Expand": {
            "name": "expand", "in": "query", "schema": { "type": "string", "enum": ["true", "false"] },
            "description": "Events only: `true` returns every occurrence that overlaps the days from `from` to `to`, with recurrences expanded. Both days are then required, and the range has at most 366 days. Default: `false`.",
        },
        "Completed": {
            "name": "completed", "in": "query", "schema": { "type": "string", "enum": ["true", "false", "all"] },
            "description": "Tasks only: `true` returns completed tasks, `false` returns open tasks, `all` returns both. Default: `false`.",
        },
        "Checked": {
            "name": "checked", "in": "query", "required": true, "schema": { "type": "string", "enum": ["true"] },
            "description": "Must be `true`: only checked items can be deleted together.",
        },
        "Kind": {
            "name": "kind", "in": "query",
            "schema": { "type": "string", "enum": ["task", "note", "event", "shopping_item"] },
            "description": "Returns only records of this kind.",
        },
        "Limit": {
            "name": "limit", "in": "query", "schema": { "type": "integer", "minimum": 1, "maximum": 100, "default": 20 },
            "description": "The maximum number of records in the response.",
        },
        "Cursor": {
            "name": "cursor", "in": "query", "schema": { "type": "string", "maxLength": 200 },
            "description": "The `nextCursor` of the previous page. The other parameters must be the same.",
        },
        "IdempotencyKey": {
            "name": "Idempotency-Key", "in": "header",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]{1,255}$" },
            "description": "A key that the client chooses for this creation, such as a UUID. For 24 hours, a request with the same key and the same body returns the record that the first request created. Bodies are the same if they name the same fields with the same values. A field that is left out is not the same as its default or null.",
        },
        "IfNoneMatch": header_parameter("If-None-Match", "The `ETag` of the client's copy. The response is 304 if the copy is still current."),
        "IfMatch": header_parameter("If-Match", "The `ETag` from the response to an earlier write of this record, or `*`. If the record has changed since, the response is 412. The `ETag` of a list matches no record."),
        "RequestId": {
            "name": "X-Request-Id", "in": "header", "schema": request_id(),
            "description": "The id of the request. An invalid id is replaced by a generated id.",
        },
    })
}

fn path_parameter(name: &str, description: &str, schema: &Value) -> Value {
    json!({ "name": name, "in": "path", "required": true, "description": description, "schema": schema })
}

fn date_parameter(name: &str, description: &str) -> Value {
    let schema = json!({ "type": "string", "format": "date" });
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}

fn header_parameter(name: &str, description: &str) -> Value {
    json!({ "name": name, "in": "header", "schema": { "type": "string" }, "description": description })
}

fn request_id() -> Value {
    json!({ "type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$" })
}

fn headers() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "X-Request-Id": { "description": "The id of the request.", "required": true, "schema": request_id() },
        "WWW-Authenticate": { "description": "The reason why the token was refused (RFC 6750).", "required": true, "schema": text },
        "Allow": { "description": "The methods that the path supports.", "required": true, "schema": text },
        "Location": { "description": "The path of the created record.", "required": true, "schema": text },
        "ETag": { "description": "The entity tag of the returned version (RFC 9110).", "required": true, "schema": text },
        "Family-Api-Truncated": {
            "description": "`true` if the response may be incomplete: it has at most 1,000 occurrences and 8 MiB, and the work to expand rules with `COUNT` is bounded.",
            "schema": { "type": "string", "enum": ["true"] },
        },
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

/// The response to an unsupported method. Only `components` lists this response, because it belongs to no operation.
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

impl RouteGroup {
    /// Returns the OpenAPI tag of the group's operations.
    pub(super) const fn tag(self) -> &'static str {
        match self {
            Self::V1 => "Personal API",
            Self::ReadPath => "Read path",
            #[cfg(feature = "mcp")]
            Self::Mcp => "Assistants",
            Self::Profile => "Profile",
            Self::Keys => "Integration keys",
            Self::Connections => "Connections",
            Self::Records => "Family records",
            Self::OpenApi | Self::Page => "Documentation",
        }
    }

    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::V1 => "Reads and writes with a token. The token's user must have the personal API switched on.",
            Self::ReadPath => "Reads with a token. They work even if the personal API is switched off.",
            #[cfg(feature = "mcp")]
            Self::Mcp => "The MCP endpoints. An assistant calls their tools with a token.",
            Self::Profile => "The profile of the signed-in user.",
            Self::Keys => "The integration keys of the signed-in user.",
            Self::Connections => "The assistants that the signed-in user has connected without a key.",
            Self::Records => "Writes of the family's records, for the signed-in user.",
            Self::OpenApi | Self::Page => "This OpenAPI document, and the page that renders it.",
        }
    }
}
