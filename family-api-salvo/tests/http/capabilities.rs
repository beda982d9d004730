//! The routes and fields of an application whose storage keeps only some of them.

use std::sync::Arc;

use family_api_core::resource::{RecordKind, Verb};
use family_api_core::storage::Capabilities;
use salvo::http::Method;

use crate::fault_sweep::FaultInjection;
use crate::storages::{StorageKind, StorageLocation};
use crate::support::{App, anonymous, bearer, fixture, session};

async fn app(capabilities: Capabilities) -> (App, StorageLocation) {
    let (storage, location) = StorageKind::Memory.fresh().await;
    fixture::seed(&*storage).await;
    let storage = FaultInjection::new(storage).with_capabilities(capabilities);
    (App::with_storage(Arc::new(storage)), location)
}

#[tokio::test]
async fn routes_that_the_storage_does_not_support_do_not_exist() {
    let (app, _location) = app(Capabilities::updates()).await;
    for path in ["/tasks", "/tasks/task-berg/restore", "/notes", "/events", "/shopping-lists/list-berg/items"] {
        let request = bearer("ann-full", Method::POST, &format!("/api/v1{path}")).raw_json("{}");
        app.send(request).await.assert_problem(404, "not_found");
    }
    for path in ["/tasks", "/boards", "/shopping-lists", "/note-categories", "/boards/board-berg/columns"] {
        let request = session("ann", Method::POST, &format!("/api{path}")).raw_json("{}");
        app.send(request).await.assert_problem(404, "not_found");
    }
    let patch = bearer("ann-full", Method::PATCH, "/api/v1/tasks/task-berg").raw_json(r#"{"title":"Dust"}"#);
    app.send(patch).await.assert_ok();
    let delete = bearer("ann-full", Method::DELETE, "/api/v1/tasks/task-berg");
    assert_eq!(app.send(delete).await.assert_problem(405, "method_not_allowed").header("allow"), Some("PATCH"));
}

#[tokio::test]
async fn the_openapi_document_lists_only_supported_routes() {
    let capabilities = Capabilities::updates().with(RecordKind::Event, Verb::Create);
    let (app, _location) = app(capabilities).await;
    let document = app.send(anonymous(Method::GET, "/openapi.json")).await.assert_ok().json();
    let paths = &document["paths"];
    assert!(paths["/api/v1/events"]["post"].is_object());
    assert!(paths["/api/v1/tasks/{id}"]["patch"].is_object());
    assert!(paths["/api/v1/tasks/{id}"].get("delete").is_none());
    for path in ["/api/v1/tasks", "/api/v1/events/{id}", "/api/boards"] {
        assert!(paths.get(path).is_none(), "{path}");
    }
}

#[tokio::test]
async fn a_field_that_the_storage_does_not_keep_is_reported() {
    let (app, _location) = app(Capabilities::all().without_field(RecordKind::Task, "labels")).await;
    let before = app.snapshot().await;
    for (method, path) in [(Method::PATCH, "/api/v1/tasks/task-berg"), (Method::POST, "/api/v1/tasks")] {
        let request = bearer("ann-full", method, path).raw_json(r#"{"title":"Dust","labels":["x"]}"#);
        assert_eq!(app.send(request).await.error_pointers(), ["/labels"], "{path}");
    }
    assert_eq!(app.snapshot().await, before);
}
