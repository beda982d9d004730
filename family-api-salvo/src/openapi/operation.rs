//! Builds one operation of the document.

use family_api_core::{ErrorCode, Problem};
use salvo::http::Method;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use crate::MediaTypes;
use crate::route::{Access, Condition, Route};

pub(super) fn operation(route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "tags": [route.part.tag()],
        "security": security(&route.access),
        "parameters": parameters(route),
        "responses": responses(route, schemas),
    });
    if let Some(body) = &route.request {
        let reference = json!({ "$ref": format!("#/components/schemas/{}", body.name) });
        operation["requestBody"] = json!({ "required": true, "content": media(route, &reference) });
    }
    operation
}

/// Returns the security scheme and the required scope.
fn security(access: &Access) -> Value {
    match access {
        Access::Token { scope, .. } => json!([{ "bearer": [scope] }]),
        Access::Session => json!([{ "session": [] }]),
        Access::Open => json!([]),
    }
}

fn parameters(route: &Route) -> Value {
    let by_path = [("{id}", "Id"), ("{resource}", "Resource"), ("{file}", "File")];
    let in_path = by_path.into_iter().filter(|(parameter, _)| route.path.contains(parameter)).map(|(_, name)| name);
    let query: &[&str] = if route.path.contains("{resource}") { &["From", "To", "Completed"] } else { &[] };
    let condition = route.condition().map(|condition| match condition {
        Condition::IfNoneMatch => "IfNoneMatch",
        Condition::IfMatch => "IfMatch",
    });
    let names = in_path.chain(query.iter().copied()).chain(condition).chain(["RequestId"]);
    names.map(|name| json!({ "$ref": format!("#/components/parameters/{name}") })).collect()
}

fn media(route: &Route, schema: &Value) -> Value {
    let types = if route.method == Method::PATCH { MediaTypes::JsonOrMergePatch } else { MediaTypes::Json };
    types.names().iter().map(|name| ((*name).to_owned(), json!({ "schema": schema }))).collect::<Map<_, _>>().into()
}

fn responses(route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let mut responses = Map::new();
    responses.insert(route.status.to_string(), success(route, schemas));
    if route.is_page() {
        responses.insert("308".to_owned(), moved(route));
    }
    if route.condition() == Some(Condition::IfNoneMatch) {
        responses.insert("304".to_owned(), unchanged(route));
    }
    let codes = route.errors();
    for status in codes.iter().map(|code| code.status()) {
        let same_status: Vec<ErrorCode> = codes.iter().copied().filter(|code| code.status() == status).collect();
        responses.insert(status.to_string(), failure(route, status, &same_status, schemas));
    }
    responses.into()
}

fn success(route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let own: &[&str] = match route.status {
        201 => &["Location"],
        _ if route.is_versioned() => &["ETag"],
        _ => &[],
    };
    json!({
        "description": route.summary,
        "headers": headers(route, own),
        "content": { (route.response.media_type): { "schema": (route.response.schema)(schemas) } },
    })
}

/// The redirect of a page to a trailing slash.
fn moved(route: &Route) -> Value {
    json!({ "description": "The same path with a trailing slash", "headers": headers(route, &["Location"]) })
}

fn unchanged(route: &Route) -> Value {
    json!({ "description": "The client's copy is current", "headers": headers(route, &["ETag"]) })
}

/// Returns the problem response with the possible codes of this status.
fn failure(route: &Route, status: u16, codes: &[ErrorCode], schemas: &mut SchemaGenerator) -> Value {
    let mut names: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
    names.dedup();
    let challenged = status == 401 && matches!(route.access, Access::Token { .. });
    let own: &[&str] = match status {
        401 if challenged => &["WWW-Authenticate"],
        429 | 503 => &["Retry-After"],
        _ => &[],
    };
    json!({
        "description": format!("{}: {}", codes.first().map_or("", |code| code.title()), names.join(", ")),
        "headers": headers(route, own),
        "content": { (Problem::MEDIA_TYPE): { "schema": {
            "allOf": [schemas.subschema_for::<Problem>()],
            "properties": { "status": { "const": status }, "code": { "enum": names } },
        } } },
    })
}

fn headers(route: &Route, own: &[&str]) -> Value {
    let limits: &[&str] = match route.access {
        Access::Token { .. } => &["RateLimit-Policy", "RateLimit"],
        Access::Session | Access::Open => &[],
    };
    let names = own.iter().chain(limits).chain(&["X-Request-Id"]);
    names
        .map(|name| ((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{name}") })))
        .collect::<Map<_, _>>()
        .into()
}
