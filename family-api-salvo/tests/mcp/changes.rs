//! What the answers to changes say: the values that were replaced, and what other records are called. A text can be
//! appended to a note.

use std::sync::Arc;

use salvo::http::Method;
use serde_json::{Value, json};
use tokio::task::yield_now;

use crate::client::{V1, call, call_raw, change_one, fail, mcp, succeed, text};
use crate::fault_injection::{Fault, FaultInjection};
use crate::storages::{StorageKind, on_every_storage};
use crate::support::{App, fixture};
use crate::writes::{FULL, id_of};

on_every_storage! {
    async fn answers_name_the_values_that_were_replaced(app: App) {
        let app = mcp(&app);
        let content = "a\n".repeat(200);
        for (tool, arguments, before, line) in [
            (
                "update_tasks",
                json!({ "ids": ["task-berg"], "title": "Mop", "dueDate": "2026-11-24", "labels": [], "assignee": "bob" }),
                json!({ "assignee": null, "dueDate": null, "labels": ["out"], "title": "Sweep" }),
                "Before: assignee none; dueDate none; labels out; title Sweep.\n",
            ),
            (
                "update_tasks",
                json!({ "ids": ["task-berg"], "title": "Mop", "clear": ["dueDate", "assignee"], "description": "Wet." }),
                json!({ "assignee": "bob", "description": null, "dueDate": "2026-11-24" }),
                "Before: assignee bob; description none; dueDate 2026-11-24.\n",
            ),
            (
                "update_tasks",
                json!({ "ids": ["task-berg"], "description": "Dry.", "isPrivate": true }),
                json!({ "assignee": null, "description": "Wet.", "isPrivate": false }),
                "Before: assignee none; description Wet.; isPrivate false.\n",
            ),
            (
                "update_notes",
                json!({ "ids": ["note-berg"], "content": content, "emoji": "📶", "tags": ["home"] }),
                json!({ "content": "on the fridge", "emoji": null, "tags": [] }),
                "Before: content on the fridge; emoji none; tags none.\n",
            ),
            (
                "update_events",
                json!({ "ids": ["event-berg"], "start": "2026-11-24T12:00", "emoji": "🦷", "timeZone": "Europe/Kyiv" }),
                json!({ "emoji": null, "end": "2026-11-24T11:00+01:00", "start": "2026-11-24T10:00+01:00", "timeZone": "Europe/Oslo" }),
                "Before: emoji none; end 2026-11-24T11:00+01:00; start 2026-11-24T10:00+01:00; timeZone Europe/Oslo.\n",
            ),
        ] {
            let (changed, text) = change_one(&app, FULL, tool, arguments.clone()).await;
            assert_eq!((&changed["before"], &changed["changed"]), (&before, &json!(true)), "{arguments}");
            assert!(text.contains(line), "{text}");
        }
        let (changed, _) = change_one(&app, FULL, "update_notes", json!({ "ids": ["note-berg"], "content": "" })).await;
        // The structured value can be written back.
        assert_eq!(changed["before"], json!({ "content": content }));
        let long = json!({ "ids": ["note-berg"], "content": "b\n".repeat(600), "pinned": true });
        let (changed, _) = change_one(&app, FULL, "update_notes", long).await;
        assert_eq!(changed["before"], json!({ "content": "", "pinned": false }));
        let (changed, text) = change_one(&app, FULL, "update_notes", json!({ "ids": ["note-berg"], "content": "" })).await;
        assert_eq!((changed.get("before"), &changed["beforeCut"]), (None, &json!(["content"])));
        assert!(text.ends_with("Before: content too long to repeat.\n"), "{text}");
        let (changed, text) = change_one(&app, FULL, "update_notes", json!({ "ids": ["note-berg"], "content": "" })).await;
        assert_eq!((changed.get("before").or(changed.get("beforeCut")), text.contains("Before")), (None, false), "{text}");
    }

    async fn answers_about_occurrences_name_what_they_were(app: App) {
        let app = mcp(&app);
        let piano = json!({
            "title": "Piano", "start": "2026-11-24T18:30", "end": "2026-11-24T19:30", "recurrence": "FREQ=WEEKLY;COUNT=9",
            "assignee": "bob",
        });
        let (added, text) = succeed(&app, FULL, "add_events", json!({ "events": [piano] })).await;
        let outcome = &added["outcomes"][0];
        assert_eq!((&outcome["assignee"], &outcome["recurrence"]), (&json!("bob"), &json!("FREQ=WEEKLY;COUNT=9")));
        assert!(text.contains("T19:30+01:00, repeated by FREQ=WEEKLY;COUNT=9, for bob; "), "{text}");
        let event = id_of(&added, 0);
        let second = format!("{event}@20261201T173000Z");
        let start = "2026-12-01T18:30+01:00";
        let only = json!({ "ids": [second], "assignee": "me", "title": "Concert" });
        let (changed, text) = change_one(&app, FULL, "update_events", only).await;
        assert_eq!((&changed["assignee"], &changed["before"]), (&json!("ann"), &json!({ "assignee": "bob", "title": "Piano" })));
        assert!(text.contains(", for ann\nBefore: assignee bob; title Piano.\n"), "{text}");
        let later = json!({ "ids": [format!("{event}@20261208T173000Z")], "scope": "following", "start": "2026-12-08T17:00" });
        let (changed, _) = change_one(&app, FULL, "update_events", later).await;
        let before = json!({ "start": "2026-12-08T18:30+01:00", "end": "2026-12-08T19:30+01:00" });
        assert_eq!((&changed["recurrence"], &changed["before"]), (&json!("FREQ=WEEKLY;COUNT=7"), &before));
        let (deleted, _) = change_one(&app, FULL, "delete_events", json!({ "ids": [second] })).await;
        assert_eq!((&deleted["title"], &deleted["start"]), (&json!("Concert"), &json!(start)));
        let task = json!({ "title": "Bins", "recurrence": "FREQ=WEEKLY;BYDAY=MO", "assignee": "me" });
        let (added, text) = succeed(&app, FULL, "add_tasks", json!({ "tasks": [task] })).await;
        let outcome = &added["outcomes"][0];
        assert_eq!((&outcome["assignee"], &outcome["recurrence"]), (&json!("ann"), &json!("FREQ=WEEKLY;BYDAY=MO")));
        assert!(text.contains("added Bins, Mon 2026-11-23, repeated by FREQ=WEEKLY;BYDAY=MO, for ann, in [column-berg]\n"), "{text}");
    }

    async fn a_text_is_appended_to_a_note(app: App) {
        let app = mcp(&app);
        let content = async || app.read("notes").await[0]["content"].clone();
        let append = |text: &str| json!({ "ids": ["note-berg"], "append": text });
        let (changed, text) = change_one(&app, FULL, "update_notes", append("- milk\n- eggs")).await;
        assert_eq!(content().await, "on the fridge\n- milk\n- eggs");
        let before = json!({ "content": "on the fridge" });
        assert_eq!((&changed["contentLength"], &changed["before"]), (&json!(27), &before), "{text}");
        // A client repeats a call whose answer it did not get.
        let (again, text) = change_one(&app, FULL, "update_notes", append("- milk\n- eggs")).await;
        assert_eq!((&again["changed"], &again["etag"]), (&json!(false), &changed["etag"]));
        let notice = "\nthe content ends with this text already, so it was not added again.\n";
        assert!(text.starts_with("Nothing changed.\n") && text.contains(notice), "{text}");
        let (changed, _) = change_one(&app, FULL, "update_notes", json!({ "ids": ["note-berg"], "append": "- salt", "pinned": true })).await;
        assert_eq!((content().await, &changed["pinned"]), (json!("on the fridge\n- milk\n- eggs\n- salt"), &json!(true)));
        let current = json!({ "ids": ["note-berg"], "append": "- tea", "ifMatch": changed["etag"] });
        change_one(&app, FULL, "update_notes", current.clone()).await;
        for (arguments, part) in [
            (json!({ "ids": ["note-berg"], "append": " \n" }), "append: expected a text that is not empty"),
            (json!({ "ids": ["note-berg"], "append": 7 }), "append: expected a text"),
            (json!({ "ids": ["note-berg"], "append": "x", "content": "y" }), "append: is given, and also content"),
            (json!({ "ids": ["note-berg"], "append": "x", "colour": "y" }), "\"colour\" is not a field"),
            (json!({ "ids": ["note-tal"], "append": "x" }), "No note with this id"),
            (json!({ "ids": ["note-berg"], "append": "x".repeat(199_990) }), "content: "),
            (json!({ "ids": ["note-berg"], "append": "x", "ifMatch": "old" }), "changed by someone else"),
        ] {
            let message = fail(&app, FULL, "update_notes", arguments).await;
            assert!(message.contains(part), "{message}");
        }
        assert_eq!(content().await, "on the fridge\n- milk\n- eggs\n- salt\n- tea");
    }
}

