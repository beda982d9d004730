//! The limits of the REST routes hold for the endpoints, and answers are bounded.

use std::num::NonZeroU32;

use family_api_core::limit::Rate;
use family_api_salvo::{ToolName, UnreadResponseLimit};
use family_api_testing::line;
use salvo::Service;
use salvo::http::Method;
use serde_json::{Value, json};

use crate::client::{V1, call_raw, change_one, fail, mcp, modern, succeed};
use crate::storages::{OnStorage, StorageKind, load};
use crate::support::{App, NOW, anonymous, fixture};

/// The maximum size of an answer, in bytes.
const MAX_ANSWER: usize = 80 * 1024;

/// Calls a tool that succeeds, and asserts that its answer is bounded.
async fn bounded(app: &App, tool: &str, arguments: Value) -> (Value, String) {
    let response = call_raw(app, "ann-rw", V1, tool, arguments.clone()).await;
    assert!(response.body.len() <= MAX_ANSWER, "{tool}: {} bytes", response.body.len());
    succeed(app, "ann-rw", tool, arguments).await
}

/// Reads all pages of a list. The text of each page but the last says how to get the next one.
async fn read_pages(app: &App, tool: &str, mut arguments: Value) -> Vec<(Value, String)> {
    let mut pages = Vec::new();
    loop {
        let (found, text) = bounded(app, tool, arguments.clone()).await;
        arguments["cursor"] = found["nextCursor"].clone();
        assert_eq!(found["nextCursor"].is_null(), !text.contains("repeat the call with cursor"), "{text}");
        pages.push((found, text));
        if arguments["cursor"].is_null() {
            return pages;
        }
    }
}

fn ids(records: &Value) -> impl Iterator<Item = String> {
    records.as_array().unwrap().iter().map(|record| record["id"].as_str().unwrap().to_owned())
}

/// An app with the fixture and these records.
async fn app_with(lines: Vec<Value>) -> App {
    let (storage, _) = fixture::seeded(StorageKind::Memory).await;
    load(&*storage, lines).await;
    mcp(&App::with_storage(storage))
}

/// Open tasks whose texts have their maximum length and need escapes, and a note of 200,000 characters.
pub(crate) fn long_records(count: usize) -> Vec<Value> {
    let label = "\"\\é😀\n".repeat(10);
    let task = |number| {
        line!("task", &format!("long-{number:03}"), {
            "familyId": "berg", "columnId": "column-berg", "title": "\"é😀".repeat(160),
            "description": "d".repeat(2_000), "priority": "HIGH", "dueDate": "2026-11-24T17:30:00Z", "order": number,
            "labels": vec![label.as_str(); 50], "assigneeId": "ann", "creatorId": "ann",
        })
    };
    let note = line!("note", "long", {
        "familyId": "berg", "title": "Long", "content": "\"😀".repeat(100_000), "authorId": "ann",
    });
    (0..count).map(task).chain([note]).collect()
}

#[tokio::test]
async fn each_message_counts_against_the_rate_limit() {
    let rate = Rate::per_minute(NonZeroU32::new(2).unwrap());
    let app = mcp(&App::with_api(StorageKind::Memory, |api| api.rate_limit(rate)).await);
    for left in [1, 0] {
        let response = app.send(modern("ann-rw", V1, "tools/list", json!({}))).await;
        assert!(response.assert_ok().header("ratelimit").unwrap().contains(&format!("r={left};")));
        assert_eq!(response.header("cache-control"), Some("private, no-cache"));
        assert!(response.header("x-request-id").is_some());
    }
    let refused = app.send(modern("ann-rw", V1, "tools/list", json!({}))).await;
    assert!(refused.assert_problem(429, "rate_limited").header("retry-after").is_some());
}

