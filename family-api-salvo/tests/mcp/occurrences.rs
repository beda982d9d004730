//! The tools that change, skip and restore one occurrence of an event.

use serde_json::{Value, json};

use crate::client::{change_one, fail, mcp, succeed};
use crate::storages::on_every_storage;
use crate::support::App;
use crate::writes::{FULL, id_of};

/// Adds a weekly event on Tuesdays from 24 November 2026 on, at 18:30 in Oslo. Returns its id.
async fn add_piano(app: &App) -> String {
    let event = json!({
        "title": "Piano", "start": "2026-11-24T18:30", "end": "2026-11-24T19:30", "recurrence": "FREQ=WEEKLY",
    });
    id_of(&succeed(app, FULL, "add_events", json!({ "events": [event] })).await.0, 0)
}

/// Returns the id and the start of each occurrence until the end of the year.
async fn piano(app: &App) -> Vec<(String, String)> {
    let days = json!({ "from": "2026-11-24", "to": "2026-12-31", "text": "piano" });
    let found = succeed(app, FULL, "list_events", days).await.0;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let events = found["events"].as_array().unwrap();
    events.iter().map(|event| (text(&event["id"]), text(&event["start"]))).collect()
}

async fn starts(app: &App) -> Vec<String> {
    piano(app).await.into_iter().map(|(_, start)| start[5..16].to_owned()).collect()
}

