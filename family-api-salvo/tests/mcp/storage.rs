//! The storage calls of each tool, and faults of the storage.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::client::{READ_PATH, V1, call_raw, mcp, modern, succeed};
use crate::fault_injection::{Fault, FaultInjection};
use crate::limits::load_long_records;
use crate::storages::{StorageKind, on_every_storage};
use crate::support::{App, fixture};

async fn app(kind: StorageKind) -> (App, Arc<FaultInjection>, Box<dyn std::any::Any + Send>) {
    let (storage, location) = kind.fresh().await;
    fixture::seed(&*storage).await;
    let storage = Arc::new(FaultInjection::new(storage));
    (mcp(&App::without_document_cache(storage.clone())), storage, Box::new(location))
}

/// A call of each tool that succeeds, with the number of storage calls in addition to the lookup of the key.
fn calls() -> [(&'static str, Value, usize); 21] {
    [
        ("get_overview", json!({}), 4),
        ("list_tasks", json!({}), 1),
        ("get_task", json!({ "id": "task-berg" }), 1),
        ("list_events", json!({}), 1),
        ("list_shopping", json!({}), 1),
        ("search_notes", json!({}), 1),
        ("get_note", json!({ "id": "note-berg" }), 1),
        // A tool that changes a record reads it first.
        ("update_task", json!({ "id": "task-berg", "title": "x" }), 2),
        ("complete_tasks", json!({ "ids": ["task-berg"] }), 2),
        ("move_task", json!({ "id": "task-berg", "column_id": "column-berg" }), 2),
        ("update_note", json!({ "id": "note-berg", "title": "x" }), 2),
        ("delete_note", json!({ "id": "note-berg" }), 1),
        // A creation needs no read, unless it searches for its place or repeats a key.
        ("add_tasks", json!({ "tasks": [{ "title": "x" }] }), 1),
        ("add_events", json!({ "events": [{ "title": "x", "startDate": "2026-12-01", "endDate": "2026-12-02" }] }), 1),
        ("add_note", json!({ "title": "x", "idempotency_key": "1" }), 2),
        ("add_shopping_items", json!({ "items": [{ "name": "x" }] }), 2),
        ("check_shopping_items", json!({ "ids": ["item-berg"], "checked": false }), 2),
        ("update_event", json!({ "id": "event-berg", "title": "x" }), 2),
        ("delete_task", json!({ "id": "task-berg" }), 1),
        ("restore", json!({ "kind": "task", "id": "task-berg" }), 2),
        ("delete_event", json!({ "id": "event-berg" }), 1),
    ]
}

on_every_storage! {
    async fn each_tool_needs_few_storage_calls(kind: StorageKind) {
        let (app, storage, _location) = app(kind).await;
        for (tool, arguments, data) in calls() {
            storage.set_fault(None);
            call_raw(&app, "ann-full", V1, tool, arguments).await.assert_ok();
            assert_eq!(storage.calls(), 1 + data, "{tool}");
        }
        for method in ["tools/list", "server/discover"] {
            storage.set_fault(None);
            app.send(modern("ann-rw", V1, method, json!({}))).await.assert_ok();
            assert_eq!(storage.calls(), 1, "{method}");
        }
        storage.set_fault(None);
        call_raw(&app, "ann-rw", READ_PATH, "list_tasks", json!({})).await.assert_ok();
        assert_eq!(storage.calls(), 2);
    }
}

#[tokio::test]
async fn answer_that_is_cut_needs_one_storage_call() {
    let (storage, location) = StorageKind::Memory.fresh().await;
    load_long_records(&*storage, 100).await;
    let storage = Arc::new(FaultInjection::new(storage));
    let app = mcp(&App::without_document_cache(storage.clone()));
    for tool in ["list_tasks", "get_note"] {
        storage.set_fault(None);
        let arguments = if tool == "get_note" { json!({ "id": "long" }) } else { json!({ "limit": 100 }) };
        let response = call_raw(&app, "ann-full", V1, tool, arguments).await;
        assert_eq!(storage.calls(), 2, "{tool}");
        let found = &response.assert_ok().json()["result"]["structuredContent"];
        assert!(found["nextCursor"].is_string() || found["nextOffset"].is_u64(), "{tool}");
    }
    drop(location);
}

#[tokio::test]
async fn faults_of_the_storage_are_problems() {
    for (tool, arguments, data) in calls() {
        for (fault, status, code) in [
            (Fault::Unavailable, 503, "unavailable"),
            (Fault::Backend, 500, "internal"),
            (Fault::Panic, 500, "internal"),
        ] {
            for number in 1..=1 + data {
                let (app, storage, _location) = app(StorageKind::Memory).await;
                storage.set_fault(Some((number, fault)));
                let response = call_raw(&app, "ann-full", V1, tool, arguments.clone()).await;
                response.assert_problem(status, code);
                assert!(!response.text().contains("canary"), "{response:?}");
            }
        }
    }
}

#[tokio::test]
async fn interrupted_series_is_told_and_its_repetition_adds_nothing_twice() {
    for (fault, repeated) in [(Fault::Unavailable, "added"), (Fault::UnavailableAfterEffect, "unchanged")] {
        let (app, storage, _location) = app(StorageKind::Memory).await;
        let items: Vec<Value> = (1..=50).map(|number| json!({ "name": format!("Item {number}") })).collect();
        let call = json!({ "items": items, "idempotency_key": "series" });
        // The lookup of the key and the read of the lists come before the items.
        storage.set_fault(Some((2 + 21, fault)));
        let (found, text) = succeed(&app, "ann-full", "add_shopping_items", call.clone()).await;
        assert_eq!((&found["changed"], &found["outcomes"][20]["result"]), (&json!(49), &json!("failed")));
        assert!(text.starts_with("Items added: 49 of 50.\n"), "{text}");
        assert!(text.contains("failed Item 21 (the service failed; repeat the call with the same"), "{text}");
        storage.set_fault(None);
        let (found, _) = succeed(&app, "ann-full", "add_shopping_items", call).await;
        let added: Vec<&Value> =
            found["outcomes"].as_array().unwrap().iter().map(|outcome| &outcome["result"]).collect();
        assert_eq!((added[20], added[19], added[21]), (&json!(repeated), &json!("unchanged"), &json!("unchanged")));
        assert_eq!(app.read("shopping").await[0]["items"].as_array().unwrap().len(), 51);
    }
}
