//! Each tool, on the fixture.

use serde_json::json;

use crate::client::{call, mcp, text};
use crate::storages::on_every_storage;
use crate::support::App;

on_every_storage! {
    async fn list_tasks_returns_tasks_with_their_ids(app: App) {
        let app = mcp(&app);
        let result = call(&app, "ann-read", "list_tasks", json!({})).await;
        assert_eq!(result["structuredContent"]["tasks"][0]["id"], "task-berg", "{result}");
        assert!(text(&result).contains("Sweep [task-berg]"), "{result}");
    }
}
