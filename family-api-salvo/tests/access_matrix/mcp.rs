//! The MCP endpoints: credential, owner, scope, tool, and own, foreign or private record.

use std::collections::BTreeSet;
use std::sync::Arc;

use family_api_core::storage::Storage;
use salvo::Service;
use salvo::http::Method;
use salvo::test::RequestBuilder;
use serde_json::{Value, json};

use crate::cases::{Credential, Owner, scopes_on};
use crate::fixture::{HIDDEN_BY_ANN, HIDDEN_FROM_ANN, mcp_service, seeded_storage};
use crate::storage_snapshot::ChangeCheck;
use crate::storages::{StorageKind, on_every_storage};
use crate::{ActualResponse, OWNERS, add_credential};

const V1: &str = "/api/v1/mcp";
const READ_PATH: &str = "/api/mcp";

/// The scope that a tool needs on `/api/v1/mcp`.
const TASKS: &str = "v1.tasks.write";
const NOTES: &str = "v1.notes.write";
const MANAGE_TASKS: &str = "v1.tasks.manage";
const MANAGE_NOTES: &str = "v1.notes.manage";
const EVENTS: &str = "v1.events.write";
const SHOPPING: &str = "v1.shopping.write";
const BOARDS: &str = "v1.boards.manage";
const READ: &str = "read";

/// The expected result of a call by an authorized caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The tool succeeds.
    Success,
    /// The tool succeeds and changes data.
    Change,
    /// The tool fails with a message for the model.
    Failure,
}

/// A call of a tool, its scope and its outcome.
type ToolCase = (&'static str, Value, &'static str, Outcome);