#[tokio::test]
async fn each_record_after_the_first_counts_against_the_rate_limit() {
    let rate = Rate::per_minute(NonZeroU32::new(6).unwrap());
    let app = mcp(&App::with_api(StorageKind::Memory, |api| api.rate_limit(rate)).await);
    let call = async |tool: &str, arguments: Value| {
        let response = call_raw(&app, "ann-full", V1, tool, arguments).await;
        let left =
            response.header("ratelimit").unwrap().split_once("r=").unwrap().1.split(';').next().unwrap().to_owned();
        (response, left)
    };
    let titles = async || app.read("tasks").await.to_string().matches("\"title\"").count();
    let tasks = |count: usize| json!({ "tasks": vec![json!({ "title": "x" }); count] });
    let before = titles().await;
    let (added, left) = call("add_tasks", tasks(2)).await;
    assert_eq!(added.assert_ok().json()["result"]["structuredContent"]["changed"], 2);
    assert_eq!(left, "4");
    // Four are left, and five are needed. The refusal takes two.
    let (refused, left) = call("add_tasks", tasks(5)).await;
    assert_eq!(refused.assert_problem(429, "rate_limited").header("retry-after"), Some("30"));
    assert_eq!((left.as_str(), titles().await), ("2", before + 2));
    // An id that occurs twice counts once.
    let (deleted, left) = call("delete_tasks", json!({ "ids": ["task-berg", "task-berg"] })).await;
    assert_eq!(deleted.assert_ok().json()["result"]["structuredContent"]["changed"], 1);
    assert_eq!((left.as_str(), titles().await), ("1", before + 1));
    // The message takes the last one.
    let (refused, left) = call("complete_tasks", json!({ "ids": ["a", "b"] })).await;
    assert_eq!(refused.assert_problem(429, "rate_limited").header("retry-after"), Some("20"));
    assert_eq!(left, "0");
}

#[tokio::test]
async fn more_records_than_the_rate_limit_ever_allows_are_refused_with_a_reason() {
    let rate = Rate::per_minute(NonZeroU32::new(3).unwrap());
    let app = mcp(&App::with_api(StorageKind::Memory, |api| api.rate_limit(rate)).await);
    let message = fail(&app, "ann-full", "delete_notes", json!({ "ids": ["note-berg", "a", "b", "c"] })).await;
    assert_eq!(message, "Nothing was done. The rate limit allows at most 3 records in one call.");
    assert_eq!(app.read("notes").await[0]["id"], "note-berg");
}

#[tokio::test]
async fn calls_are_refused_while_answers_are_unread() {
    let app = App::on(StorageKind::Memory).await;
    let app = app.configured(|routes| routes.mcp().unread_response_limit(UnreadResponseLimit::of_bytes(1)));
    let large = "x".repeat(40_000);
    let change = json!({ "content": large }).to_string();
    let unread = app.send_json_with_token("ann-rw", Method::PATCH, "/api/v1/notes/note-berg", change).await;
    let refused = call_raw(&app, "ann-rw", V1, "delete_notes", json!({ "ids": ["note-berg"] })).await;
    refused.assert_problem(503, "unavailable");
    drop(unread);
    call_raw(&app, "ann-rw", V1, "delete_notes", json!({ "ids": ["note-berg"] })).await.assert_ok();
}

