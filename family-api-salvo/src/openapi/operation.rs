//! Builds one operation of the OpenAPI document.

use family_api_core::resource::{RecordKind, ResourceKind, Verb};
use family_api_core::storage::Capabilities;
use family_api_core::{ErrorCode, FamilyApi, Problem};
use salvo::http::Method;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use crate::MediaTypes;
use crate::response_content::json_rpc_response;
use crate::route::{Access, Action, ConditionalHeader, Route};

pub(super) fn operation(api: &FamilyApi, route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "tags": [route.group.tag()],
        "security": security(&route.access),
        "parameters": parameters(api, route),
        "responses": responses(api, route, schemas),
    });
    if let Some(body) = &route.request {
        let reference = json!({ "$ref": format!("#/components/schemas/{}", body.name) });
        let content = request_content(route, &json!({ "schema": reference }));
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    operation
}

/// Returns the security scheme and the required scope.
fn security(access: &Access) -> Value {
    match access {
        Access::Token { scope, .. } => json!([{ "bearer": [scope] }]),
        Access::Session => json!([{ "session": [] }]),
        Access::Public => json!([]),
    }
}

fn parameters(api: &FamilyApi, route: &Route) -> Value {
    let path_parameters = [("{id}", "Id"), ("{start}", "Start"), ("{resource}", "Resource"), ("{file}", "File")];
    let in_path =
        path_parameters.into_iter().filter(|(parameter, _)| route.path.contains(parameter)).map(|(_, name)| name);
    let query = query_parameters(route.action).iter().copied();
    let query = query.filter(|name| is_kept(api.capabilities(), name));
    let condition = route.conditional_header().map(|condition| match condition {
        ConditionalHeader::IfNoneMatch => "IfNoneMatch",
        ConditionalHeader::IfMatch => "IfMatch",
    });
    let idempotency = route.is_creation().then_some("IdempotencyKey");
    let names = in_path.chain(query).chain(condition).chain(idempotency).chain(["RequestId"]);
    names.map(|name| json!({ "$ref": format!("#/components/parameters/{name}") })).collect()
}

/// Returns the query parameters of an action of a storage that keeps everything.
const fn query_parameters(action: Action) -> &'static [&'static str] {
    match action {
        Action::Read(None) => &["From", "To", "Expand", "Completed"],
        Action::Read(Some(ResourceKind::Tasks)) => &["Completed"],
        Action::Read(Some(ResourceKind::Events)) => &["From", "To", "Expand"],
        Action::Overview => &["Person", "Days"],
        Action::DeleteChecked => &["Checked"],
        Action::WriteOccurrence(Verb::Update | Verb::Delete) => &["OccurrenceScope"],
        Action::List(RecordKind::Task) => {
            &["Board", "Column", "Assignee", "Completed", "DueFrom", "DueTo", "Overdue", "Text", "Limit", "Cursor"]
        }
        Action::List(RecordKind::ShoppingItem) => &["List", "CheckedItems", "ItemText", "Limit", "Cursor"],
        Action::ListDeleted => &["Kind", "Limit", "Cursor"],
        Action::ListChanges => &["Since", "Kinds", "ChangeLimit"],
        Action::Read(Some(_))
        | Action::Find(_)
        | Action::List(_)
        | Action::ListMembers
        | Action::Write(..)
        | Action::WriteOccurrence(_)
        | Action::Batch
        | Action::Other => &[],
    }
}

/// Returns whether the storage keeps what a query parameter selects by.
fn is_kept(capabilities: &Capabilities, parameter: &str) -> bool {
    let keeps =
        |kind: RecordKind, field| capabilities.keeps_resource(kind.resource()) && capabilities.keeps_field(kind, field);
    let keeps_task_field = |field| keeps(RecordKind::Task, field);
    match parameter {
        "Person" => {
            let keeps_event_field = |field| keeps(RecordKind::Event, field);
            keeps_task_field("assigneeId") || keeps_event_field("assigneeId") || keeps_event_field("participantIds")
        }
        "From" | "To" | "Expand" | "Days" => capabilities.keeps_resource(ResourceKind::Events),
        "Completed" => keeps_task_field("completed"),
        "Board" => capabilities.keeps_kind(RecordKind::Board),
        "Column" => capabilities.keeps_kind(RecordKind::Column),
        "Assignee" => keeps_task_field("assigneeId"),
        "DueFrom" | "DueTo" | "Overdue" => keeps_task_field("dueDate"),
        "List" => capabilities.keeps_kind(RecordKind::ShoppingList),
        "CheckedItems" => capabilities.keeps_field(RecordKind::ShoppingItem, "checked"),
        _ => true,
    }
}

fn request_content(route: &Route, content: &Value) -> Value {
    let types = if route.method == Method::PATCH { MediaTypes::JsonOrMergePatch } else { MediaTypes::Json };
    types.names().iter().map(|name| ((*name).to_owned(), content.clone())).collect::<Map<_, _>>().into()
}

