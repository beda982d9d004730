//! The tools of an application whose storage keeps only some records, fields and operations.

use std::sync::Arc;

use family_api_core::resource::{RecordKind, Verb};
use family_api_core::storage::Capabilities;
use serde_json::{Value, json};

use crate::client::{V1, call_raw, fail, mcp, names, result, succeed};
use crate::fault_injection::FaultInjection;
use crate::support::App;

async fn app(capabilities: Capabilities) -> App {
    mcp(&App::with_storage(Arc::new(FaultInjection::in_memory().await.with_capabilities(capabilities))))
}

async fn list(app: &App) -> Value {
    result(app, "ann-full", V1, "tools/list", json!({})).await
}

/// Returns the definition of a tool.
async fn definition(app: &App, tool: &str) -> Value {
    list(app).await["tools"].as_array().unwrap().iter().find(|found| found["name"] == tool).unwrap().clone()
}

#[tokio::test]
async fn tools_that_the_storage_does_not_support_are_unknown() {
    let app = app(Capabilities::updates()).await;
    let listed = list(&app).await;
    let writes = &names(&listed)[9..];
    assert_eq!(writes, ["update_tasks", "complete_tasks", "update_notes", "delete_notes"]);
    for (tool, arguments) in [
        ("add_tasks", json!({ "tasks": [{ "title": "x" }] })),
        ("delete_tasks", json!({ "ids": ["task-berg"] })),
        ("restore", json!({ "kind": "note", "ids": ["note-berg"] })),
    ] {
        let answer = call_raw(&app, "ann-full", V1, tool, arguments).await.assert_ok().json();
        assert_eq!(answer["error"]["code"], -32602, "{tool}: {answer}");
    }
    assert!(definition(&app, "delete_notes").await["description"].as_str().unwrap().ends_with("It cannot be undone."));
    let (_, text) = succeed(&app, "ann-full", "delete_notes", json!({ "ids": ["note-berg"] })).await;
    assert_eq!(text, "Notes deleted: 1 of 1.\n- [note-berg] deleted Wifi\n");
}

#[tokio::test]
async fn fields_that_the_storage_does_not_keep_are_refused() {
    let app = app(Capabilities::all().without_field(RecordKind::Task, "labels")).await;
    assert_eq!(definition(&app, "update_tasks").await["inputSchema"]["properties"].get("labels"), None);
    for (tool, arguments) in [
        ("update_tasks", json!({ "ids": ["task-berg"], "title": "x", "labels": ["a"] })),
        ("add_tasks", json!({ "tasks": [{ "title": "x", "labels": ["a"] }] })),
    ] {
        let message = fail(&app, "ann-full", tool, arguments).await;
        assert!(message.contains("labels") && message.contains("not kept"), "{tool}: {message}");
    }
    assert_eq!(app.read("tasks").await[0]["columns"][0]["tasks"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn kinds_that_the_storage_cannot_restore_are_no_choice() {
    let app = app(Capabilities::all().without(RecordKind::Task, Verb::Restore)).await;
    let kinds = &definition(&app, "restore").await["inputSchema"]["properties"]["kind"]["enum"];
    assert_eq!(kinds, &json!(["note", "event", "shopping_item"]));
    let message = fail(&app, "ann-full", "restore", json!({ "kind": "task", "ids": ["task-berg"] })).await;
    assert!(message.contains("kind: expected one of note, event, shopping_item."), "{message}");
    let restore = json!({ "kind": "note", "ids": ["note-berg"] });
    call_raw(&app, "ann-read", V1, "restore", restore).await.assert_problem(403, "insufficient_scope");
    assert!(definition(&app, "delete_tasks").await["description"].as_str().unwrap().ends_with("It cannot be undone."));
}
