//! `lastUsedAt` is shown to the owner of the key, and written by a background task (HTTP reference, "Listing keys").

use std::time::Duration;

use salvo::http::Method;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::storages::on_every_storage;
use crate::support::App;

/// Maximum wait until the background task has written the use.
const TIMEOUT: Duration = Duration::from_secs(30);

async fn last_used_at(app: &App, key: &str) -> Value {
    let list = app.send_in_session("ann", Method::GET, "/api/users/me/mcp-tokens").await.json();
    let listed = list["tokens"].as_array().unwrap().iter().find(|listed| listed["id"] == key).cloned();
    listed.unwrap_or_else(|| panic!("no {key} in {list}"))["lastUsedAt"].clone()
}

on_every_storage! {
    async fn last_use_is_recorded_to_the_minute(app: App) {
        assert_eq!(last_used_at(&app, "ann-read").await, Value::Null);
        assert_eq!(app.send_with_token("ann-read", Method::GET, "/api/v1/me").await.status, 200);
        let start = Instant::now();
        while last_used_at(&app, "ann-read").await.is_null() {
            assert!(start.elapsed() < TIMEOUT, "the use was not written");
            sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(last_used_at(&app, "ann-read").await, "2026-11-20T10:15:00.000Z");
        assert_eq!(last_used_at(&app, "ann-rw").await, Value::Null);
    }
}
