//! Invalid bodies and paths get the documented error and change nothing.

use salvo::http::Method;

use crate::storages::on_every_storage;
use crate::support::{App, bearer, session};

const TASK: &str = "/api/v1/tasks/task-berg";
const NOTE: &str = "/api/v1/notes/note-berg";
const KEYS: &str = "/api/users/me/mcp-tokens";

/// Returns bodies that are not one JSON value (HTTP reference, "JSON"). The unit tests of the core have all forms.
fn invalid_json_bodies() -> Vec<Vec<u8>> {
    let nested = |depth: usize| format!(r#"{{"title":{}{}}}"#, "[".repeat(depth), "]".repeat(depth)).into_bytes();
    let texts = ["", "{", "NaN", r#"{"title":"x"} {}"#, r#"{"title":"x","\u0074itle":"y"}"#, r#"{"title":"\ud800"}"#];
    let mut bodies: Vec<Vec<u8>> = texts.map(|text| text.as_bytes().to_vec()).to_vec();
    bodies.extend([nested(32), nested(100_000), b"{\"title\":\"\xff\"}".to_vec()]);
    bodies.push("{}".encode_utf16().flat_map(u16::to_le_bytes).collect());
    bodies
}

/// Asserts that the requests change nothing that Ann can read.
async fn assert_unchanged<F: Future<Output = ()>>(app: &App, requests: F) {
    let before = app.snapshot().await;
    requests.await;
    assert_eq!(app.snapshot().await, before);
}

on_every_storage! {
    async fn invalid_json_is_400_and_changes_nothing(app: App) {
        assert_unchanged(&app, async {
            for body in invalid_json_bodies() {
                for request in [bearer("ann-rw", Method::PATCH, TASK), session("ann", Method::POST, KEYS)] {
                    let request = request.add_header("content-type", "application/json", true).body(body.clone());
                    app.send(request).await.assert_problem(400, "invalid_json");
                }
            }
        })
        .await;
    }

    async fn every_invalid_value_is_reported_by_pointer_and_changes_nothing(app: App) {
        assert_unchanged(&app, async {
            let (event, item) = ("/api/v1/events/event-berg", "/api/v1/shopping-items/item-berg");
            for (user_or_key, method, path, body, pointers) in [
                ("ann-rw", Method::PATCH, TASK, r#"{"title":7,"labels":["a",""]}"#, "/labels/1 /title"),
                ("ann-rw", Method::PATCH, TASK, r#"{"title":"new","id":"x","":1,"~/":null}"#, "/ /id /~0~1"),
                ("ann-rw", Method::PATCH, TASK, r#"{"type":"move-task","order":null,"x":1}"#, "/columnId /order /x"),
                ("ann-rw", Method::PATCH, NOTE, r#"{"pinned":0,"color":"red"}"#, "/color /pinned"),
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
        })
        .await;
    }

    async fn one_invalid_field_prevents_all_changes_of_a_patch(app: App) {
        assert_unchanged(&app, async {
            let body = r#"{"title":"new","completed":true,"order":-1}"#;
            assert_eq!(
                app.send_json_with_token("ann-rw", Method::PATCH, TASK, body).await.error_pointers(),
                ["/order"]
            );
            let body = r#"{"title":"new","columnId":"column-tal"}"#;
            app.send_json_with_token("ann-rw", Method::PATCH, TASK, body).await.assert_problem(404, "not_found");
            let body = r#"{"title":"new","assigneeId":"eve"}"#;
            app.send_json_with_token("ann-rw", Method::PATCH, TASK, body).await.assert_problem(404, "not_found");
            let body = r#"{"title":"new","categoryId":"category-tal"}"#;
            app.send_json_with_token("ann-rw", Method::PATCH, NOTE, body).await.assert_problem(404, "not_found");
        })
        .await;
    }
}