/// Calls of every tool for own, shared, private, foreign and missing records. Calls that change data are last.
fn tool_cases() -> Vec<ToolCase> {
    use Outcome::{Change, Failure, Success};
    let mut cases = vec![
        ("get_overview", json!({}), READ, Success),
        ("list_tasks", json!({ "status": "all", "limit": 100 }), READ, Success),
        ("list_tasks", json!({ "text": "hidden" }), READ, Success),
        ("list_tasks", json!({ "assignee": "zoe" }), READ, Failure),
        ("list_tasks", json!({ "board": "b-of-bob" }), READ, Failure),
        ("list_tasks", json!({ "board": "b-foreign" }), READ, Failure),
        ("list_tasks", json!({ "column": "c-of-bob" }), READ, Failure),
        ("list_tasks", json!({ "column": "c-foreign" }), READ, Failure),
        ("list_events", json!({ "from": "2026-11-01", "to": "2026-11-30" }), READ, Success),
        ("list_events", json!({ "person": "bob" }), READ, Success),
        ("list_events", json!({ "person": "zoe" }), READ, Failure),
        ("get_event", json!({ "id": "e-f" }), READ, Success),
        ("get_event", json!({ "id": "e-f@20261121T120000Z" }), READ, Success),
        ("find_free_time", json!({ "from": "2026-11-21", "to": "2026-11-30" }), READ, Success),
        ("find_free_time", json!({ "people": ["zoe"] }), READ, Failure),
        ("list_shopping", json!({ "includeChecked": true }), READ, Success),
        ("list_shopping", json!({ "list": "l-of-bob" }), READ, Failure),
        ("list_shopping", json!({ "list": "l-foreign" }), READ, Failure),
        ("search_notes", json!({ "text": "hidden" }), READ, Success),
        ("search_notes", json!({}), READ, Success),
        ("get_note", json!({ "id": "n-own" }), READ, Success),
        ("get_task", json!({ "id": "t-shared" }), READ, Success),
        ("get_task", json!({ "id": "t-private-of-ann" }), READ, Success),
        ("get_task", json!({ "id": "t-on-board-of-ann" }), READ, Success),
    ];
    for task in ["t-private-of-bob", "t-on-board-of-bob", "t-foreign", "missing", " "] {
        cases.push(("get_task", json!({ "id": task }), READ, Failure));
        cases.push(("update_tasks", json!({ "ids": [task], "title": "changed" }), TASKS, Failure));
        cases.push(("update_tasks", json!({ "ids": [task], "column": "c-shared" }), TASKS, Failure));
        cases.push(("complete_tasks", json!({ "ids": [task] }), TASKS, Failure));
    }
    for note in ["n-foreign", "missing"] {
        cases.push(("get_note", json!({ "id": note }), READ, Failure));
        cases.push(("update_notes", json!({ "ids": [note], "title": "changed" }), NOTES, Failure));
        cases.push(("delete_notes", json!({ "ids": [note] }), NOTES, Failure));
    }
    for column in ["c-foreign", "c-of-bob"] {
        cases.push(("update_tasks", json!({ "ids": ["t-shared"], "column": column, "order": 0 }), TASKS, Failure));
        cases.push(("update_tasks", json!({ "ids": ["t-shared"], "column": column }), TASKS, Failure));
    }
    for task in ["t-private-of-bob", "t-on-board-of-bob", "t-foreign", "missing"] {
        cases.push(("delete_tasks", json!({ "ids": [task] }), MANAGE_TASKS, Failure));
        cases.push(("restore", json!({ "kind": "task", "ids": [task] }), MANAGE_TASKS, Failure));
    }
    for event in ["e-g", "missing", "e-g@20261121T120000Z", "e-f@20261121T130000Z", "e-f@"] {
        cases.push(("get_event", json!({ "id": event }), READ, Failure));
        cases.push(("update_events", json!({ "ids": [event], "title": "changed" }), EVENTS, Failure));
        cases.push(("delete_events", json!({ "ids": [event] }), EVENTS, Failure));
        cases.push(("restore", json!({ "kind": "event", "ids": [event] }), EVENTS, Failure));
    }
    for item in ["i-shared", "i-of-bob", "i-foreign", "missing"] {
        cases.push(("check_shopping_items", json!({ "ids": [item] }), SHOPPING, Failure));
        cases.push(("update_shopping_items", json!({ "ids": [item], "name": "changed" }), SHOPPING, Failure));
        cases.push(("delete_shopping_items", json!({ "ids": [item] }), SHOPPING, Failure));
        cases.push(("restore", json!({ "kind": "shopping_item", "ids": [item] }), SHOPPING, Failure));
    }
    for list in ["l-of-bob", "l-foreign", "HIDDEN-BY-BOB"] {
        cases.push(("add_shopping_items", json!({ "items": [{ "name": "x" }], "list": list }), SHOPPING, Failure));
        cases.push(("delete_shopping_items", json!({ "list": list, "checked": true }), SHOPPING, Failure));
    }
    for column in ["c-of-bob", "c-foreign", "HIDDEN-BY-ZOE"] {
        let tasks = json!([{ "title": "x", "column": column }]);
        cases.push(("add_tasks", json!({ "tasks": tasks }), MANAGE_TASKS, Failure));
        cases.push(("add_tasks", json!({ "tasks": [{ "title": "x" }], "column": column }), MANAGE_TASKS, Failure));
    }
    let party = json!({ "title": "added", "start": "2026-12-01", "end": "2026-12-01" });
    let foreign = json!({ "title": "x", "start": "2026-12-01", "end": "2026-12-01", "participants": ["zoe"] });
    cases.extend([
        ("add_tasks", json!({ "tasks": [{ "title": "x", "assignee": "zoe" }] }), MANAGE_TASKS, Failure),
        ("add_note", json!({ "title": "x", "category": "cat-foreign" }), MANAGE_NOTES, Failure),
        ("restore", json!({ "kind": "note", "ids": ["n-foreign"] }), MANAGE_NOTES, Failure),
        ("add_tasks", json!({ "tasks": [{ "title": "added" }], "column": "c-shared" }), MANAGE_TASKS, Change),
        ("add_events", json!({ "events": [party] }), EVENTS, Change),
        ("add_shopping_items", json!({ "items": [{ "name": "added" }], "list": "l-shared" }), SHOPPING, Change),
        ("add_note", json!({ "title": "added" }), MANAGE_NOTES, Change),
        ("update_events", json!({ "ids": ["e-f"], "title": "changed" }), EVENTS, Change),
        ("add_events", json!({ "events": [foreign] }), EVENTS, Failure),
        ("update_events", json!({ "ids": ["e-f"], "participants": ["zoe"] }), EVENTS, Failure),
        ("update_events", json!({ "ids": ["e-f@20261121T120000Z"], "location": "changed" }), EVENTS, Change),
        ("delete_events", json!({ "ids": ["e-f@20261121T120000Z"] }), EVENTS, Change),
        ("restore", json!({ "kind": "event", "ids": ["e-f@20261121T120000Z"] }), EVENTS, Change),
        ("delete_events", json!({ "ids": ["e-f"] }), EVENTS, Change),
        ("restore", json!({ "kind": "event", "ids": ["e-f"] }), EVENTS, Change),
        ("delete_tasks", json!({ "ids": ["t-on-board-of-ann"] }), MANAGE_TASKS, Change),
        ("restore", json!({ "kind": "task", "ids": ["t-on-board-of-ann"] }), MANAGE_TASKS, Change),
    ]);
    cases.extend(container_cases());
    cases.extend([
        ("update_tasks", json!({ "ids": ["t-shared", "t-foreign"], "dueDate": "2026-12-05" }), TASKS, Change),
        ("update_tasks", json!({ "ids": ["t-shared"], "assignee": "zoe" }), TASKS, Failure),
        ("update_notes", json!({ "ids": ["n-own"], "category": "cat-foreign" }), NOTES, Failure),
        ("update_tasks", json!({ "ids": ["t-shared"], "title": "changed" }), TASKS, Change),
        ("complete_tasks", json!({ "ids": ["t-private-of-ann", "t-private-of-bob"] }), TASKS, Change),
        ("update_tasks", json!({ "ids": ["t-shared"], "column": "c-shared", "order": 7 }), TASKS, Change),
        ("update_notes", json!({ "ids": ["n-own"], "title": "changed" }), NOTES, Change),
        ("delete_notes", json!({ "ids": ["n-own"] }), NOTES, Change),
    ]);
    cases
}

