//! Each tool, on the fixture. Every answer is validated against the output schema of its tool.

use serde_json::{Value, json};

use crate::client::{READ_PATH, V1, call_raw, change_one, fail, mcp, succeed};
use crate::storages::on_every_storage;
use crate::support::App;

on_every_storage! {
    async fn get_overview_returns_the_day_and_the_ids(app: App) {
        let (found, text) = succeed(&mcp(&app), "ann-read", "get_overview", json!({})).await;
        assert_eq!(found["today"], "2026-11-20");
        assert_eq!(found["now"], "2026-11-20T11:15:30+01:00");
        assert_eq!(found["timeZone"], "Europe/Oslo");
        assert_eq!(found["me"], "ann");
        assert_eq!(found["boards"]["items"][0]["columns"]["items"][0]["id"], "column-berg");
        assert_eq!(found["shoppingLists"]["items"], json!([{ "id": "list-berg", "name": "Market", "open": 0 }]));
        assert_eq!(found["events"]["items"][0]["start"], "2026-11-24T10:00+01:00");
        let members: Vec<&str> = found["members"]["items"].as_array().unwrap().iter()
            .map(|member| member["id"].as_str().unwrap()).collect();
        assert_eq!(members, ["ann", "bob"]);
        for part in ["2026-11-20", "Europe/Oslo", "board-berg", "column-berg", "list-berg", "event-berg", "[bob]"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    async fn list_tasks_filters_and_pages(app: App) {
        let app = mcp(&app);
        let (found, text) = succeed(&app, "ann-read", "list_tasks", json!({})).await;
        assert_eq!((&found["tasks"][0]["id"], &found["total"]), (&json!("task-berg"), &json!(1)));
        assert!(text.contains("Sweep [task-berg]"), "{text}");
        for (arguments, total) in [
            (json!({ "board": "board-berg", "column": "column-berg", "assignee": "unassigned" }), 1),
            (json!({ "assignee": "me" }), 0),
            (json!({ "assignee": "bob" }), 0),
            (json!({ "board": " fixture", "column": "TO DO" }), 1),
            (json!({ "column": "Fixture / To do" }), 1),
            (json!({ "assignee": "Bob" }), 0),
            (json!({ "status": "done" }), 0),
            (json!({ "status": "all", "text": "SWEEP" }), 1),
            (json!({ "dueFrom": "2026-11-01", "dueTo": "2026-12-01" }), 0),
            (json!({ "overdue": true }), 0),
            (json!({ "priority": "LOW" }), 1),
            (json!({ "priority": "HIGH" }), 0),
            (json!({ "limit": 1, "cursor": null }), 1),
        ] {
            let (found, _) = succeed(&app, "ann-read", "list_tasks", arguments.clone()).await;
            assert_eq!(found["total"], total, "{arguments}");
        }
    }

    async fn get_task_and_get_note_return_the_tag_for_if_match(app: App) {
        let app = mcp(&app);
        let (task, text) = succeed(&app, "ann-rw", "get_task", json!({ "id": "task-berg" })).await;
        assert!(text.contains(task["etag"].as_str().unwrap()), "{text}");
        let change = json!({ "ids": ["task-berg"], "title": "Sweep well", "ifMatch": task["etag"] });
        let (changed, _) = change_one(&app, "ann-rw", "update_tasks", change.clone()).await;
        assert_eq!((&changed["title"], &changed["changed"]), (&json!("Sweep well"), &json!(true)));
        let message = fail(&app, "ann-rw", "update_tasks", change).await;
        assert!(message.starts_with("Nothing changed.\n- [task-berg] failed (the task was changed") && message.contains("get_task"), "{message}");
        let (again, _) = succeed(&app, "ann-rw", "get_task", json!({ "id": "task-berg" })).await;
        assert_eq!(again["etag"], changed["etag"]);

        let (note, text) = succeed(&app, "ann-rw", "get_note", json!({ "id": "note-berg" })).await;
        assert_eq!((&note["content"], &note["cut"]), (&json!("on the fridge"), &json!(false)));
        assert!(text.contains("on the fridge"), "{text}");
        let quoted = format!("\"{}\"", note["etag"].as_str().unwrap());
        let change = json!({ "ids": ["note-berg"], "content": "moved", "ifMatch": quoted });
        let (changed, _) = change_one(&app, "ann-rw", "update_notes", change.clone()).await;
        assert_eq!(changed["contentLength"], 5);
        assert!(fail(&app, "ann-rw", "update_notes", change).await.contains("get_note"));
        let stale = json!({ "ids": ["note-berg"], "ifMatch": note["etag"] });
        assert!(fail(&app, "ann-rw", "delete_notes", stale).await.contains("get_note"));
        assert_eq!(app.read("notes").await[0]["content"], "moved");
    }

    async fn list_events_shopping_and_notes(app: App) {
        let app = mcp(&app);
        let (found, text) = succeed(&app, "ann-read", "list_events", json!({})).await;
        assert_eq!((&found["from"], &found["to"], &found["total"]), (&json!("2026-11-20"), &json!("2026-11-27"), &json!(1)));
        assert!(text.contains("- Tue 2026-11-24T10:00+01:00 to 2026-11-24T11:00+01:00: Dentist [event-berg]"), "{text}");
        assert_eq!((&found["events"][0]["weekday"], found["events"][0].get("endWeekday")), (&json!("Tue"), None));
        let none = json!({ "from": "2026-11-25", "to": "2026-11-30", "text": "dentist" });
        assert_eq!(succeed(&app, "ann-read", "list_events", none).await.0["total"], 0);
        let (found, text) = succeed(&app, "ann-read", "list_shopping", json!({ "list": "list-berg" })).await;
        assert_eq!(found["lists"][0]["name"], "Market");
        assert!(text.contains("Market [list-berg]: 0 open"), "{text}");
        let (found, text) = succeed(&app, "ann-read", "search_notes", json!({ "text": "FRIDGE" })).await;
        assert_eq!(found["notes"][0]["snippet"], "on the fridge");
        assert!(text.contains("Wifi [note-berg]"), "{text}");
        assert_eq!(succeed(&app, "ann-read", "search_notes", json!({ "tag": "none" })).await.0["total"], 0);
    }

    async fn updates_without_new_values_say_so_and_keep_the_etag(app: App) {
        let app = mcp(&app);
        for (tool, arguments, is_kept) in [
            ("update_tasks", json!({ "ids": ["task-berg"], "title": "Sweep", "dueDate": null }), true),
            ("update_tasks", json!({ "ids": ["task-berg"], "clear": ["dueDate", "assignee"] }), true),
            ("update_notes", json!({ "ids": ["note-berg"], "title": "Wifi" }), true),
            ("update_events", json!({ "ids": ["event-berg"], "title": "Dentist" }), true),
            // A move can change other tasks, so it is a change in any case.
            ("update_tasks", json!({ "ids": ["task-berg"], "column": "column-berg", "order": 0 }), false),
            ("update_tasks", json!({ "ids": ["task-berg"], "column": "To do" }), true),
        ] {
            let get = tool.replace("update", "get").trim_end_matches('s').to_owned();
            let (before, _) = succeed(&app, "ann-full", &get, json!({ "id": arguments["ids"][0] })).await;
            let (found, text) = change_one(&app, "ann-full", tool, arguments.clone()).await;
            assert_eq!(found["changed"], false, "{tool}: {found}");
            assert!(text.starts_with("Nothing changed.\n"), "{tool}: {text}");
            let (after, _) = succeed(&app, "ann-full", &get, json!({ "id": arguments["ids"][0] })).await;
            assert_eq!(after["etag"] == before["etag"], is_kept, "{tool} {arguments}");
            if let Some(etag) = found.get("etag") {
                assert_eq!(after["etag"], *etag, "{tool}");
                assert!(text.contains(etag.as_str().unwrap()), "{tool}: {text}");
            }
        }
        let (found, text) = succeed(&app, "ann-rw", "complete_tasks", json!({ "ids": ["task-berg"], "completed": false })).await;
        assert_eq!((&found["changed"], &found["outcomes"][0]["result"]), (&json!(0), &json!("unchanged")));
        assert!(text.starts_with("Nothing changed"), "{text}");
    }

    async fn complete_tasks_has_an_outcome_for_each_id(app: App) {
        let app = mcp(&app);
        let ids = json!({ "ids": ["task-tal", "task-berg", "missing", "not an id", "task-berg"] });
        let (found, text) = succeed(&app, "ann-rw", "complete_tasks", ids).await;
        let outcomes = found["outcomes"].as_array().unwrap();
        let results: Vec<Value> = outcomes.iter().map(|outcome| outcome["result"].clone()).collect();
        assert_eq!(results, ["failed", "changed", "failed", "failed"]);
        assert!(text.starts_with("Tasks completed: 1 of 4."), "{text}");
        assert!(outcomes[0]["reason"].as_str().unwrap().contains("list_tasks"), "{found}");
        let (found, _) = succeed(&app, "ann-rw", "list_tasks", json!({ "status": "done", "limit": 20.0 })).await;
        assert_eq!(found["tasks"][0]["id"], "task-berg");
        let message = fail(&app, "ann-rw", "complete_tasks", json!({ "ids": ["missing", "not an id"] })).await;
        assert!(message.starts_with("Nothing changed.\n- [missing] failed"), "{message}");
    }

    async fn delete_note_deletes_the_note(app: App) {
        let app = mcp(&app);
        let (found, text) = change_one(&app, "ann-rw", "delete_notes", json!({ "ids": ["note-berg"] })).await;
        assert_eq!(found, json!({ "id": "note-berg", "changed": true, "result": "deleted", "title": "Wifi" }));
        // The key cannot restore notes.
        assert!(text.contains("restored for 30 days, but not with this connection"), "{text}");
        assert_eq!(app.read("notes").await, json!([]));
        assert!(fail(&app, "ann-rw", "delete_notes", json!({ "ids": ["note-berg"] })).await.contains("search_notes"));
    }

    async fn invalid_arguments_say_what_to_do(app: App) {
        let app = mcp(&app);
        for (tool, arguments, parts) in [
            ("list_tasks", json!({ "dueFrom": "tomorrow" }), &["dueFrom", "YYYY-MM-DD", "get_overview", "tomorrow is 2026-11-21."][..]),
            ("list_tasks", json!({ "limit": 1000 }), &["limit", "1 to 100"]),
            ("list_tasks", json!({ "priority": "high" }), &["priority", "LOW, MEDIUM, HIGH, URGENT"]),
            ("list_tasks", json!({ "limit": "20" }), &["limit", "without quotes"]),
            ("list_tasks", json!({ "board": "Garage" }), &["board: no such name or id; there are Fixture [board-berg]"]),
            ("list_tasks", json!({ "board": "a b", "column": "To do" }), &["board: no such name or id; there are Fixture [board-berg]"]),
            ("list_tasks", json!({ "assignee": "Ann Tal" }), &["assignee: no such name or id; there are", "[bob]"]),
            ("list_tasks", json!({ "column": "Later" }), &["column: no such name or id; there are Fixture / To do [column-berg]"]),
            ("list_tasks", json!({ "overdue": true, "status": "done" }), &["overdue", "never overdue"]),
            ("list_tasks", json!({ "limit": 20.5 }), &["limit", "integer from 1 to 100"]),
            ("list_events", json!({ "to": "2026-11-19" }), &["to: ", "before today", "`from`"]),
            ("update_tasks", json!({ "ids": ["task-berg"], "title": "x", "ifMatch": 7 }), &["ifMatch", "etag"]),
            ("list_shopping", json!({ "cursor": "forged" }), &["cursor", "without `cursor`"]),
            ("list_tasks", json!({ "status": "completed" }), &["status", "open, done, all"]),
            ("list_tasks", json!({ "board_id": "x" }), &["\"board_id\" is not an argument", "are: board, column"]),
            ("list_tasks", json!({ "cursor": "forged" }), &["cursor", "without `cursor`"]),
            ("list_tasks", json!({ "dueFrom": "2026-12-02", "dueTo": "2026-12-01" }), &["dueFrom", "dueTo"]),
            ("list_events", json!({ "from": "2026-01-01", "to": "2028-01-01" }), &["to", "365 days"]),
            ("list_shopping", json!({ "list": "Bakery" }), &["list: no such name or id; there are Market [list-berg]"]),
            ("search_notes", json!({ "text": "" }), &["text"]),
            ("get_overview", json!({ "x": 1 }), &["no arguments"]),
            ("get_task", json!({}), &["id is required"]),
            ("get_task", json!({ "id": "Sweep" }), &["list_tasks", "a title is not an id"]),
            ("get_task", json!({ "id": "task-tal" }), &["list_tasks"]),
            ("get_note", json!({ "id": 7 }), &["id", "a string"]),
            ("update_tasks", json!({ "ids": ["task-berg"] }), &["at least one field", "dueDate"]),
            ("update_tasks", json!({ "ids": ["task-berg"], "due_date": "2026-11-24" }), &["\"due_date\"", "dueDate"]),
            ("update_tasks", json!({ "ids": ["task-berg"], "type": "move-task", "columnId": "column-berg", "order": 1 }), &["\"type\""]),
            ("update_tasks", json!({ "ids": ["task-berg"], "dueDate": "tomorrow" }), &["dueDate", "YYYY-MM-DD", "tomorrow is 2026-11-21."]),
            ("update_tasks", json!({ "ids": ["task-berg"], "priority": "urgent" }), &["priority", "URGENT"]),
            ("update_tasks", json!({ "ids": ["task-berg"], "assignee": "Taras" }), &["assignee: no such name or id; there are", "[bob]"]),
            ("update_notes", json!({ "ids": ["note-berg"], "content": 7, "title": 8 }), &["content", "title"]),
            ("update_tasks", json!({ "ids": ["task-berg"], "order": 1 }), &["column: is required"]),
            ("update_tasks", json!({ "ids": ["task-berg"], "column": "column-berg", "order": 1, "title": "x" }), &["title: is not a field"]),
            ("update_tasks", json!({ "ids": ["task-berg"], "assigneeId": "bob" }), &["\"assigneeId\" is not a field, use assignee", "The fields are: assignee"]),
            ("update_tasks", json!({ "ids": ["task-berg"], "dueDate": "", "assignee": "" }), &["assignee", "dueDate", "Omit", "clear"]),
            ("update_tasks", json!({ "ids": ["task-berg"], "column": "", "title": "x" }), &["column: no such name or id"]),
            ("update_tasks", json!({ "ids": ["task-berg"], "column": "none", "assignee": null }), &["column: no such name or id; there are Fixture / To do"]),
            ("update_notes", json!({ "ids": ["note-berg"], "category": "" }), &["category", "Omit", "clear"]),
            ("update_notes", json!({ "ids": ["note-berg"], "category": "none" }), &["category: no such name or id"]),
            ("update_tasks", json!({ "ids": ["none"], "column": "To do" }), &["No task with this id"]),
            ("update_tasks", json!({ "ids": ["task-berg"], "clear": ["title"] }), &["clear: expected a list of assignee, description, dueDate"]),
            ("update_tasks", json!({ "ids": ["task-berg"], "clear": [] }), &["at least one field"]),
            ("update_tasks", json!({ "ids": [], "title": "x" }), &["ids", "1 to 50"]),
            ("update_tasks", json!({ "id": "task-berg", "title": "x" }), &["ids is required"]),
            ("update_tasks", json!({ "ids": ["task-berg", "t"], "title": "x", "ifMatch": "1" }), &["ifMatch: is the etag of one record"]),
            ("complete_tasks", json!({ "ids": [] }), &["ids", "1 to 50"]),
            ("complete_tasks", json!({ "ids": "task-berg" }), &["ids", "list"]),
            ("delete_notes", json!({ "ids": ["Wifi"] }), &["search_notes"]),
        ] {
            let message = fail(&app, "ann-rw", tool, arguments.clone()).await;
            for part in parts {
                assert!(message.contains(part), "{tool} {arguments}: {message}");
            }
            assert!(message.len() < 600, "{message}");
        }
        assert_eq!(app.read("tasks").await[0]["columns"][0]["tasks"][0]["title"], "Sweep");
    }

    // The access matrix calls every tool with every credential.
    async fn refusal_names_the_missing_scope_and_the_other_endpoint(app: App) {
        let app = mcp(&app);
        let challenge = r#"Bearer realm="family-api", error="insufficient_scope", scope="#;
        for (key, tool, scopes) in [
            ("ann-read", "update_tasks", "v1.read v1.tasks.write"),
            ("ann-rw", "add_tasks", "v1.read v1.tasks.write v1.notes.write v1.tasks.manage"),
            ("ann-mcp", "get_overview", "v1.read"),
        ] {
            let response = call_raw(&app, key, V1, tool, json!({})).await;
            response.assert_problem(403, "insufficient_scope");
            assert_eq!(response.header("www-authenticate"), Some(&*format!("{challenge}\"{scopes}\"")), "{tool}");
            assert!(!response.text().contains("only reads"), "{response:?}");
        }
        // No scope of the read path permits a write, so a client must not ask for one.
        let response = call_raw(&app, "ann-rw", READ_PATH, "update_tasks", json!({})).await;
        response.assert_problem(403, "insufficient_scope");
        assert_eq!(response.header("www-authenticate"), None, "{response:?}");
        assert!(response.text().contains("This endpoint only reads: use /api/v1/mcp"), "{response:?}");
        let unknown = call_raw(&app, "ann-rw", READ_PATH, "drop_tables", json!({})).await;
        assert_eq!((unknown.status, unknown.json()["error"]["code"].clone()), (200, json!(-32602)));
    }
}
