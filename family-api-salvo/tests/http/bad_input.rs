//! Invalid fields get the documented error and change nothing. For bodies that are not JSON, see `every_route.rs`.

use salvo::http::Method;

use crate::storages::on_every_storage;
use crate::support::{App, bearer, session};

const TASK: &str = "/api/v1/tasks/task-berg";
const KEYS: &str = "/api/users/me/mcp-tokens";

on_every_storage! {
    async fn every_invalid_value_is_reported_by_pointer_and_changes_nothing(app: App) {
        let before = app.snapshot().await;
        let (event, item) = ("/api/v1/events/event-berg", "/api/v1/shopping-items/item-berg");
        for (user_or_key, method, path, body, pointers) in [
            ("ann-rw", Method::PATCH, TASK, r#"{"title":7,"labels":["a",""]}"#, "/labels/1 /title"),
            ("ann-rw", Method::PATCH, TASK, r#"{"title":"new","id":"x","":1,"~/":null}"#, "/ /id /~0~1"),
            ("ann-rw", Method::PATCH, TASK, r#"{"title":"new","completed":true,"order":-1}"#, "/order"),
            ("ann-rw", Method::PATCH, TASK, r#"{"isPrivate":true,"assigneeId":"bob"}"#, "/assigneeId"),
            ("ann-rw", Method::PATCH, TASK, r#"{"type":"move-task","order":null,"x":1}"#, "/columnId /order /x"),
            ("ann-rw", Method::PATCH, "/api/v1/notes/note-berg", r#"{"pinned":0,"color":"red"}"#, "/color /pinned"),
            ("ann-full", Method::PATCH, event, r#"{"recurrence":"FREQ=NEVER"}"#, "/recurrence"),
            ("ann-full", Method::PATCH, item, r#"{"checked":null}"#, "/checked"),
            ("ann", Method::PATCH, "/api/users/me", r#"{"personalApiEnabled":1}"#, "/personalApiEnabled"),
            ("ann", Method::POST, KEYS, r#"{"mode":"v1","expiresAt":"2026-11-21"}"#, "/expiresAt /mode"),
            ("ann", Method::PATCH, "/api/boards/board-berg", r#"{"order":1.0}"#, "/order"),
            ("ann", Method::POST, "/api/boards", r#"{"description":7}"#, "/description /name"),
        ] {
            let request = if user_or_key == "ann" { session } else { bearer };
            let response = app.send(request(user_or_key, method, path).raw_json(body)).await;
            let mut found = response.assert_problem(422, "invalid_field").error_pointers();
            found.sort();
            assert_eq!(found.join(" "), pointers, "{body}");
        }
        assert_eq!(app.snapshot().await, before);
    }
}