on_every_storage! {
    async fn one_occurrence_is_skipped_and_restored(app: App) {
        let app = mcp(&app);
        add_piano(&app).await;
        let before = app.read("events").await;
        let (id, start) = piano(&app).await.swap_remove(2);
        let (skipped, text) = change_one(&app, FULL, "delete_events", json!({ "ids": [id] })).await;
        assert_eq!(
            skipped,
            json!({ "id": id, "changed": true, "result": "deleted", "scope": "this", "title": "Piano", "start": start, "when": "Tue 8 Dec 2026" })
        );
        let line = format!("- deleted Piano on Tue 8 Dec 2026 [{id}], {start}: only this occurrence\nrestore with kind event");
        assert!(text.starts_with(&format!("Events deleted: 1 of 1.\n{line}")), "{text}");
        assert_eq!(starts(&app).await, ["11-24T18:30", "12-01T18:30", "12-15T18:30", "12-22T18:30", "12-29T18:30"]);
        let again = fail(&app, FULL, "delete_events", json!({ "ids": [id], "scope": "this" })).await;
        assert!(again.contains("skipped already"), "{again}");
        let restore = json!({ "kind": "event", "ids": [id] });
        let (restored, text) = succeed(&app, FULL, "restore", restore.clone()).await;
        let outcome = json!({ "id": id, "result": "changed", "title": "Piano", "when": "Tue 8 Dec 2026" });
        assert_eq!(restored, json!({ "changed": 1, "outcomes": [outcome] }));
        assert!(text.contains(&format!("- [{id}] restored Piano, Tue 8 Dec 2026\n")), "{text}");
        assert_eq!(app.read("events").await[1]["recurrence"], before[1]["recurrence"]);
        let (restored, text) = succeed(&app, FULL, "restore", restore).await;
        assert_eq!(restored["changed"], 0);
        assert!(text.contains("unchanged Piano, Tue 8 Dec 2026 (is neither skipped nor changed)"), "{text}");
    }

    async fn one_occurrence_is_changed_alone(app: App) {
        let app = mcp(&app);
        let event = add_piano(&app).await;
        let (id, _) = piano(&app).await.swap_remove(1);
        let change = json!({ "ids": [id], "start": "2026-12-01T17:00", "location": "Hall" });
        let (changed, text) = change_one(&app, FULL, "update_events", change.clone()).await;
        for (field, value) in [
            ("id", json!(id)), ("scope", json!("this")), ("changed", json!(true)), ("location", json!("Hall")),
            ("start", json!("2026-12-01T17:00+01:00")), ("end", json!("2026-12-01T18:00+01:00")),
        ] {
            assert_eq!(changed[field], value, "{field}");
        }
        assert!(text.contains(&format!("- changed Event Piano [{id}], only this occurrence: Tue 2026-12-01T17:00+01:00 to")), "{text}");
        assert_eq!(starts(&app).await[..3], ["11-24T18:30", "12-01T17:00", "12-08T18:30"]);
        let (again, text) = change_one(&app, FULL, "update_events", change).await;
        assert_eq!(again["changed"], false);
        assert!(text.starts_with("Nothing changed.\n"), "{text}");
        // The id stays the same after the move, and the series can still be changed as a whole.
        let (changed, text) = change_one(&app, FULL, "update_events", json!({ "ids": [event], "title": "Piano 2" })).await;
        assert_eq!((&changed["scope"], &changed["id"]), (&json!("all"), &json!(event)));
        assert!(text.contains("], all occurrences: "), "{text}");
        succeed(&app, FULL, "restore", json!({ "kind": "event", "ids": [id] })).await;
        assert_eq!(starts(&app).await[1], "12-01T18:30");
    }

    async fn an_event_and_an_occurrence_are_read_whole(app: App) {
        let app = mcp(&app);
        let event = add_piano(&app).await;
        let long = format!("Bring\nthe {}", "notes. ".repeat(60));
        let all = json!({ "ids": [event], "description": long, "emoji": "🎹", "color": "#3366cc", "participants": ["me"] });
        change_one(&app, FULL, "update_events", all).await;
        let (id, _) = piano(&app).await.swap_remove(1);
        let change = json!({ "ids": [id], "start": "2026-12-01T17:00", "description": "Exam.", "assignee": "bob" });
        change_one(&app, FULL, "update_events", change).await;

        let days = json!({ "from": "2026-11-24", "to": "2026-12-02", "text": "piano" });
        let (listed, text) = succeed(&app, FULL, "list_events", days).await;
        let cut = |index: usize| listed["events"][index].get("descriptionCut").cloned();
        assert_eq!((cut(0), cut(1)), (Some(json!(true)), None));
        assert!(text.contains("… (cut)\n") && text.contains(": Exam.\n"), "{text}");

        let (series, text) = succeed(&app, FULL, "get_event", json!({ "id": event })).await;
        for (field, value) in [
            ("id", json!(event)), ("title", json!("Piano")), ("description", json!(long)), ("cut", json!(false)),
            ("emoji", json!("🎹")), ("color", json!("#3366cc")), ("timeZone", json!("Europe/Oslo")), ("recurrence", json!("FREQ=WEEKLY")), ("participants", json!(["ann"])),
            ("start", json!("2026-11-24T18:30+01:00")), ("weekday", json!("Tue")), ("allDay", json!(false)),
            ("descriptionLength", json!(long.chars().count())), ("assignee", Value::Null), ("occurrenceOf", Value::Null),
        ] {
            assert_eq!(*series.get(field).unwrap_or(&series["event"][field]), value, "{field}");
        }
        assert!(text.ends_with(&format!("characters):\n{long}\n")), "{text}");
        assert_eq!(series["event"]["timeZone"], "Europe/Oslo");
        let (one, text) = succeed(&app, FULL, "get_event", json!({ "id": id })).await;
        for (field, value) in [
            ("id", json!(id)), ("occurrenceOf", json!(event)), ("description", json!("Exam.")),
            ("start", json!("2026-12-01T17:00+01:00")), ("assignee", json!("bob")), ("participants", json!(["ann"])),
        ] {
            assert_eq!(*one.get(field).unwrap_or(&one["event"][field]), value, "{field}");
        }
        assert!(text.ends_with("Description (5 characters):\nExam.\n"), "{text}");
        for (id, part) in [
            (format!("{event}@20261209T173000Z"), "No such occurrence"),
            (format!("{event}@x"), "id: expected the id of an event or of an occurrence"),
            ("event-tal".to_owned(), "No event with this id is visible to you. Use an id that list_events returned"),
            ("Piano".to_owned(), "No event with this id"),
        ] {
            let message = fail(&app, FULL, "get_event", json!({ "id": id })).await;
            assert!(message.contains(part), "{message}");
        }
    }

    async fn a_scope_takes_other_occurrences_along(app: App) {
        let app = mcp(&app);
        let event = add_piano(&app).await;
        let (id, _) = piano(&app).await.swap_remove(2);
        let change = json!({ "ids": [id], "scope": "all", "start": "2026-12-08T17:00" });
        let (changed, text) = change_one(&app, FULL, "update_events", change).await;
        assert_eq!((&changed["scope"], &changed["start"]), (&json!("all"), &json!("2026-11-24T17:00+01:00")));
        assert!(text.contains("], all occurrences: Tue 2026-11-24T17:00+01:00 to"), "{text}");
        let (id, start) = piano(&app).await.swap_remove(2);
        let (ended, text) = change_one(&app, FULL, "delete_events", json!({ "ids": [id], "scope": "following" })).await;
        assert_eq!((&ended["scope"], &ended["start"]), (&json!("following"), &json!(start)));
        assert!(text.contains(&format!("- deleted Piano on Tue 8 Dec 2026 [{id}], {start}: this and the following occurrences\n")), "{text}");
        assert_eq!(starts(&app).await, ["11-24T17:00", "12-01T17:00"]);
        let (id, _) = piano(&app).await.swap_remove(1);
        let (deleted, text) = change_one(&app, FULL, "delete_events", json!({ "ids": [id], "scope": "all" })).await;
        assert_eq!((&deleted["id"], &deleted["scope"]), (&json!(event), &json!("all")));
        assert!(text.contains("all occurrences"), "{text}");
        assert!(piano(&app).await.is_empty());
        succeed(&app, FULL, "restore", json!({ "kind": "event", "ids": [event] })).await;
        assert_eq!(piano(&app).await.len(), 2);
    }

    async fn a_change_of_the_following_occurrences_answers_with_their_event(app: App) {
        let app = mcp(&app);
        let event = add_piano(&app).await;
        let (id, _) = piano(&app).await.swap_remove(2);
        let change = json!({ "ids": [id], "scope": "following", "start": "2026-12-08T17:00" });
        let (changed, text) = change_one(&app, FULL, "update_events", change).await;
        assert_eq!((&changed["scope"], &changed["changed"]), (&json!("following"), &json!(true)));
        assert_eq!((&changed["start"], &changed["end"]), (&json!("2026-12-08T17:00+01:00"), &json!("2026-12-08T18:00+01:00")));
        assert_ne!(changed["id"], json!(event));
        assert!(text.contains(&format!("[{}]", changed["id"].as_str().unwrap())), "{text}");
        assert_eq!(starts(&app).await, ["11-24T18:30", "12-01T18:30", "12-08T17:00", "12-15T17:00", "12-22T17:00", "12-29T17:00"]);
    }

    async fn an_occurrence_at_which_an_event_cannot_be_split_is_named_by_its_id(app: App) {
        let app = mcp(&app);
        let rule = "FREQ=WEEKLY;INTERVAL=2\nRDATE:20261210T183000";
        let choir = json!({ "title": "Choir", "start": "2026-11-24T18:30", "end": "2026-11-24T19:30", "recurrence": rule });
        succeed(&app, FULL, "add_events", json!({ "events": [choir] })).await;
        let days = json!({ "from": "2026-12-10", "to": "2026-12-10" });
        let (listed, _) = succeed(&app, FULL, "list_events", days).await;
        let change = json!({ "ids": [listed["events"][0]["id"]], "scope": "following", "title": "x" });
        let message = fail(&app, FULL, "update_events", change).await;
        assert!(message.contains("failed (id: the event cannot start here"), "{message}");
    }

    async fn ids_and_scopes_that_name_no_occurrence_are_refused(app: App) {
        let app = mcp(&app);
        let event = add_piano(&app).await;
        let other_day = format!("{event}@20261209T173000Z");
        let first = format!("{event}@20261124T173000Z");
        let before = app.read("events").await;
        for (tool, arguments, parts) in [
            ("update_events", json!({ "ids": [other_day], "title": "x" }), &["No such occurrence", "list_events"][..]),
            ("delete_events", json!({ "ids": [other_day] }), &["No such occurrence", "list_events"]),
            ("restore", json!({ "kind": "event", "ids": [other_day] }), &["makes no occurrence then"]),
            ("delete_events", json!({ "ids": [format!("{event}@tomorrow")] }), &["Nothing was done", "id: ", "@20261208T163000Z"]),
            ("update_events", json!({ "ids": [format!("{event}@")], "title": "x" }), &["Nothing was done", "id: "]),
            ("update_events", json!({ "ids": [event], "title": "x", "scope": "this" }), &["scope: needs ids of occurrences", "Omit scope"]),
            ("delete_events", json!({ "ids": [other_day], "scope": "all" }), &["No such occurrence", "list_events"]),
            ("delete_events", json!({ "ids": ["event-tal@20261124T090000Z"], "scope": "all" }), &["No such occurrence"]),
            ("delete_events", json!({ "ids": [event], "scope": "following" }), &["scope: needs ids of occurrences"]),
            ("delete_events", json!({ "ids": [first], "scope": "rest" }), &["scope: expected one of this, following, all"]),
            ("delete_events", json!({ "ids": [first], "scope": "following" }), &["scope: ", "delete the event"]),
            ("update_events", json!({ "ids": [first], "recurrence": "FREQ=DAILY" }), &["recurrence: belongs to the whole event"]),
            ("delete_events", json!({ "ids": ["event-berg@20261124T090000Z"] }), &["No such occurrence"]),
            ("delete_events", json!({ "ids": ["event-tal@20261124T090000Z"] }), &["No such occurrence"]),
        ] {
            let message = fail(&app, FULL, tool, arguments.clone()).await;
            for part in parts {
                assert!(message.contains(part), "{tool} {arguments}: {message}");
            }
        }
        assert_eq!(app.read("events").await, before);
    }
}
