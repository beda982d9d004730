//! The list of deleted records (HTTP reference, "Deleted records").

use salvo::http::Method;
use serde_json::{Value, json};

use crate::storages::on_every_storage;
use crate::support::{App, NOW, session};

const DELETED: &str = "/api/users/me/deleted";

const PATHS: [&str; 4] =
    ["/api/tasks/task-berg", "/api/notes/note-berg", "/api/events/event-berg", "/api/shopping-items/item-berg"];

async fn list(app: &App, user: &str, query: &str) -> Value {
    app.send_in_session(user, Method::GET, &format!("{DELETED}{query}")).await.assert_ok().json()
}

on_every_storage! {
    async fn deleted_records_are_listed_and_restored(app: App) {
        assert_eq!(list(&app, "ann", "").await, json!({ "records": [], "nextCursor": null }));
        for path in PATHS {
            app.send_in_session("ann", Method::DELETE, path).await.assert_ok();
        }
        let listed = list(&app, "bob", "").await;
        let records = listed["records"].as_array().unwrap();
        let kinds: Vec<&str> = records.iter().map(|record| record["kind"].as_str().unwrap()).collect();
        assert_eq!((kinds, &listed["nextCursor"]), (vec!["task", "shopping_item", "note", "event"], &Value::Null));
        let expected = json!({
            "kind": "task", "id": "task-berg", "title": records[0]["title"], "deletedAt": NOW,
            "restorableUntil": "2026-12-20T10:15:30.123Z",
        });
        assert_eq!(records[0], expected);
        assert!(records.iter().all(|record| !record["title"].as_str().unwrap().is_empty()), "{records:?}");
        assert_eq!(list(&app, "eve", "").await["records"], json!([]));

        for path in PATHS {
            app.send_in_session("bob", Method::POST, &format!("{path}/restore")).await.assert_ok();
        }
        assert_eq!(list(&app, "ann", "").await["records"], json!([]));
    }

    async fn pages_of_deleted_records_continue_with_their_cursor(app: App) {
        for path in PATHS {
            app.send_in_session("ann", Method::DELETE, path).await.assert_ok();
        }
        let all = list(&app, "ann", "?limit=100").await["records"].as_array().unwrap().clone();
        let first = list(&app, "ann", "?limit=3").await;
        let cursor = first["nextCursor"].as_str().unwrap();
        let second = list(&app, "ann", &format!("?limit=3&cursor={cursor}")).await;
        assert_eq!(second["nextCursor"], Value::Null);
        let pages = [&first, &second].map(|page| page["records"].as_array().unwrap().clone()).concat();
        assert_eq!(pages, all);
        assert_eq!(list(&app, "ann", "?kind=task").await["records"], json!([all[0]]));

        let of_another_query = format!("?kind=task&cursor={cursor}");
        for bad in [of_another_query.as_str(), "?limit=0", "?kind=board", "?cursor=x", "?kind=task&kind=task"] {
            let refused = app.send(session("ann", Method::GET, &format!("{DELETED}{bad}"))).await;
            refused.assert_problem(400, "invalid_query");
        }
        let of_another_user = app.send(session("bob", Method::GET, &format!("{DELETED}?limit=3&cursor={cursor}"))).await;
        of_another_user.assert_problem(400, "invalid_query");
    }
}
