//! The storage calls of each tool, and faults of the storage.

use std::sync::{Arc, LazyLock};

use salvo::http::Method;
use serde_json::{Value, json};
use tokio::task::yield_now;

use crate::client::{READ_PATH, V1, call, call_raw, fail, mcp, modern, succeed, text};
use crate::fault_injection::{Fault, FaultInjection};
use crate::limits::long_records;
use crate::storages::{StorageKind, load, on_every_storage};
use crate::support::{App, LOG, TestResponse, fixture};

async fn app(kind: StorageKind) -> (App, Arc<FaultInjection>, Box<dyn std::any::Any + Send>) {
    let (storage, location) = fixture::seeded(kind).await;
    let storage = Arc::new(FaultInjection::new(storage));
    (mcp(&App::without_document_cache(storage.clone())), storage, Box::new(location))
}

/// A call of each tool that succeeds, with the number of storage calls in addition to the lookup of the key.
fn calls() -> [(&'static str, Value, usize); 35] {
    [
        ("get_overview", json!({}), 4),
        ("list_tasks", json!({}), 1),
        ("get_task", json!({ "id": "task-berg" }), 1),
        ("list_events", json!({}), 1),
        // A name is read before.
        ("list_events", json!({ "person": "Bob" }), 2),
        ("list_events", json!({ "person": "me" }), 1),
        ("get_event", json!({ "id": "event-berg" }), 1),
        // The members and the events.
        ("find_free_time", json!({}), 2),
        ("list_shopping", json!({}), 1),
        ("search_notes", json!({}), 1),
        ("get_note", json!({ "id": "note-berg" }), 1),
        // The write itself says whether a field has a new value.
        ("update_tasks", json!({ "ids": ["task-berg"], "title": "x" }), 1),
        // The write itself finds a repetition of the call.
        ("complete_tasks", json!({ "ids": ["task-berg"] }), 1),
        ("update_tasks", json!({ "ids": ["task-berg"], "column": "column-berg", "order": 1 }), 1),
        // A name is read after the write has not found it as an id.
        ("update_tasks", json!({ "ids": ["task-berg"], "column": "To do", "assignee": "me" }), 3),
        ("list_tasks", json!({ "board": "Fixture", "column": "to do", "assignee": "Me" }), 3),
        ("update_notes", json!({ "ids": ["note-berg"], "title": "x" }), 1),
        // The note is read, and changed if it still has the etag that was read.
        ("update_notes", json!({ "ids": ["note-berg"], "append": "x" }), 2),
        ("delete_notes", json!({ "ids": ["note-berg"] }), 1),
        // A creation needs no read, unless it searches for its place.
        ("add_tasks", json!({ "tasks": [{ "title": "x" }] }), 1),
        // The clashes are read after the write.
        ("add_events", json!({ "events": [{ "title": "x", "start": "2026-12-01", "end": "2026-12-02" }] }), 2),
        ("update_events", json!({ "ids": ["event-berg"], "start": "2026-12-01T09:00Z" }), 2),
        ("add_note", json!({ "title": "x", "idempotencyKey": "1" }), 1),
        ("add_containers", json!({ "kind": "board", "names": ["x"] }), 1),
        ("add_containers", json!({ "kind": "column", "names": ["x"], "board": "board-berg" }), 2),
        ("update_container", json!({ "kind": "board", "id": "board-berg", "name": "x" }), 1),
        ("add_shopping_items", json!({ "items": [{ "name": "x" }] }), 2),
        ("check_shopping_items", json!({ "ids": ["item-berg"], "checked": false }), 1),
        ("update_shopping_items", json!({ "ids": ["item-berg"], "quantity": "2 l" }), 1),
        ("delete_shopping_items", json!({ "list": "list-berg", "checked": true }), 1),
        ("update_events", json!({ "ids": ["event-berg"], "title": "x" }), 1),
        ("delete_tasks", json!({ "ids": ["task-berg"] }), 1),
        ("restore", json!({ "kind": "task", "ids": ["task-berg"] }), 1),
        ("delete_containers", json!({ "kind": "note_category", "ids": ["category-berg"] }), 1),
        ("delete_events", json!({ "ids": ["event-berg"] }), 1),
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

/// Only a change that names another record reads the names of such records, to find it or to say that it is unknown.
#[tokio::test]
async fn failed_change_needs_at_most_one_more_storage_call() {
    for (arguments, data, part) in [
        (
            json!({ "ids": ["task-berg"], "column": "none" }),
            2,
            "column: no such name or id; there are Fixture / To do [column-berg]",
        ),
        (json!({ "ids": ["task-tal"], "column": "column-berg" }), 2, "No task with this id"),
        (json!({ "ids": ["task-berg"], "assignee": "eve" }), 2, "assignee: no such name or id; there are"),
        (json!({ "ids": ["task-tal"], "title": "x" }), 1, "No task with this id"),
        (json!({ "ids": ["task-berg"], "title": "x", "ifMatch": "old" }), 1, "changed by someone else"),
    ] {
        let (app, storage, _location) = app(StorageKind::Memory).await;
        storage.set_fault(None);
        let result = call(&app, "ann-full", "update_tasks", arguments).await;
        assert!(text(&result).contains(part), "{result}");
        assert_eq!(storage.calls(), 1 + data, "{result}");
    }
    let (app, storage, _location) = app(StorageKind::Memory).await;
    storage.set_fault(Some((3, Fault::Unavailable)));
    let unknown = json!({ "ids": ["task-berg"], "column": "none" });
    call_raw(&app, "ann-full", V1, "update_tasks", unknown).await.assert_problem(503, "unavailable");
}

#[tokio::test]
async fn answer_that_is_cut_needs_one_storage_call() {
    let (storage, _location) = fixture::seeded(StorageKind::Memory).await;
    load(&*storage, long_records(100)).await;
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
}

#[tokio::test]
async fn faults_of_the_storage_are_problems() {
    for (tool, arguments, data) in calls() {
        for (fault, status, code) in [
            (Fault::Unavailable, 503, "unavailable"),
            (Fault::Backend, 500, "internal"),
            (Fault::Panic, 500, "internal"),
        ] {
            // A fault while the clashes are read is in the answer to the write.
            let checks = tool == "add_events" || (tool == "update_events" && arguments.get("start").is_some());
            for number in 1..=1 + data - usize::from(checks) {
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
        let mut call = items(50);
        call["idempotencyKey"] = json!("series");
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

/// The second record is written by the last storage call. The fault leaves open whether it was changed.
#[tokio::test]
async fn change_that_must_not_be_made_twice_is_read_before_it_is_repeated() {
    let read_first = "it may have been changed: read it before you repeat the call with this id";
    for (tool, arguments, number, advice) in [
        ("update_tasks", json!({ "title": "x" }), 3, "repeat the call with this id"),
        ("update_tasks", json!({ "completed": true }), 3, read_first),
        ("update_notes", json!({ "append": "x" }), 5, read_first),
        ("update_notes", json!({ "content": "x" }), 3, "repeat the call with this id"),
    ] {
        let (app, storage, _location) = app(StorageKind::Memory).await;
        storage.set_fault(None);
        let add = match tool {
            "update_tasks" => ("add_tasks", json!({ "tasks": [{ "title": "a" }, { "title": "b" }] })),
            _ => ("add_note", json!({ "title": "a" })),
        };
        let (added, _) = succeed(&app, "ann-full", add.0, add.1).await;
        let mut arguments = arguments;
        let other = if tool == "update_tasks" { &added["outcomes"][1]["id"] } else { &json!("note-berg") };
        arguments["ids"] = json!([added["outcomes"][0]["id"], other]);
        storage.set_fault(Some((number, Fault::UnavailableAfterEffect)));
        let (found, text) = succeed(&app, "ann-full", tool, arguments).await;
        assert_eq!(found["outcomes"][1]["reason"], format!("the service failed; {advice}"), "{tool}: {text}");
    }
}

#[tokio::test]
async fn faults_after_the_first_record_are_logged() {
    LazyLock::force(&LOG);
    for (fault, level) in [(Fault::Unavailable, "WARN"), (Fault::Backend, "ERROR")] {
        let (app, storage, _location) = app(StorageKind::Memory).await;
        storage.set_fault(Some((2 + 3, fault)));
        let id = format!("series-{level}");
        let call = json!({ "name": "add_shopping_items", "arguments": items(5) });
        let request = modern("ann-full", V1, "tools/call", call).add_header("x-request-id", &id, true);
        let found = &app.send(request).await.assert_ok().json()["result"];
        assert_eq!((&found["structuredContent"]["changed"], text(found).contains("canary")), (&json!(4), false));
        LOG.assert_line_with(&[level, &id, "canary"]);
    }
}

fn items(count: usize) -> Value {
    let items: Vec<Value> = (1..=count).map(|number| json!({ "name": format!("Item {number}") })).collect();
    json!({ "items": items })
}

#[tokio::test]
async fn series_ends_when_the_family_is_full() {
    let mut storage = FaultInjection::in_memory().await;
    // The family has one item.
    storage.max_records = Some(3);
    let storage = Arc::new(storage);
    let app = mcp(&App::without_document_cache(storage.clone()));
    let found = call(&app, "ann-full", "add_shopping_items", items(50)).await;
    let text = text(&found);
    assert_eq!(found["structuredContent"]["outcomes"].as_array().unwrap().len(), 50);
    assert!(text.starts_with("Items added: 2 of 50.\n"), "{text}");
    // The lookup of the key, the read of the lists, two items, and the refusal of the third.
    assert_eq!(storage.calls(), 5);
    assert!(text.contains("- failed Item 3 (the family already has the maximum number"), "{text}");
    assert!(text.contains("- failed Item 50 (not tried: the family already has the maximum number"), "{text}");
    // The next series ends at its first item.
    storage.set_fault(None);
    let mut next = items(50);
    next["allowDuplicates"] = json!(true);
    let text = fail(&app, "ann-full", "add_shopping_items", next).await;
    assert_eq!((storage.calls(), text.matches("- failed").count()), (3, 50), "{text}");
}

/// Calls a tool. Another member changes the record after the tool was called and before its last storage call, which is
/// its write.
async fn call_during_a_change(tool: &str, arguments: Value, (path, body): (&str, Value)) -> (Value, String) {
    let (probe, storage, _location) = app(StorageKind::Memory).await;
    storage.set_fault(None);
    call_raw(&probe, "ann-full", V1, tool, arguments.clone()).await.assert_ok();
    let number = storage.calls();

    let (app, storage, _location) = app(StorageKind::Memory).await;
    storage.set_fault(Some((number, Fault::Slow)));
    let change = async {
        while storage.calls() < number {
            yield_now().await;
        }
        app.send_json_in_session("bob", Method::PATCH, path, body.to_string()).await.assert_ok();
    };
    let (found, ()) = tokio::join!(call(&app, "ann-full", tool, arguments), change);
    assert_eq!(found["isError"], false, "{tool}: {found}");
    (found["structuredContent"].clone(), text(&found).to_owned())
}

#[tokio::test]
async fn a_change_by_another_member_is_not_reported_as_one_of_the_tool() {
    for (tool, arguments, path, body) in [
        ("update_tasks", json!({ "title": "x" }), "/api/tasks/task-berg", json!({ "title": "x" })),
        ("update_tasks", json!({ "column": "column-berg", "order": 7 }), "/api/tasks/task-berg", json!({ "order": 7 })),
        ("update_notes", json!({ "title": "x" }), "/api/notes/note-berg", json!({ "title": "x" })),
        ("update_events", json!({ "title": "x" }), "/api/events/event-berg", json!({ "title": "x" })),
    ] {
        let mut arguments = arguments;
        arguments["ids"] = json!([path.split('/').next_back()]);
        let (found, text) = call_during_a_change(tool, arguments, (path, body)).await;
        assert_eq!(found["changed"], 0, "{tool}");
        assert!(text.starts_with("Nothing changed."), "{text}");
    }
    for (tool, field, value, path, state) in [
        ("complete_tasks", "completed", true, "/api/tasks/task-berg", "was already completed"),
        ("check_shopping_items", "checked", false, "/api/shopping-items/item-berg", "was already unchecked"),
    ] {
        let arguments = json!({ "ids": [path.split('/').next_back()], field: value });
        let (found, text) = call_during_a_change(tool, arguments, (path, json!({ field: value }))).await;
        assert_eq!((&found["changed"], &found["outcomes"][0]["result"]), (&json!(0), &json!("unchanged")), "{tool}");
        assert!(text.contains(state), "{text}");
    }
}

#[tokio::test]
async fn a_tool_that_undoes_a_change_of_another_member_says_that_it_changed_the_record() {
    let title =
        succeed(&app(StorageKind::Memory).await.0, "ann-full", "get_task", json!({ "id": "task-berg" })).await.0;
    let same = json!({ "ids": ["task-berg"], "title": title["task"]["title"] });
    let (found, text) =
        call_during_a_change("update_tasks", same, ("/api/tasks/task-berg", json!({ "title": "x" }))).await;
    assert_eq!((&found["changed"], &found["outcomes"][0]["title"]), (&json!(1), &title["task"]["title"]), "{text}");
    let open = json!({ "ids": ["task-berg"], "completed": false });
    let done = ("/api/tasks/task-berg", json!({ "completed": true }));
    let (found, text) = call_during_a_change("complete_tasks", open, done).await;
    assert_eq!((&found["changed"], &found["outcomes"][0]["result"]), (&json!(1), &json!("changed")), "{text}");
}

/// Calls a tool. The call of the storage with the number is delayed until the key is revoked.
async fn call_and_revoke(tool: &str, arguments: Value, number: usize) -> TestResponse {
    let (app, storage, _location) = app(StorageKind::Memory).await;
    storage.set_fault(Some((number, Fault::Slow)));
    let revoke = async {
        while storage.calls() < number {
            yield_now().await;
        }
        app.send_in_session("ann", Method::DELETE, "/api/users/me/mcp-tokens/ann-full").await.assert_ok();
    };
    tokio::join!(call_raw(&app, "ann-full", V1, tool, arguments), revoke).0
}

#[tokio::test]
async fn series_ends_when_its_key_is_revoked() {
    let ids = json!({ "ids": ["item-berg", "b", "c", "d", "e"], "checked": false });
    // The lookup of the key, the read of the lists if items are added, and the first item come before the revocation.
    for (tool, arguments, number) in [("add_shopping_items", items(5), 4), ("check_shopping_items", ids, 3)] {
        let response = call_and_revoke(tool, arguments.clone(), number).await;
        let result = response.assert_ok().json()["result"].clone();
        let lines: Vec<&str> = text(&result).lines().collect();
        let ended = |line: &&str| line.contains("(the access ended: the bearer token is not valid)");
        let skipped = |line: &&str| line.contains("(not tried: the access ended: the bearer token is not valid)");
        assert_eq!(result["structuredContent"]["changed"], 1, "{lines:?}");
        assert_eq!((ended(&lines[2]), lines.iter().filter(|line| skipped(line)).count()), (true, 3), "{lines:?}");
        // If nothing was written, the whole call is refused.
        call_and_revoke(tool, arguments, number - 1).await.assert_problem(401, "invalid_token");
    }
}
