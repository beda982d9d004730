//! An export can be imported again, whatever the imported order of tasks was.

use serde_json::json;

use crate::administration::removal::with;
use crate::backend::{Backend, on_each_backend};
use crate::client::with_token;
use crate::family::task;
use crate::sandbox::Sandbox;
use crate::session::{create_key, session_cookie};

on_each_backend! { an_export_of_tasks_at_the_highest_order_can_be_imported }

/// The highest order that an import accepts.
const HIGHEST: u64 = (1 << 53) - 1;

async fn an_export_of_tasks_at_the_highest_order_can_be_imported(backend: Backend) {
    let last = [with(task("last", "todo"), &[("order", json!(HIGHEST))])];
    let (sandbox, server) = Sandbox::with_families(backend).await.import_lines(&last).served();
    let token = create_key(&server, &session_cookie(&server, "ana").await).await.token;
    let created = with_token(&server, &token, "POST", "/api/v1/tasks", Some(json!({ "title": "at the end" }))).await;
    assert_eq!(created.status, 201, "{created:?}");
    // Takes the order of the first task, so the order of all others is raised.
    let to = json!({ "type": "move-task", "columnId": "todo", "order": 0 });
    let path = format!("/api/v1/tasks/{}", created.json()["id"].as_str().unwrap());
    assert_eq!(with_token(&server, &token, "PATCH", &path, Some(to)).await.status, 200);
    let export = sandbox.run(&["export", "-"], "");
    assert!(export.status.success(), "{export:?}");
    let export = String::from_utf8(export.stdout).unwrap();
    let copy = Sandbox::new(backend).await.import(&export);
    assert!(copy.status.success(), "{}", String::from_utf8_lossy(&copy.stderr));
}
