//! The end of all access of a user (HTTP reference, "Ending all access").

use salvo::http::Method;
use serde_json::json;

use crate::error_table::assert_session_headers;
use crate::storages::on_every_storage;
use crate::support::App;

const ACCESS: &str = "/api/users/me/access";

/// The keys of Ann that are neither revoked nor expired, with a request that each of them may make.
const KEYS_OF_ANN: [(&str, &str); 4] = [
    ("ann-mcp", "/api/mcp/read/notes"),
    ("ann-read", "/api/v1/me"),
    ("ann-rw", "/api/v1/read/tasks"),
    ("ann-full", "/api/v1/me"),
];

on_every_storage! {
    async fn one_request_ends_every_key_connection_and_feed(app: App) {
        app.connect("ann", "grant-ann").await;
        for (key, path) in KEYS_OF_ANN {
            app.send_with_token(key, Method::GET, path).await.assert_ok();
        }
        let keys = app.send_in_session("ann", Method::GET, "/api/users/me/mcp-tokens").await.json();
        let keys = keys["tokens"].as_array().unwrap().len();

        let ended = app.send_in_session("ann", Method::DELETE, ACCESS).await;
        assert_session_headers(ended.assert_ok());
        assert_eq!(ended.json(), json!({ "keys": keys, "connections": 1, "feeds": 1 }));

        for (key, path) in KEYS_OF_ANN {
            app.send_with_token(key, Method::GET, path).await.assert_problem(401, "invalid_token");
        }
        let write = app.send_json_with_token("ann-rw", Method::PATCH, "/api/v1/tasks/task-berg", "{}").await;
        write.assert_problem(401, "invalid_token");
        let keys = app.send_in_session("ann", Method::GET, "/api/users/me/mcp-tokens").await;
        assert_eq!(keys.assert_ok().json(), json!({ "tokens": [] }));
        let connections = app.send_in_session("ann", Method::GET, "/api/users/me/connections").await;
        assert_eq!(connections.assert_ok().json(), json!({ "connections": [], "misused": [] }));
        let feeds = app.send_in_session("ann", Method::GET, "/api/users/me/calendar-feeds").await;
        assert_eq!(feeds.assert_ok().json(), json!({ "feeds": [] }));
        let profile = app.send_in_session("ann", Method::GET, "/api/users/me").await;
        assert_eq!(profile.assert_ok().json()["personalApiEnabled"], false);

        let again = app.send_in_session("ann", Method::DELETE, ACCESS).await;
        assert_eq!(again.assert_ok().json(), json!({ "keys": 0, "connections": 0, "feeds": 0 }));
    }
}