fn responses(api: &FamilyApi, route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let mut responses = Map::new();
    responses.insert(route.status.to_string(), success(api, route, route.status, schemas));
    let is_change = matches!(route.action, Action::WriteOccurrence(Verb::Update));
    if is_change && api.capabilities().supports(RecordKind::Event, Verb::Create) {
        let mut split = success(api, route, 201, schemas);
        split["description"] = "Splits the event, and returns the event that was created".into();
        responses.insert("201".to_owned(), split);
    }
    if route.is_docs() {
        responses.insert("308".to_owned(), redirect(route));
    }
    if route.conditional_header() == Some(ConditionalHeader::IfNoneMatch) {
        responses.insert("304".to_owned(), not_modified(api, route));
    }
    let codes = route.errors();
    for status in codes.iter().map(|code| code.status()) {
        let same_status: Vec<ErrorCode> = codes.iter().copied().filter(|code| code.status() == status).collect();
        responses.insert(status.to_string(), problem(route, status, &same_status, schemas));
    }
    if route.is_mcp() {
        add_mcp_responses(route, &mut responses);
    }
    responses.into()
}

/// Adds the responses that are not problems: 202 to a notification, and JSON-RPC errors with 400 or 404.
fn add_mcp_responses(route: &Route, responses: &mut Map<String, Value>) {
    responses.insert(
        "202".to_owned(),
        json!({ "description": "The notification was accepted", "headers": headers(route, &[]) }),
    );
    for (status, description) in [("400", "Bad Request"), ("404", "The method does not exist")] {
        let response = responses
            .entry(status)
            .or_insert_with(|| json!({ "description": description, "headers": headers(route, &[]), "content": {} }));
        response["content"]["application/json"] = json!({ "schema": json_rpc_response() });
    }
}

fn success(api: &FamilyApi, route: &Route, status: u16, schemas: &mut SchemaGenerator) -> Value {
    let mut specific: Vec<&str> = match (route.action, status) {
        (Action::Read(None | Some(ResourceKind::Events)), _)
            if api.capabilities().keeps_resource(ResourceKind::Events) =>
        {
            vec!["ETag", "Family-Api-Truncated"]
        }
        (Action::WriteOccurrence(_), 201) => vec!["Location", "ETag"],
        _ if route.is_creation() => vec!["Location", "ETag"],
        (_, 201) => vec!["Location"],
        _ if route.is_versioned() => vec!["ETag"],
        _ => Vec::new(),
    };
    if has_times(api.capabilities(), route.action) {
        specific.push("Family-Api-Notice");
    }
    if has_state(api.capabilities(), route.action) {
        specific.push("Family-State");
    }
    let schema = match route.action {
        Action::Read(Some(resource)) => resource.schema(schemas),
        _ => (route.response.schema)(api, schemas),
    };
    json!({
        "description": route.summary,
        "headers": headers(route, &specific),
        "content": { (route.response.media_type): { "schema": schema } },
    })
}

/// Returns whether the response to a read has the state of the family's data.
const fn has_state(capabilities: &Capabilities, action: Action) -> bool {
    capabilities.keeps_changes() && matches!(action, Action::Read(_))
}

/// Returns whether the body of an operation can have times, which the response can have notices about.
fn has_times(capabilities: &Capabilities, action: Action) -> bool {
    match action {
        Action::Write(RecordKind::Event, Verb::Create | Verb::Update) | Action::WriteOccurrence(Verb::Update) => true,
        Action::Write(RecordKind::Task, Verb::Create | Verb::Update) => {
            capabilities.keeps_field(RecordKind::Task, "dueDate")
        }
        _ => false,
    }
}

/// The redirect of `/docs` to `/docs/`.
fn redirect(route: &Route) -> Value {
    json!({ "description": "The same path with a trailing slash", "headers": headers(route, &["Location"]) })
}

fn not_modified(api: &FamilyApi, route: &Route) -> Value {
    let specific: &[&str] =
        if has_state(api.capabilities(), route.action) { &["ETag", "Family-State"] } else { &["ETag"] };
    json!({ "description": "The client's copy is current", "headers": headers(route, specific) })
}

/// Returns the problem response of a status, with the error codes that can occur with this status.
fn problem(route: &Route, status: u16, codes: &[ErrorCode], schemas: &mut SchemaGenerator) -> Value {
    let mut names: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
    names.dedup();
    let specific: &[&str] = match (status, &route.access) {
        (401, Access::Token { .. }) => &["WWW-Authenticate"],
        (429 | 503, _) => &["Retry-After"],
        _ => &[],
    };
    let mut headers = headers(route, specific);
    if codes.contains(&ErrorCode::McpScope) {
        headers["WWW-Authenticate"] = json!({
            "description": "The scopes with which the client can ask its user again, if there are any (RFC 6750).",
            "schema": { "type": "string" },
        });
    }
    json!({
        "description": format!("{}: {}", codes.first().map_or("", |code| code.title()), names.join(", ")),
        "headers": headers,
        "content": { (Problem::MEDIA_TYPE): { "schema": {
            "allOf": [schemas.subschema_for::<Problem>()],
            "properties": { "status": { "const": status }, "code": { "enum": names } },
        } } },
    })
}

fn headers(route: &Route, specific: &[&str]) -> Value {
    let limits: &[&str] = match route.access {
        Access::Token { .. } => &["RateLimit-Policy", "RateLimit"],
        Access::Session | Access::Public => &[],
    };
    let names = specific.iter().chain(limits).chain(&["X-Request-Id"]);
    names
        .map(|name| ((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{name}") })))
        .collect::<Map<_, _>>()
        .into()
}