/// Calls of the tools that write boards, columns, lists and categories.
fn container_cases() -> Vec<ToolCase> {
    use Outcome::{Change, Failure, Success};
    let mut cases = Vec::new();
    for (kind, scope, ids) in [
        ("board", BOARDS, &["b-of-bob", "b-foreign", "hidden-by-bob", "missing"][..]),
        ("column", BOARDS, &["c-of-bob", "c-foreign", "hidden-by-zoe"]),
        ("shopping_list", BOARDS, &["l-of-bob", "l-foreign", "hidden-by-bob"]),
        ("note_category", MANAGE_NOTES, &["cat-foreign", "missing"]),
    ] {
        // A message repeats what the caller sends, so no name is spelled as it is stored.
        for id in ids {
            cases.push(("update_container", json!({ "kind": kind, "id": id, "name": "changed" }), scope, Failure));
            cases.push(("delete_containers", json!({ "kind": kind, "ids": [id] }), scope, Failure));
        }
        if kind != "column" {
            // No document shows a category without a note.
            let expected = if kind == "note_category" { Success } else { Change };
            cases.push(("add_containers", json!({ "kind": kind, "names": ["added"] }), scope, expected));
        }
    }
    for board in ["b-of-bob", "b-foreign", "HIDDEN-BY-BOB"] {
        let column = json!({ "kind": "column", "names": ["x"], "board": board });
        cases.push(("add_containers", column, BOARDS, Failure));
    }
    cases.extend([
        ("add_containers", json!({ "kind": "column", "names": ["added"], "board": "b-shared" }), BOARDS, Change),
        ("delete_containers", json!({ "kind": "column", "ids": ["c-shared"] }), BOARDS, Failure),
        ("delete_containers", json!({ "kind": "column", "ids": ["added"] }), BOARDS, Change),
        ("update_container", json!({ "kind": "column", "id": "c-shared", "order": 9 }), BOARDS, Change),
    ]);
    cases
}

/// Returns the status of a refusal.
fn status(code: &str) -> u16 {
    if code == "insufficient_scope" { 403 } else { 401 }
}

/// Returns the expected refusal: the `code` of a 401 or 403. `None` if the tool is called.
fn refusal(credential: Credential, owner: Owner, path: &str, scope: &str) -> Option<&'static str> {
    let v1 = path == V1;
    let scopes = match scopes_on(v1, credential, owner) {
        Ok(scopes) => scopes,
        Err(code) => return Some(code),
    };
    // The endpoint itself needs the read scope. No scope of the read path permits a write.
    let read = if v1 { "v1.read" } else { "mcp.read" };
    let has_scope = scope == READ || (v1 && scopes.contains(&scope));
    (!scopes.contains(&read) || !has_scope).then_some("insufficient_scope")
}

async fn send(service: &Service, credential: Credential, path: &str, message: &Value) -> ActualResponse {
    let request = RequestBuilder::new(format!("http://127.0.0.1{path}"), Method::POST).raw_json(message.to_string());
    ActualResponse::of(add_credential(credential, request).send(service).await).await
}

