//! The routes and fields of an application whose storage keeps only some of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use family_api_core::resource::{RecordKind, ResourceKind, Verb};
use family_api_core::storage::Capabilities;
use family_api_salvo::FamilyRoutes;
use salvo::Router;
use salvo::http::Method;
use serde_json::{Value, json};

use crate::fault_sweep::FaultInjection;
use crate::openapi::{assert_each_component_is_used, assert_references_resolve, document, operations, scope};
use crate::openapi_conformance::{fill_template, send_authorized};
use crate::storages::{OnStorage, StorageKind};
#[cfg(feature = "pages")]
use crate::support::session;
use crate::support::{App, bearer};

async fn app(capabilities: Capabilities) -> App {
    App::with_storage(Arc::new(FaultInjection::in_memory().await.with_capabilities(capabilities)))
}

#[tokio::test]
async fn operations_that_the_storage_does_not_support_do_not_exist() {
    let app = app(Capabilities::updates().with(RecordKind::Event, Verb::Create)).await;
    let complete = document(&App::on(StorageKind::Memory).await).await;
    let document = document(&app).await;
    let supported: BTreeSet<_> = operations(&document).into_iter().map(|(method, path, _)| (method, path)).collect();
    let others = ["/users/", "/read/", "/batch"];
    let is_record = |path: &str| path.starts_with("/api/") && !others.iter().any(|other| path.contains(other));
    let writes: Vec<&str> = supported
        .iter()
        .filter(|(method, path)| method != "get" && is_record(path))
        .map(|(method, _)| method.as_str())
        .collect();
    // Each of the four operations with a token and in a session.
    assert_eq!(writes.len(), 8, "{supported:?}");
    for (method, path, _) in operations(&complete) {
        if supported.contains(&(method.clone(), path.clone())) || !is_record(&path) {
            continue;
        }
        let response = send_authorized(&app, &method, &fill_template(&path), Some("{}")).await;
        let others: Vec<_> = supported.iter().filter(|(_, other)| *other == path).collect();
        if others.is_empty() {
            assert_eq!(response.status, 404, "{method} {path}: {response:?}");
        } else {
            response.assert_problem(405, "method_not_allowed");
        }
    }
    let delete = bearer("ann-full", Method::DELETE, "/api/v1/tasks/task-berg");
    assert_eq!(
        app.send(delete).await.assert_problem(405, "method_not_allowed").header("allow"),
        Some("GET, HEAD, PATCH")
    );
    for base in ["/api", "/api/v1"] {
        let event = r#"{"title":"x","startDate":"2026-12-24","endDate":"2026-12-24"}"#;
        assert_eq!(send_authorized(&app, "post", &format!("{base}/events"), Some(event)).await.status, 201);
        send_authorized(&app, "patch", &format!("{base}/tasks/task-berg"), Some("{}")).await.assert_ok();
    }
}

#[tokio::test]
async fn a_resource_that_the_storage_does_not_keep_is_unknown() {
    let app = app(Capabilities::all().without_resource(ResourceKind::Shopping)).await;
    app.send(bearer("ann-full", Method::GET, "/api/v1/read/shopping")).await.assert_problem(404, "not_found");
    app.send(bearer("ann-full", Method::GET, "/api/v1/read/notes")).await.assert_ok();
    let document = document(&app).await;
    let is_shopping = |path: &str| path.contains("shopping");
    assert!(operations(&document).iter().all(|(_, path, _)| !is_shopping(path)));
    let schemas = document["components"]["schemas"].as_object().unwrap();
    assert!(schemas.keys().all(|name| !name.contains("Shopping")), "{:?}", schemas.keys());
    assert_eq!(schemas["ResourceName"]["enum"], json!(["tasks", "events", "notes", "task_stats"]));
}

/// Returns the capabilities of a storage with only these resources.
fn only(kept: Capabilities, resources: &[ResourceKind]) -> Capabilities {
    let others = ResourceKind::ALL.into_iter().filter(|resource| !resources.contains(resource));
    others.fold(kept, Capabilities::without_resource)
}

#[tokio::test]
async fn the_document_has_only_the_components_that_an_operation_needs() {
    let calendar = only(Capabilities::reads(), &[ResourceKind::Events]);
    for kept in [Capabilities::all(), Capabilities::flat(), calendar, only(Capabilities::reads(), &[])] {
        let app = app(kept.clone()).await;
        for app in [
            app.configured(|routes| routes),
            app.configured(FamilyRoutes::without_v1),
            app.configured(|routes| routes.without_keys().without_records().without_read_path()),
            app.with_routes(|api| Router::new().push(FamilyRoutes::new(api).into_router())),
        ] {
            let document = document(&app).await;
            assert_references_resolve(&document, &document);
            assert_each_component_is_used(&document);
        }
    }
}

