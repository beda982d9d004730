//! The option `--connections`, which limits the connections to the database.

use serde_json::json;
use tokio::join;

use crate::backend::{Backend, on_each_backend};
use crate::client::with_token;
use crate::sandbox::Sandbox;
use crate::session::{create_key, session_cookie};
use crate::tables::SESSIONS;

on_each_backend! {
    one_database_connection_serves_many_concurrent_clients,
}

async fn one_database_connection_serves_many_concurrent_clients(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve_with(&["--connections", "1"], &[]);
    let token = &create_key(&server, &session_cookie(&server, "ana").await).await.token;
    let read = async || with_token(&server, token, "GET", "/api/v1/read/tasks", None).await.status;
    let write = async || {
        let body = Some(json!({ "pinned": true }));
        with_token(&server, token, "PATCH", "/api/v1/notes/wifi", body).await.status
    };
    for _ in 0..10 {
        let statuses = join!(read(), write(), read(), write(), read(), write(), read(), write());
        assert_eq!(statuses, (200, 200, 200, 200, 200, 200, 200, 200));
    }
    if backend == Backend::Postgres {
        assert_eq!(sandbox.count_rows(SESSIONS).await, 1);
    }
}
