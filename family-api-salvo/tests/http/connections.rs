//! The routes of connections (HTTP reference, "Connections").

use salvo::http::Method;
use serde_json::json;

use crate::storages::{StorageKind, on_every_storage};
use crate::support::{App, NOW, fixture};

const CONNECTIONS: &str = "/api/users/me/connections";

on_every_storage! {
    async fn connection_is_listed_and_ended(app: App) {
        app.connect("ann", "grant-ann").await;
        let list = app.send_in_session("ann", Method::GET, CONNECTIONS).await;
        assert_eq!(list.header("cache-control"), Some("private, no-cache"));
        let expected = json!({
            "id": "grant-ann", "client": "Claude", "host": "claude.example", "mode": "v1_read",
            "scopes": ["v1.read"], "resource": "/api/v1/mcp", "createdAt": NOW, "lastUsedAt": null,
        });
        assert_eq!(list.assert_ok().json(), json!({ "connections": [expected], "misused": [] }));

        let path = format!("{CONNECTIONS}/grant-ann");
        let ended = app.send_in_session("ann", Method::DELETE, &path).await;
        assert_eq!(ended.assert_ok().json(), json!({ "ok": true, "id": "grant-ann", "revokedAt": NOW }));
        app.send_in_session("ann", Method::DELETE, &path).await.assert_problem(404, "not_found");
        let list = app.send_in_session("ann", Method::GET, CONNECTIONS).await;
        assert_eq!(list.json(), json!({ "connections": [], "misused": [] }));
    }

    async fn host_without_grants_has_no_trace_of_connections(kind: StorageKind) {
        let (storage, _location) = fixture::seeded(kind).await;
        let app = App::with_storage(storage);
        assert_eq!(app.send_in_session("ann", Method::GET, CONNECTIONS).await.status, 404);
        let path = format!("{CONNECTIONS}/grant-ann");
        assert_eq!(app.send_in_session("ann", Method::DELETE, &path).await.status, 404);
        let document = app.send_in_session("ann", Method::GET, "/openapi.json").await;
        let mut document = document.assert_ok().json();
        // The number of ended connections is always in this response. Here, it is 0.
        let revoked = &mut document["components"]["schemas"]["RevokedAccess"];
        assert!(revoked["properties"].as_object_mut().unwrap().remove("connections").is_some());
        revoked["required"].as_array_mut().unwrap().retain(|name| name != "connections");
        let document = document.to_string().to_lowercase();
        for trace in ["connection", "grantid", "oauth", "consent"] {
            assert!(!document.contains(trace), "{trace}");
        }
    }
}