/// An app whose storage can hold a call.
struct HeldApp {
    app: App,
    storage: Arc<FaultInjection>,
}

impl HeldApp {
    async fn new() -> Self {
        let (storage, _location) = fixture::seeded(StorageKind::Memory).await;
        let storage = Arc::new(FaultInjection::new(storage));
        Self { app: mcp(&App::without_document_cache(storage.clone())), storage }
    }

    /// Calls a tool that updates, and changes the record after each read of the call, as often as `others` says.
    /// `change` returns the body of a change by its number.
    async fn call_during_changes(
        &self,
        (tool, arguments): (&str, Value),
        (path, change): (&str, impl Fn(usize) -> Value),
        others: usize,
    ) -> Value {
        let mut called = Box::pin(call(&self.app, FULL, tool, arguments));
        for number in 1..=others {
            // The lookup of the key comes first. Then each attempt reads and writes.
            let write = if number == 1 { 3 } else { 2 };
            self.storage.set_fault(Some((write, Fault::Slow)));
            tokio::select! {
                biased;
                result = &mut called => panic!("{result}"),
                () = async { while self.storage.calls() < write { yield_now().await } } => {}
            }
            let body = change(number).to_string();
            self.app.send_json_in_session("bob", Method::PATCH, path, body).await.assert_ok();
        }
        self.storage.set_fault(None);
        called.await
    }
}