/// Runs all cases for one credential, one owner state and one endpoint. Returns the number of cases.
async fn run_cases(storage: Arc<dyn Storage>, credential: Credential, owner: Owner, path: &str) -> usize {
    let service = mcp_service(storage.clone());
    let mut changes = ChangeCheck::new(storage).await;
    let cases = tool_cases();
    for (tool, arguments, scope, outcome) in &cases {
        let label = format!("{credential:?} {owner:?} {path} {tool} {arguments}");
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": tool, "arguments": arguments } });
        let refusal = refusal(credential, owner, path, scope);
        let is_change = refusal.is_none() && *outcome == Outcome::Change;
        let request = send(&service, credential, path, &message);
        let actual = changes.during(&label, is_change, request).await;
        let expected = refusal.map_or((200, ""), |code| (status(code), code));
        assert_eq!((actual.status, actual.code.as_str()), expected, "{label}: {}", actual.body);
        if refusal.is_none() {
            let answer: Value = serde_json::from_str(&actual.body).unwrap();
            assert_eq!(answer["result"]["isError"], *outcome == Outcome::Failure, "{label}: {answer}");
        }
        for hidden in HIDDEN_FROM_ANN {
            assert!(!actual.body.contains(hidden), "{label} shows {hidden}: {}", actual.body);
        }
        if refusal.is_none() && *tool == "list_tasks" && arguments["status"] == "all" {
            assert!(actual.body.contains(HIDDEN_BY_ANN), "{label} does not show the private task of Ann");
        }
    }
    changes.assert_unchanged().await;
    cases.len()
}

/// Asserts that the list of tools is exactly the tools that a call does not refuse.
async fn check_list(service: &Service, credential: Credential, owner: Owner, path: &str) {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let actual = send(service, credential, path, &message).await;
    let allowed: BTreeSet<&str> = tool_cases()
        .into_iter()
        .filter(|(_, _, scope, _)| refusal(credential, owner, path, scope).is_none())
        .map(|(tool, ..)| tool)
        .collect();
    let answer: Value = serde_json::from_str(&actual.body).unwrap();
    let tools = answer["result"]["tools"].as_array().cloned().unwrap_or_default();
    let listed: BTreeSet<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(listed, allowed, "{credential:?} {owner:?} {path}: {}", actual.body);
    let expected = refusal(credential, owner, path, READ).map_or(200, status);
    assert_eq!(actual.status, expected, "{credential:?} {owner:?} {path}");
}

on_every_storage! {
    async fn every_tool_has_the_expected_result(kind: StorageKind) {
        let mut count = 0;
        for credential in Credential::ALL {
            for owner in OWNERS {
                for path in [V1, READ_PATH] {
                    let (storage, _location) = seeded_storage(kind, owner).await;
                    check_list(&mcp_service(storage.clone()), credential, owner, path).await;
                    count += run_cases(storage, credential, owner, path).await;
                }
            }
        }
        assert!(count >= 5_000, "{count} cases");
    }

    async fn numbers_do_not_count_hidden_records(kind: StorageKind) {
        let owner = Owner { personal_api_enabled: true, has_family: true };
        let (storage, _location) = seeded_storage(kind, owner).await;
        let service = mcp_service(storage);
        let call = async |tool: &str, arguments: Value| -> Value {
            let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": { "name": tool, "arguments": arguments } });
            let actual = send(&service, Credential::V1ReadWrite, V1, &message).await;
            serde_json::from_str::<Value>(&actual.body).unwrap()["result"]["structuredContent"].clone()
        };
        let overview = call("get_overview", json!({})).await;
        // The board and the list of Bob, his private task and his private items are not counted.
        assert_eq!((&overview["boards"]["total"], &overview["shoppingLists"]["total"]), (&json!(2), &json!(2)));
        let columns: Vec<&Value> = overview["boards"]["items"].as_array().unwrap().iter()
            .flat_map(|board| board["columns"]["items"].as_array().unwrap())
            .map(|column| &column["open"])
            .collect();
        assert_eq!(columns, [&json!(1), &json!(2)], "{overview}");
        let lists = overview["shoppingLists"]["items"].as_array().unwrap().iter().map(|list| &list["open"]);
        assert_eq!(lists.collect::<Vec<_>>(), [&json!(0), &json!(1)], "{overview}");
        assert_eq!(call("list_tasks", json!({ "limit": 1 })).await["total"], 3);
        assert_eq!(call("list_tasks", json!({ "text": "hidden-by-bob" })).await["total"], 0);
        assert_eq!(call("search_notes", json!({ "text": "hidden" })).await["total"], 0);
    }
}
