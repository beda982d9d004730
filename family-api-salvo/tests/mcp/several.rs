//! Several records that are changed or deleted with one call, each with its own outcome.

use serde_json::{Value, json};

use crate::client::{fail, mcp, succeed};
use crate::storages::on_every_storage;
use crate::support::App;
use crate::writes::{FULL, id_of, results};

async fn add_tasks(app: &App, tasks: Value) -> Vec<String> {
    let (added, _) = succeed(app, FULL, "add_tasks", json!({ "tasks": tasks })).await;
    (0..tasks.as_array().unwrap().len()).map(|index| id_of(&added, index)).collect()
}

on_every_storage! {
    async fn everything_overdue_is_moved_to_one_day(app: App) {
        let app = mcp(&app);
        let ids = add_tasks(&app, json!([
            { "title": "Bins", "dueDate": "2026-11-16" },
            { "title": "Call", "dueDate": "2026-11-17T18:30" },
            { "title": "Paint", "dueDate": "2026-11-28" },
        ])).await;
        let (overdue, _) = succeed(&app, FULL, "list_tasks", json!({ "overdue": true })).await;
        let overdue: Vec<&Value> = overdue["tasks"].as_array().unwrap().iter().map(|task| &task["id"]).collect();
        assert_eq!(overdue, [&ids[0], &ids[1]]);
        let change = json!({ "ids": [ids[0], ids[1], ids[2], "missing", ids[0]], "dueDate": "2026-11-28" });
        let (moved, text) = succeed(&app, FULL, "update_tasks", change.clone()).await;
        assert_eq!((results(&moved), &moved["changed"]), (vec!["changed", "changed", "unchanged", "failed"], &json!(2)));
        let outcomes = &moved["outcomes"];
        assert_eq!((&outcomes[0]["dueDate"], &outcomes[1]["dueDate"]), (&json!("2026-11-28"), &json!("2026-11-28T18:30+01:00")));
        assert_eq!(outcomes[0]["before"], json!({ "dueDate": "2026-11-16" }));
        assert_eq!((outcomes[0].get("notices"), outcomes[1]["notices"].as_array().unwrap().len()), (None, 1));
        assert!(outcomes[3]["reason"].as_str().unwrap().starts_with("No task with this id"), "{moved}");
        assert!(text.starts_with(&format!("Tasks changed: 2 of 4.\n- changed Task Bins [{}]: open, MEDIUM, due Sat", ids[0])), "{text}");
        assert!(text.contains("\nBefore: dueDate 2026-11-16.\n- changed Task Call ["), "{text}");
        assert!(text.contains("- [missing] failed (No task with this id"), "{text}");
        let (again, text) = succeed(&app, FULL, "update_tasks", change).await;
        assert_eq!(results(&again), ["unchanged", "unchanged", "unchanged", "failed"]);
        assert!(text.starts_with("Nothing changed.\n"), "{text}");
    }

    async fn names_are_found_once_for_all_records(app: App) {
        let app = mcp(&app);
        let ids = add_tasks(&app, json!([{ "title": "a" }, { "title": "b" }, { "title": "c" }])).await;
        let (given, _) = succeed(&app, FULL, "update_tasks", json!({ "ids": ids, "assignee": "Bob", "column": "to do" })).await;
        assert_eq!(results(&given), ["changed"; 3]);
        assert!(given["outcomes"].as_array().unwrap().iter().all(|outcome| outcome["assignee"] == "bob"), "{given}");
        let unknown = json!({ "ids": ids, "assignee": "Taras" });
        let message = fail(&app, FULL, "update_tasks", unknown).await;
        assert!(message.starts_with("Nothing was done. Correct these arguments: assignee: no such name or id"), "{message}");
        assert_eq!(message.matches("assignee").count(), 1, "{message}");
        // The rules of one record do not stop the others.
        succeed(&app, FULL, "update_tasks", json!({ "ids": [ids[1]], "dueDate": "2026-12-01", "recurrence": "FREQ=DAILY" })).await;
        let (cleared, _) = succeed(&app, FULL, "update_tasks", json!({ "ids": [ids[1], ids[2]], "clear": ["dueDate", "assignee"] })).await;
        assert_eq!(results(&cleared), ["failed", "changed"]);
        assert!(cleared["outcomes"][0]["reason"].as_str().unwrap().contains("send `recurrence` as null too"), "{cleared}");
    }

    async fn tasks_are_moved_to_a_position_in_their_order(app: App) {
        let app = mcp(&app);
        let ids = add_tasks(&app, json!([{ "title": "a" }, { "title": "b" }, { "title": "c" }])).await;
        let change = json!({ "ids": [ids[2], ids[0]], "column": "To do", "order": 0 });
        let (moved, _) = succeed(&app, FULL, "update_tasks", change).await;
        assert_eq!((&moved["outcomes"][0]["order"], &moved["outcomes"][1]["order"]), (&json!(0), &json!(1)), "{moved}");
        let mut tasks = app.read("tasks").await[0]["columns"][0]["tasks"].as_array().unwrap().clone();
        tasks.sort_by_key(|task| task["order"].as_i64());
        let titles: Vec<&str> = tasks.iter().map(|task| task["title"].as_str().unwrap()).collect();
        assert_eq!(titles[..2], ["c", "a"], "{tasks:?}");
    }

    async fn events_items_and_notes_are_changed_and_deleted_together(app: App) {
        let app = mcp(&app);
        let event = |title: &str| json!({ "title": title, "start": "2026-11-25T10:00" });
        let (added, _) = succeed(&app, FULL, "add_events", json!({ "events": [event("a"), event("b")] })).await;
        let events = [id_of(&added, 0), id_of(&added, 1)];
        let change = json!({ "ids": [events[0], events[1], "event-tal"], "start": "2026-11-26", "participants": ["bob"] });
        let (moved, text) = succeed(&app, FULL, "update_events", change).await;
        assert_eq!(results(&moved), ["changed", "changed", "failed"]);
        for outcome in &moved["outcomes"].as_array().unwrap()[..2] {
            assert_eq!((&outcome["start"], &outcome["participants"]), (&json!("2026-11-26T10:00+01:00"), &json!(["bob"])));
            assert_eq!(outcome["clashes"]["events"].as_array().unwrap().len(), 1, "{moved}");
        }
        assert_eq!(text.matches("\nOverlaps with ").count(), 2, "{text}");
        let scoped = json!({ "ids": [events[0]], "scope": "this", "title": "x" });
        assert!(fail(&app, FULL, "update_events", scoped).await.contains("scope: needs ids of occurrences"));
        let (deleted, text) = succeed(&app, FULL, "delete_events", json!({ "ids": [events[0], events[1], "x"] })).await;
        assert_eq!((results(&deleted), &deleted["changed"]), (vec!["deleted", "deleted", "failed"], &json!(2)));
        assert_eq!(text.matches("restore with kind event").count(), 1, "{text}");

        let items = json!({ "items": [{ "name": "a" }, { "name": "b" }] });
        let (added, _) = succeed(&app, FULL, "add_shopping_items", items).await;
        let change = json!({ "ids": [id_of(&added, 0), id_of(&added, 1)], "category": "dairy" });
        let (changed, _) = succeed(&app, FULL, "update_shopping_items", change).await;
        assert_eq!(results(&changed), ["changed"; 2]);

        let (note, _) = succeed(&app, FULL, "add_note", json!({ "title": "x" })).await;
        let notes = json!(["note-berg", id_of(&note, 0)]);
        let (changed, _) = succeed(&app, FULL, "update_notes", json!({ "ids": notes, "append": "last", "pinned": true })).await;
        assert_eq!(results(&changed), ["changed"; 2]);
        let contents: Vec<Value> = app.read("notes").await.as_array().unwrap().iter().map(|note| note["content"].clone()).collect();
        assert!(contents.contains(&json!("on the fridge\nlast")) && contents.contains(&json!("last")), "{contents:?}");
        let (deleted, _) = succeed(&app, FULL, "delete_notes", json!({ "ids": notes })).await;
        assert_eq!((results(&deleted), app.read("notes").await), (vec!["deleted"; 2], json!([])));
        let tag = json!({ "ids": ["task-berg", "x"], "ifMatch": "1" });
        assert!(fail(&app, FULL, "delete_tasks", tag).await.contains("ifMatch: is the etag of one record"));
        let (deleted, _) = succeed(&app, FULL, "delete_tasks", json!({ "ids": ["task-berg", "task-tal"] })).await;
        assert_eq!(results(&deleted), ["deleted", "failed"]);
    }

    async fn fields_that_are_invalid_only_with_the_values_of_one_record_do_not_stop_the_others(app: App) {
        let app = mcp(&app);
        succeed(&app, FULL, "update_notes", json!({ "ids": ["note-berg"], "content": "x".repeat(200_000) })).await;
        let (note, _) = succeed(&app, FULL, "add_note", json!({ "title": "x" })).await;
        let short = id_of(&note, 0);
        let (long, mut line) = (json!("note-berg"), 0);
        for (ids, expected) in [([&long, &json!(short)], ["failed", "changed"]), ([&json!(short), &long], ["changed", "failed"])] {
            line += 1;
            let change = json!({ "ids": ids, "append": format!("line {line}") });
            let (changed, text) = succeed(&app, FULL, "update_notes", change).await;
            assert_eq!(results(&changed), expected);
            assert!(text.contains("[note-berg] failed (content: "), "{text}");
        }

        let event = |start: &str| json!({ "title": start, "start": start });
        let events = json!({ "events": [event("2026-11-25T10:00"), event("2026-11-25T08:00")] });
        let (added, _) = succeed(&app, FULL, "add_events", events).await;
        let (late, early) = (id_of(&added, 0), id_of(&added, 1));
        // The late one would end before it starts.
        let change = json!({ "ids": ["missing", late, early], "start": "2026-11-26", "end": "2026-11-26T09:30" });
        let (changed, text) = succeed(&app, FULL, "update_events", change).await;
        assert_eq!(results(&changed), ["failed", "failed", "changed"]);
        let outcomes = &changed["outcomes"];
        assert!(outcomes[0]["reason"].as_str().unwrap().starts_with("No event with this id"), "{text}");
        assert!(outcomes[1]["reason"].as_str().unwrap().starts_with("end: "), "{text}");
    }

    async fn an_answer_about_long_records_stays_short(app: App) {
        let app = mcp(&app);
        let tasks: Vec<Value> = (0..20).map(|number| json!({ "title": format!("{number} {}", "😀".repeat(490)) })).collect();
        let mut ids = add_tasks(&app, json!(tasks)).await;
        ids.extend(add_tasks(&app, json!(tasks)).await);
        let labels: Vec<String> = (0..20).map(|number| format!("{number}{}", "é".repeat(40))).collect();
        let change = json!({ "ids": ids, "labels": labels, "description": "x".repeat(900) });
        let (changed, text) = succeed(&app, FULL, "update_tasks", change).await;
        assert_eq!((&changed["changed"], results(&changed)), (&json!(40), vec!["changed"; 40]));
        assert!(changed.to_string().len() + text.len() <= 80 * 1024, "{}", changed.to_string().len() + text.len());
        let outcomes = changed["outcomes"].as_array().unwrap();
        assert!(outcomes[0].get("before").is_some() && outcomes[39].get("before").is_none(), "{}", outcomes[39]);
        assert_eq!(outcomes[39]["id"], ids[39]);
        assert!(outcomes[39]["reason"].as_str().unwrap().starts_with("read it for its values"), "{}", outcomes[39]);
    }
}