/// Appends a line to the note during changes of its content. `current` is the etag in the `ifMatch` that stands for the
/// stored note. Returns the result and the content.
async fn append_during_changes(others: usize, if_match: Option<&str>) -> (Value, Value) {
    let held = HeldApp::new().await;
    let mut arguments = json!({ "ids": ["note-berg"], "append": "last" });
    if let Some(if_match) = if_match {
        let (note, _) = succeed(&held.app, FULL, "get_note", json!({ "id": "note-berg" })).await;
        arguments["ifMatch"] = json!(if_match.replace("current", note["etag"].as_str().unwrap()));
    }
    let change = |number| json!({ "content": format!("by another {number}") });
    let update = ("update_notes", arguments);
    let result = held.call_during_changes(update, ("/api/notes/note-berg", change), others).await;
    (result, held.app.read("notes").await[0]["content"].clone())
}

#[tokio::test]
async fn a_text_is_appended_to_what_another_member_writes() {
    for others in 1..=3 {
        for if_match in [None, Some("*")] {
            let (result, content) = append_during_changes(others, if_match).await;
            assert_eq!(content, format!("by another {others}\nlast"), "{result}");
        }
        for if_match in ["current", "\"current\", \"old\""] {
            let (result, content) = append_during_changes(others.min(1), Some(if_match)).await;
            assert_eq!((&result["isError"], content), (&json!(true), json!("by another 1")));
            assert!(text(&result).contains("changed by someone else"), "{result}");
        }
    }
    let (result, content) = append_during_changes(4, None).await;
    assert_eq!((&result["isError"], content), (&json!(true), json!("by another 4")));
    assert!(text(&result).contains("others change the note at this moment. Repeat the call"), "{result}");
}

#[tokio::test]
async fn a_day_keeps_the_time_that_another_member_sets() {
    let event = |number| json!({ "startDate": format!("2026-11-24T1{number}:30:00+01:00"), "endDate": "2026-11-24T18:00:00+01:00" });
    let task = |number| json!({ "dueDate": format!("2026-11-24T1{number}:45:00+01:00") });
    for others in 1..=3 {
        let held = HeldApp::new().await;
        let update = ("update_events", json!({ "ids": ["event-berg"], "start": "2026-12-01" }));
        let changed = held.call_during_changes(update, ("/api/events/event-berg", event), others).await;
        let changed = &changed["structuredContent"]["outcomes"][0];
        let start = format!("2026-12-01T1{others}:30+01:00");
        assert_eq!((&changed["start"], &changed["end"]), (&json!(start), &json!("2026-12-01T18:00+01:00")));
        assert_eq!(changed["before"]["start"], format!("2026-11-24T1{others}:30+01:00"));

        let held = HeldApp::new().await;
        let update = ("update_tasks", json!({ "ids": ["task-berg"], "dueDate": "2026-12-01" }));
        let changed = held.call_during_changes(update, ("/api/tasks/task-berg", task), others).await;
        assert_eq!(changed["structuredContent"]["outcomes"][0]["dueDate"], format!("2026-12-01T1{others}:45+01:00"));
    }
    let held = HeldApp::new().await;
    let update = ("update_events", json!({ "ids": ["event-berg"], "start": "2026-12-01" }));
    let refused = held.call_during_changes(update, ("/api/events/event-berg", event), 4).await;
    assert!(text(&refused).contains("others change the event at this moment. Repeat the call"), "{refused}");
    assert_eq!(held.app.read("events").await[0]["startDate"], "2026-11-24T13:30:00.000Z");
}

#[tokio::test]
async fn people_are_shown_by_their_ids_if_the_members_cannot_be_read() {
    for fault in [Fault::Unavailable, Fault::Backend] {
        let HeldApp { app, storage } = HeldApp::new().await;
        // The lookup of the key and the write come before, and the check of clashes after it.
        storage.set_fault(Some((3, fault)));
        let change = json!({ "ids": ["event-berg"], "participants": ["bob"] });
        let found = &call_raw(&app, FULL, V1, "update_events", change).await.assert_ok().json()["result"];
        assert_eq!((&found["isError"], storage.calls()), (&json!(false), 4));
        assert_eq!(found["structuredContent"]["outcomes"][0]["participants"], json!(["bob"]));
        assert!(!text(found).contains("canary"), "{found}");
    }
}
