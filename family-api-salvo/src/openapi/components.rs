//! Builds the `components` of the OpenAPI document.

use family_api_core::key::Scope;
use family_api_core::resource::{RecordKind, ResourceKind, Verb};
use family_api_core::storage::Capabilities;
use family_api_core::{ErrorCode, FamilyApi, Problem, for_each_kind};
use salvo::http::HeaderName;
use salvo::http::header::COOKIE;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::route::{Access, Action, Route, RouteGroup};

/// The parameters, headers and the scheme of keys. The document has those that an operation refers to.
const FIXED: &str = include_str!("components.json");

pub(super) fn components(
    api: &FamilyApi,
    routes: &[&Route],
    session_header: &HeaderName,
    schemas: SchemaGenerator,
) -> Value {
    // The file is part of this crate. Tests compare the whole document with a snapshot.
    let mut components: Value = serde_json::from_str(FIXED).unwrap_or_default();
    components["securitySchemes"]["session"] = session_scheme(session_header);
    if let Some(all) = components["schemas"].as_object_mut() {
        all.extend(all_schemas(api, routes, schemas));
        list_kept(api, routes, all);
    }
    components
}

/// Lists only the resources, kinds and scopes of the mounted routes.
fn list_kept(api: &FamilyApi, routes: &[&Route], schemas: &mut Map<String, Value>) {
    let capabilities = api.capabilities();
    let mut list = |schema, keyword, names| {
        if let Some(schema) = schemas.get_mut(schema) {
            schema[keyword] = names;
        }
    };
    list("ResourceName", "enum", capabilities.resources().map(ResourceKind::as_str).collect());
    let restorable = RecordKind::ALL.into_iter().filter(|kind| capabilities.supports(*kind, Verb::Restore));
    list("RestorableKind", "enum", restorable.map(RecordKind::as_str).collect());
    let is_required = |scope: &Scope| {
        routes.iter().any(|route| matches!(&route.access, Access::Token { scope: required, .. } if required == scope))
    };
    list("Scope", "examples", Scope::KNOWN.iter().filter(|scope| is_required(scope)).map(Scope::as_str).collect());
    list_kept_kinds(capabilities, schemas);
}

/// Lists only the kinds of records that the storage keeps, with their schemas.
fn list_kept_kinds(capabilities: &Capabilities, schemas: &mut Map<String, Value>) {
    let kept: Vec<_> = RecordKind::ALL.into_iter().filter(|kind| capabilities.keeps_kind(*kind)).collect();
    for name in ["ChangedRecord", "DeletedRecordId"] {
        if let Some(kind) = schemas.get_mut(name).and_then(|schema| schema.pointer_mut("/properties/kind")) {
            kind["examples"] = kept.iter().map(|kind| kind.as_str()).collect();
        }
    }
    let records = schemas.get_mut("ChangedRecord").and_then(|record| record.pointer_mut("/properties/record/anyOf"));
    if let Some(records) = records.and_then(Value::as_array_mut) {
        let lost = schemas_of_lost_kinds(capabilities);
        records.retain(|record| !lost.iter().any(|reference| record["$ref"] == *reference));
    }
}

/// Returns the references to the schemas of the kinds of records that the storage does not keep.
fn schemas_of_lost_kinds(capabilities: &Capabilities) -> Vec<String> {
    macro_rules! schema_of_each_kind {
        ($($method:ident: $Record:ident,)*) => {
            [$((RecordKind::$Record, family_api_core::resource::$Record::schema_name()),)*]
        };
    }
    let schemas = for_each_kind!(schema_of_each_kind).into_iter();
    let lost = schemas.filter(|(kind, _)| !capabilities.keeps_kind(*kind));
    lost.map(|(_, name)| format!("#/components/schemas/{name}")).collect()
}

fn all_schemas(api: &FamilyApi, routes: &[&Route], mut schemas: SchemaGenerator) -> Map<String, Value> {
    schemas.subschema_for::<Problem>();
    let mut all = schemas.take_definitions(true);
    let enumerations: Vec<Enumeration> = all.iter().filter_map(Enumeration::of).collect();
    for body in routes.iter().filter_map(|route| route.request.as_ref()) {
        let mut schema = (body.schema)(api);
        refer_to(&enumerations, &mut schema);
        all.insert(body.name.clone().into_owned(), schema);
    }
    if let Some(code) = all.get_mut("Problem").and_then(|problem| problem.pointer_mut("/properties/code")) {
        code["enum"] = error_codes(routes);
    }
    all
}

/// A schema that lists constants.
struct Enumeration {
    name: String,
    constants: Value,
}

impl Enumeration {
    fn of((name, schema): (&String, &Value)) -> Option<Self> {
        Some(Self { name: name.clone(), constants: schema.get("enum")?.clone() })
    }
}

/// Replaces the constants of fields by a reference to the schema that lists the same constants, so that generators of
/// clients make one type.
fn refer_to(enumerations: &[Enumeration], body: &mut Value) {
    for form in body.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten() {
        refer_to(enumerations, form);
    }
    let fields = body.get_mut("properties").and_then(Value::as_object_mut);
    for field in fields.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
        let Some(constants) = field.get("enum") else { continue };
        if let Some(same) = enumerations.iter().find(|enumeration| enumeration.constants == *constants) {
            field.retain(|name, _| name == "description" || name == "examples");
            field.insert("$ref".to_owned(), format!("#/components/schemas/{}", same.name).into());
        }
    }
}

/// Returns every error code once. `ErrorCode::ALL` contains two of them twice: for 401 and for 403.
///
/// The codes of connections, of calendar feeds and of changes are listed only if these are mounted.
fn error_codes(routes: &[&Route]) -> Value {
    let has = |group: RouteGroup| routes.iter().any(|route| route.group == group);
    let is_possible = |code: &ErrorCode| match code {
        ErrorCode::ConnectionLimitReached | ErrorCode::ConsentUsed => has(RouteGroup::Connections),
        ErrorCode::FeedLimitReached => has(RouteGroup::Feeds),
        ErrorCode::SyncExpired => routes.iter().any(|route| route.action == Action::ListChanges),
        _ => true,
    };
    let mut names: Vec<&str> = ErrorCode::ALL.into_iter().filter(is_possible).map(ErrorCode::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names.into()
}

fn session_scheme(session_header: &HeaderName) -> Value {
    let (location, name) =
        if session_header == COOKIE { ("cookie", "session") } else { ("header", session_header.as_str()) };
    json!({ "type": "apiKey", "in": location, "name": name, "description": "The session of a signed-in user." })
}