#[tokio::test]
async fn the_document_names_only_what_the_storage_keeps() {
    let app = async |kept| document(&app(kept).await).await;
    let calendar = app(only(Capabilities::reads(), &[ResourceKind::Events])).await;
    let description = |document: &Value| document["info"]["description"].as_str().unwrap().to_owned();
    assert!(description(&calendar).starts_with("A family's events for integrations. Errors"));
    assert_eq!(calendar["tags"][0]["description"].as_str().unwrap().split('.').next(), Some("Reads with a token"));
    assert_eq!(calendar["components"]["schemas"]["Scope"]["examples"], json!(["mcp.read", "v1.read"]));
    assert!(calendar["components"]["parameters"]["Completed"].is_null());

    let keys = app(only(Capabilities::reads(), &[])).await;
    assert!(description(&keys).starts_with("A family's profiles and integration keys for integrations. Errors"));
    assert!(description(&keys).contains(" Below `/api/v1`, an unknown path"));

    let flat = app(Capabilities::flat()).await;
    assert!(description(&flat).starts_with("A family's tasks, events, shopping items, notes and task statistics for"));
    for parameter in ["Board", "Column", "Kind", "List"] {
        assert!(flat["components"]["parameters"][parameter].is_null(), "{parameter}");
    }
    for parameter in ["Assignee", "CheckedItems", "Completed", "DueTo", "Expand", "Limit", "Resource"] {
        assert!(flat["components"]["parameters"][parameter].is_object(), "{parameter}");
    }
    let without_due_dates = app(Capabilities::flat().without_field(RecordKind::Task, "dueDate")).await;
    assert!(without_due_dates["components"]["parameters"]["DueTo"].is_null());

    let restorable = app(Capabilities::all().without(RecordKind::Event, Verb::Restore)).await;
    let kinds = &restorable["components"]["schemas"]["RestorableKind"]["enum"];
    assert_eq!(*kinds, json!(["task", "note", "shopping_item"]));
}

#[tokio::test]
async fn the_document_has_no_field_that_the_storage_does_not_keep() {
    let capabilities = Capabilities::all().without_field(RecordKind::Task, "labels");
    let app = app(capabilities.without_field(RecordKind::Task, "columnId")).await;
    let schemas = &document(&app).await["components"]["schemas"];
    // A move needs `columnId`.
    assert_eq!(schemas["TaskUpdate"]["oneOf"].as_array().unwrap().len(), 1);
    for schema in [&schemas["NewTask"], &schemas["TaskUpdate"]["oneOf"][0]] {
        for part in ["properties", "example"] {
            assert!(schema[part].get("title").is_some(), "{schema}");
            assert!(schema[part].get("labels").is_none() && schema[part].get("columnId").is_none(), "{schema}");
        }
    }
}

#[tokio::test]
async fn the_document_has_no_route_of_a_mode_that_the_host_does_not_offer() {
    let further = ["v1.tasks.manage", "v1.notes.manage", "v1.events.write", "v1.shopping.write", "v1.boards.manage"];
    for is_offered in [false, true] {
        let app = App::with_api(StorageKind::Memory, |api| api.full_access(is_offered)).await;
        let document = document(&app).await;
        let operations = operations(&document);
        let scopes: BTreeSet<&str> = operations.iter().filter_map(|(_, _, operation)| scope(operation)).collect();
        assert!(["mcp.read", "v1.read", "v1.tasks.write", "v1.notes.write"].iter().all(|scope| scopes.contains(scope)));
        assert!(further.iter().all(|scope| scopes.contains(scope) == is_offered), "{scopes:?}");
        // The mode of a key that exists can be any mode.
        let schemas = &document["components"]["schemas"];
        assert!(schemas["KeyMode"]["enum"].as_array().unwrap().contains(&json!("v1_full")));
        let mode = &schemas["KeyDraft"]["properties"]["mode"];
        let expected = json!(["mcp_read", "v1_read", "v1_read_write"]);
        assert_eq!(mode["$ref"] == "#/components/schemas/KeyMode", is_offered, "{mode}");
        assert_eq!(mode["enum"] == expected, !is_offered, "{mode}");
        assert!(document["paths"]["/api/events"]["post"].is_object());
        // The route itself stays: a key that already has the scope can be used.
        let created = bearer("ann-full", Method::POST, "/api/v1/tasks").raw_json(r#"{"title":"Mop"}"#);
        assert_eq!(app.send(created).await.status, 201);
        let refused = bearer("ann-rw", Method::POST, "/api/v1/tasks").raw_json(r#"{"title":"Mop"}"#);
        app.send(refused).await.assert_problem(401, "insufficient_scope");
    }
}

#[tokio::test]
async fn a_field_that_the_storage_does_not_keep_is_reported() {
    let app = app(Capabilities::all().without_field(RecordKind::Task, "labels")).await;
    let before = app.snapshot().await;
    for (method, path) in [(Method::PATCH, "/api/v1/tasks/task-berg"), (Method::POST, "/api/v1/tasks")] {
        let request = bearer("ann-full", method, path).raw_json(r#"{"title":"Dust","labels":["x"]}"#);
        assert_eq!(app.send(request).await.error_pointers(), ["/labels"], "{path}");
    }
    assert_eq!(app.snapshot().await, before);
}

#[cfg(feature = "pages")]
#[tokio::test]
async fn the_page_of_deleted_records_exists_only_if_the_storage_keeps_them() {
    use family_api_salvo::Pages;

    let pages = || Pages::at("/keys").deleted_at("/deleted");
    for (capabilities, status) in [(Capabilities::updates(), 404), (Capabilities::all(), 200)] {
        let app = app(capabilities).await;
        let app = app.configured(|routes| routes.pages(pages()));
        assert_eq!(app.send(session("ann", Method::GET, "/deleted")).await.status, status);
        let keys = app.send(session("ann", Method::GET, "/keys")).await;
        assert_eq!(keys.status, 200);
        assert_eq!(keys.text().contains("Recently deleted"), status == 200);
    }
}