#[tokio::test]
async fn answers_are_cut_to_80_kb_and_say_how_to_get_the_rest() {
    let app = app_with(long_records(100)).await;
    let pages = read_pages(&app, "list_tasks", json!({ "limit": 100, "text": "é😀" })).await;
    let seen: Vec<String> = pages.iter().flat_map(|(found, _)| ids(&found["tasks"])).collect();
    let expected: Vec<String> = (0..100).map(|number| format!("long-{number:03}")).collect();
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn long_note_and_task_are_bounded() {
    let app = app_with(long_records(1)).await;
    let (note, text) = bounded(&app, "get_note", json!({ "id": "long" })).await;
    assert_eq!(note["cut"], true);
    assert!(text.contains("Not complete") && text.contains("of 200000"), "{}", text.len());
    for (tool, arguments) in [
        ("get_task", json!({ "id": "long-000" })),
        ("get_overview", json!({})),
        ("search_notes", json!({})),
        ("update_tasks", json!({ "ids": ["long-000"], "description": "😀".repeat(20_000) })),
        ("get_task", json!({ "id": "long-000" })),
        ("update_notes", json!({ "ids": ["long"], "content": "z".repeat(200_000) })),
    ] {
        bounded(&app, tool, arguments).await;
    }
}

#[tokio::test]
async fn every_shopping_list_and_item_is_reachable() {
    let name = "\"é😀".repeat(60);
    let list = |number| {
        line!("shoppingList", &format!("list-{number:03}"), {
            "familyId": "berg", "name": name, "sortOrder": 10 + number,
        })
    };
    let item = |number| {
        line!("shoppingItem", &format!("item-{number:03}"), {
            "familyId": "berg", "listId": "list-007", "name": format!("Item {number}"), "quantity": "2 kg",
        })
    };
    let app = app_with((0..300).map(list).chain((0..900).map(item)).collect()).await;
    let (mut lists, mut items) = (Vec::new(), Vec::new());
    for (found, text) in read_pages(&app, "list_shopping", json!({})).await {
        for list in found["lists"].as_array().unwrap() {
            assert!(text.contains(&format!("[{}]: ", list["id"].as_str().unwrap())), "{list}");
            items.extend(ids(&list["items"]));
        }
        lists.extend(ids(&found["lists"]));
    }
    lists.dedup();
    let expected: Vec<String> = (0..300).map(|number| format!("list-{number:03}")).collect();
    assert!(lists.iter().filter(|id| *id != "list-berg").eq(&expected), "{lists:?}");
    let expected: Vec<String> = (0..900).map(|number| format!("item-{number:03}")).collect();
    assert_eq!(items, expected);
}

#[tokio::test]
async fn deletion_of_500_checked_items_is_bounded() {
    for (name, titles) in [("Oat milk".to_owned(), 50..51), ("\"é😀".repeat(60), 5..50)] {
        let item = |number| {
            line!("shoppingItem", &format!("0197a3c1-7c1e-7d52-9b1e-{number:012}"), {
                "familyId": "berg", "listId": "list-berg", "name": name, "checked": true, "addedById": "ann",
            })
        };
        let app = app_with((0..500).map(item).collect()).await;
        let response = call_raw(&app, "ann-full", V1, "delete_shopping_items", json!({ "checked": true })).await;
        assert!(response.body.len() <= MAX_ANSWER, "{} bytes", response.body.len());
        let result = response.assert_ok().json()["result"].clone();
        let found = &result["structuredContent"];
        let outcomes = found["outcomes"].as_array().unwrap();
        assert_eq!((&found["changed"], outcomes.len()), (&json!(500), 500), "{}", found["notices"]);
        let first = outcomes.iter().take_while(|outcome| outcome.get("title").is_some()).count();
        assert!(titles.contains(&first), "{first}");
        assert!(outcomes.iter().skip(first).all(|outcome| outcome.get("title").is_none()));
        assert!(found["notices"][0].as_str().unwrap().contains("repeat the call"), "{}", found["notices"]);
    }
}

/// Reads all parts of a text of a record. Returns it as the structured content and as the text have it, and the number
/// of parts.
async fn read_parts(app: &App, tool: &str, id: &str, field: &str, heading: &str) -> (String, String, usize) {
    let (mut content, mut shown, mut count) = (String::new(), String::new(), 0);
    let mut offset = Value::Null;
    loop {
        let arguments = json!({ "id": id, "offset": offset });
        let (found, text) = bounded(app, tool, arguments).await;
        let part = found[field].as_str().unwrap();
        assert!(part.chars().count() <= 10_000, "{tool} {id}");
        content += part;
        count += 1;
        let (before, part) =
            text.split_once(&format!("{heading} ({} characters):\n", found[format!("{field}Length")])).unwrap();
        shown += part.strip_suffix('\n').unwrap();
        assert!(before.contains(&format!("etag {}", found["etag"].as_str().unwrap())), "{before}");
        assert_eq!(found["cut"], before.contains("Do not write this part back"), "{before}");
        assert_eq!(found["notices"].is_array(), found["cut"] == true);
        for notice in found["notices"].as_array().into_iter().flatten() {
            assert!(before.contains(notice.as_str().unwrap()), "{before}");
        }
        if offset.is_null() && found["nextOffset"].is_null() {
            assert_eq!(found["cut"], false);
        }
        offset = found["nextOffset"].clone();
        assert_eq!(offset.is_null(), !before.contains("For the next part"), "{before}");
        if offset.is_null() {
            return (content, shown, count);
        }
        assert!(before.contains(&format!("with offset {offset}.")), "{before}");
    }
}

#[tokio::test]
async fn long_texts_are_read_in_parts_from_the_text_or_the_content() {
    let app = app_with(long_records(1)).await;
    let short = "milk\n- eggs\n\n".repeat(100);
    let page = "é".repeat(10_000);
    let escaped = "\u{1}ä\"😀\n".repeat(4_000);
    let emoji = "😀".repeat(10_000);
    for (tool, update, id, field, heading, text, parts) in [
        ("get_note", "update_notes", "note-berg", "content", "Content", short.as_str(), 1),
        ("get_note", "update_notes", "note-berg", "content", "Content", "", 1),
        ("get_note", "update_notes", "note-berg", "content", "Content", &page, 1),
        ("get_note", "update_notes", "note-berg", "content", "Content", &format!("{page}!"), 2),
        // As JSON, a part of 10,000 characters is longer than the half of an answer.
        ("get_note", "update_notes", "note-berg", "content", "Content", &emoji, 2),
        ("get_note", "update_notes", "long", "content", "Content", &escaped.repeat(2), 4),
        ("get_task", "update_tasks", "task-berg", "description", "Description", &short, 1),
        ("get_task", "update_tasks", "long-000", "description", "Description", &escaped, 2),
        ("get_event", "update_events", "event-berg", "description", "Description", &short, 1),
        ("get_event", "update_events", "event-berg", "description", "Description", &escaped, 2),
    ] {
        succeed(&app, "ann-full", update, json!({ "ids": [id], field: text })).await;
        let (content, shown, count) = read_parts(&app, tool, id, field, heading).await;
        assert!(shown == text && content == text, "{tool} {id}");
        assert_eq!(count, parts, "{tool} {id} {}", text.chars().count());
        let (found, _) = succeed(&app, "ann-rw", tool, json!({ "id": id })).await;
        assert_eq!(found[format!("{field}Length")], text.chars().count(), "{tool} {id}");
    }
    change_one(&app, "ann-rw", "update_notes", json!({ "ids": ["note-berg"], "content": "" })).await;
    let message = fail(&app, "ann-rw", "get_note", json!({ "id": "note-berg", "offset": 1 })).await;
    assert!(message.contains("offset: expected at most 0"), "{message}");
}

#[tokio::test]
async fn a_change_between_two_parts_gives_another_etag() {
    let app = app_with(long_records(1)).await;
    for (tool, update, id, field) in [
        ("get_note", "update_notes", "note-berg", "content"),
        ("get_task", "update_tasks", "task-berg", "description"),
        ("get_event", "update_events", "event-berg", "description"),
    ] {
        succeed(&app, "ann-full", update, json!({ "ids": [id], field: "a".repeat(15_000) })).await;
        let part = async |offset: u64| succeed(&app, "ann-full", tool, json!({ "id": id, "offset": offset })).await.0;
        let first = part(0).await;
        assert_eq!((&first["nextOffset"], &part(10_000).await["etag"]), (&json!(10_000), &first["etag"]), "{tool}");
        let notice = first["notices"][0].as_str().unwrap();
        assert!(
            notice.ends_with("repeat the call with offset 10000. If its etag is another, start again."),
            "{notice}"
        );
        let changed = json!({ "ids": [id], field: "b".repeat(15_000), "ifMatch": first["etag"] });
        succeed(&app, "ann-full", update, changed.clone()).await;
        let second = part(10_000).await;
        assert_ne!(second["etag"], first["etag"], "{tool}");
        assert!(fail(&app, "ann-full", update, changed).await.contains("changed by someone else"), "{tool}");
    }
}

#[tokio::test]
async fn page_of_an_allowed_origin_may_send_the_headers_of_mcp() {
    let app = App::on(StorageKind::Memory)
        .await
        .configured(|routes| routes.mcp().cors(["https://app.example".parse().unwrap()]));
    let preflight = anonymous(Method::OPTIONS, V1).add_header("origin", "https://app.example", true).add_header(
        "access-control-request-method",
        "POST",
        true,
    );
    let response = app.send(preflight).await;
    assert_eq!(response.status, 204);
    assert!(response.header("access-control-allow-methods").unwrap().contains("POST"));
    let headers = response.header("access-control-allow-headers").unwrap();
    for name in ["Authorization", "Content-Type", "Mcp-Method", "Mcp-Name", "MCP-Protocol-Version"] {
        assert!(headers.contains(name), "{headers}");
    }
}

#[tokio::test]
async fn response_names_the_called_tool_for_the_log() {
    let app = mcp(&App::on(StorageKind::Memory).await);
    let service: &Service = &app.service;
    for (method, params, tool) in [
        ("tools/call", json!({ "name": "list_tasks", "arguments": { "text": "canary" } }), Some("list_tasks")),
        ("tools/call", json!({ "name": "get_task", "arguments": {} }), Some("get_task")),
        ("tools/call", json!({ "name": "canary", "arguments": {} }), None),
        ("tools/list", json!({}), None),
    ] {
        let response = modern("ann-rw", V1, method, params).send(service).await;
        assert_eq!(ToolName::of(&response), tool);
    }
}

#[tokio::test]
async fn twenty_tasks_have_at_most_6_kb_of_text() {
    let task = |number| {
        line!("task", &format!("0197a3c1-7c1e-7d52-9b1e-{number:012}"), {
            "familyId": "berg", "columnId": "column-berg",
            "title": format!("Call the plumber about the kitchen tap {number}"),
            "description": "He is at home in the mornings.", "priority": "MEDIUM", "dueDate": "2026-11-19T17:30:00Z",
            "order": number, "labels": ["home", "phone"], "assigneeId": "ann", "creatorId": "ann",
        })
    };
    let app = app_with((0..25).map(task).collect()).await;
    let (found, text) = succeed(&app, "ann-rw", "list_tasks", json!({})).await;
    assert_eq!(found["tasks"].as_array().unwrap().len(), 20);
    assert!(text.len() <= 6 * 1024, "{} bytes", text.len());
    let response = call_raw(&app, "ann-rw", V1, "list_tasks", json!({})).await;
    assert!(response.body.len() <= 14 * 1024, "{} bytes", response.body.len());
}

#[tokio::test]
async fn imported_texts_of_any_length_are_bounded() {
    let huge = "\"😀".repeat(30_000);
    let many: Vec<&str> = vec![&huge; 3];
    let app = app_with(vec![
        line!("board", "b", { "familyId": "berg", "name": huge }),
        line!("column", "c", { "familyId": "berg", "boardId": "b", "name": huge }),
        line!("task", "t", {
            "familyId": "berg", "columnId": "c", "title": huge, "description": huge, "priority": "HIGH", "labels": many,
            "assigneeId": "ann", "creatorId": "ann",
        }),
        line!("note", "n", { "familyId": "berg", "title": huge, "content": huge, "tags": many, "authorId": "ann" }),
        line!("event", "e", {
            "familyId": "berg", "title": huge, "description": huge, "startDate": NOW, "endDate": NOW, "location": huge,
        }),
        line!("shoppingList", "l", { "familyId": "berg", "name": huge }),
        line!("shoppingItem", "i", {
            "familyId": "berg", "listId": "l", "name": huge, "quantity": huge, "category": huge,
        }),
    ])
    .await;
    for (tool, arguments) in [
        ("get_overview", json!({})),
        ("list_tasks", json!({})),
        ("get_task", json!({ "id": "t" })),
        ("list_events", json!({})),
        ("list_shopping", json!({})),
        ("search_notes", json!({})),
        ("get_note", json!({ "id": "n" })),
        ("get_event", json!({ "id": "e" })),
        ("update_tasks", json!({ "ids": ["t"], "priority": "LOW" })),
        ("update_tasks", json!({ "ids": ["t"], "column": "c", "order": 3 })),
        ("complete_tasks", json!({ "ids": ["t"] })),
        ("update_notes", json!({ "ids": ["n"], "pinned": true })),
    ] {
        bounded(&app, tool, arguments).await;
    }
}
