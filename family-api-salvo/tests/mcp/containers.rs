//! The tools that write boards, columns, shopping lists and categories of notes.

use serde_json::{Value, json};

use crate::client::{V1, call_raw, change_one, fail, mcp, names, result, succeed};
use crate::storages::on_every_storage;
use crate::support::App;
use crate::writes::{FULL, id_of, results};

on_every_storage! {
    async fn a_board_with_three_columns_is_made_changed_and_deleted(app: App) {
        let app = mcp(&app);
        let board = json!({ "kind": "board", "names": [" Holiday "], "isPrivate": true, "emoji": "🏖", "color": "#3366cc", "idempotencyKey": "b" });
        let (added, text) = succeed(&app, FULL, "add_containers", board.clone()).await;
        assert_eq!((results(&added), &added["outcomes"][0]["title"]), (vec!["added"], &json!("Holiday")));
        assert!(text.starts_with(&format!("Added: 1 of 1.\n- [{}] added Holiday\n", id_of(&added, 0))), "{text}");
        let (again, _) = succeed(&app, FULL, "add_containers", board).await;
        assert_eq!((results(&again), id_of(&again, 0)), (vec!["unchanged"], id_of(&added, 0)));
        let columns = json!({ "kind": "column", "names": ["Ideas", "Booked", "Done"], "board": "holiday", "idempotencyKey": "c" });
        let (columns_added, _) = succeed(&app, FULL, "add_containers", columns.clone()).await;
        assert_eq!(results(&columns_added), ["added"; 3]);
        assert_eq!(results(&succeed(&app, FULL, "add_containers", columns).await.0), ["unchanged"; 3]);
        let (overview, _) = succeed(&app, FULL, "get_overview", json!({})).await;
        let holiday = overview["boards"]["items"].as_array().unwrap().iter().find(|board| board["name"] == "Holiday").unwrap();
        assert_eq!(holiday["isPrivate"], true);
        let names: Vec<&Value> = holiday["columns"]["items"].as_array().unwrap().iter().map(|column| &column["name"]).collect();
        assert_eq!(names, ["Ideas", "Booked", "Done"]);

        let renamed = json!({ "kind": "column", "id": "Holiday / booked", "name": "Paid", "order": 7 });
        let (changed, text) = change_one(&app, FULL, "update_container", renamed).await;
        assert_eq!((&changed["name"], &changed["before"]), (&json!("Paid"), &json!({ "name": "Booked", "order": 1 })));
        assert!(text.starts_with("Changed: 1 of 1.\n- changed Column Paid ["), "{text}");
        let same = json!({ "kind": "column", "id": id_of(&columns_added, 1), "name": "Paid" });
        assert_eq!(change_one(&app, FULL, "update_container", same).await.0["changed"], false);

        let task = json!({ "tasks": [{ "title": "Tickets", "column": "ideas" }] });
        succeed(&app, FULL, "add_tasks", task).await;
        let full = fail(&app, FULL, "delete_containers", json!({ "kind": "board", "ids": ["Holiday"] })).await;
        assert!(full.contains("is not empty: move or delete what it contains first"), "{full}");
        let (deleted, text) = succeed(&app, FULL, "delete_containers", json!({ "kind": "column", "ids": ["ideas", "paid", "DONE", "Don"] })).await;
        assert_eq!(results(&deleted), ["failed", "deleted", "deleted", "failed"]);
        // The beginning of a name is not enough.
        assert!(text.contains("- [Don] failed (ids: no such name or id"), "{text}");
    }

    async fn lists_and_categories_are_made_changed_and_deleted(app: App) {
        let app = mcp(&app);
        let lists = json!({ "kind": "shopping_list", "names": ["Bakery", "Market 2"] });
        let (added, _) = succeed(&app, FULL, "add_containers", lists).await;
        let change = json!({ "kind": "shopping_list", "id": "bakery", "name": "Baker", "emoji": "🥖", "order": 0 });
        let (changed, _) = change_one(&app, FULL, "update_container", change).await;
        assert_eq!((&changed["id"], &changed["before"]["name"], &changed["before"]["emoji"]), (&json!(id_of(&added, 0)), &json!("Bakery"), &Value::Null));
        let (deleted, _) = succeed(&app, FULL, "delete_containers", json!({ "kind": "shopping_list", "ids": ["Baker", "market 2"] })).await;
        assert_eq!(results(&deleted), ["deleted", "deleted"]);

        let (added, _) = succeed(&app, FULL, "add_containers", json!({ "kind": "note_category", "names": ["Recipes"], "color": "#00ff00" })).await;
        let id = id_of(&added, 0);
        succeed(&app, FULL, "update_notes", json!({ "ids": ["note-berg"], "category": id })).await;
        let (changed, _) = change_one(&app, FULL, "update_container", json!({ "kind": "note_category", "id": "recipes", "name": "Food" })).await;
        assert_eq!((&changed["id"], &changed["name"]), (&json!(id), &json!("Food")));
        succeed(&app, FULL, "update_notes", json!({ "ids": ["note-berg"], "clear": ["category"] })).await;
        let (deleted, _) = succeed(&app, FULL, "delete_containers", json!({ "kind": "note_category", "ids": [id] })).await;
        assert_eq!(results(&deleted), ["deleted"]);
    }

    async fn wrong_arguments_for_containers_say_what_to_do(app: App) {
        let app = mcp(&app);
        for (tool, arguments, part) in [
            ("add_containers", json!({ "kind": "column", "names": ["x"] }), "board: is required for columns; there are Fixture [board-berg]"),
            ("add_containers", json!({ "kind": "column", "names": ["x"], "board": "Garage" }), "board: no such name or id; there are Fixture [board-berg]"),
            ("add_containers", json!({ "kind": "board", "names": ["x"], "board": "Fixture" }), "board: only columns have a board"),
            ("add_containers", json!({ "kind": "board", "names": ["x", " "] }), "name: "),
            ("add_containers", json!({ "kind": "board", "names": vec!["x"; 21] }), "names: expected a list of 1 to 20 names"),
            ("add_containers", json!({ "kind": "column", "names": ["x"], "board": "Fixture", "isPrivate": true }), "isPrivate"),
            ("add_containers", json!({ "kind": "shopping_list", "names": ["x"], "color": "#00ff00" }), "color"),
            ("add_containers", json!({ "kind": "board", "names": ["x"], "color": "red" }), "color"),
            ("update_container", json!({ "kind": "board", "id": "Fixture" }), "at least one field"),
            ("update_container", json!({ "kind": "board", "id": "Fix", "name": "x" }), "id: no such name or id; there are Fixture [board-berg]"),
            ("update_container", json!({ "kind": "note_category", "id": "category-berg", "order": 1 }), "order"),
            ("update_container", json!({ "kind": "board", "id": "board-berg", "order": -1 }), "order: expected an integer from 0"),
            ("delete_containers", json!({ "kind": "column", "ids": ["To do"] }), "is not empty"),
            ("delete_containers", json!({ "kind": "column", "ids": ["column-tal"] }), "ids: no such name or id"),
            ("delete_containers", json!({ "kind": "task", "ids": ["task-berg"] }), "kind: expected one of board, column"),
        ] {
            let message = fail(&app, FULL, tool, arguments.clone()).await;
            assert!(message.contains(part), "{tool} {arguments}: {message}");
        }
        let boards = app.read("tasks").await;
        assert_eq!((boards.as_array().unwrap().len(), &boards[0]["name"]), (1, &json!("Fixture")));
        // A key without the scopes sees none of the tools.
        let list = result(&app, "ann-rw", V1, "tools/list", json!({})).await;
        assert!(!names(&list).iter().any(|name| name.contains("container")), "{list}");
        let board = json!({ "kind": "board", "names": ["x"] });
        call_raw(&app, "ann-rw", V1, "add_containers", board).await.assert_problem(403, "insufficient_scope");
    }
}
