//! A tool says "changed" only of what it has changed itself.

use serde_json::json;
use sqlx::{ConnectOptions, Connection, Executor, PgConnection, SqliteConnection};
use tokio::join;

use crate::backend::{Backend, on_each_backend};
use crate::client::with_token;
use crate::sandbox::Sandbox;
use crate::session::{create_key, session_cookie};

on_each_backend! { a_tool_does_not_report_a_change_that_another_writer_has_made }

/// A transaction of another writer.
enum Writer {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Writer {
    async fn begin(sandbox: &Sandbox) -> Self {
        let mut writer = match sandbox.database() {
            Some(database) => Self::Postgres(database.connect().await),
            None => Self::Sqlite(sandbox.file().connect().await.unwrap()),
        };
        let begin = if sandbox.database().is_some() { "BEGIN" } else { "BEGIN IMMEDIATE" };
        writer.execute(begin).await;
        writer
    }

    async fn execute(&mut self, sql: &'static str) {
        match self {
            Self::Sqlite(connection) => drop(connection.execute(sql).await.unwrap()),
            Self::Postgres(connection) => drop(connection.execute(sql).await.unwrap()),
        }
    }

    async fn commit(mut self) {
        self.execute("COMMIT").await;
        match self {
            Self::Sqlite(connection) => connection.close().await.unwrap(),
            Self::Postgres(connection) => connection.close().await.unwrap(),
        }
    }
}

async fn a_tool_does_not_report_a_change_that_another_writer_has_made(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let token = create_key(&server, &session_cookie(&server, "ana").await).await.token;
    let call = async |tool: &str, arguments| {
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        with_token(&server, &token, "POST", "/api/v1/mcp", Some(call)).await.json()["result"].take()
    };
    let mut writer = Writer::begin(&sandbox).await;
    // As every writer that changes records of a family.
    writer.execute("UPDATE families SET revision = revision + 1 WHERE id = 'rivera'").await;
    writer.execute("UPDATE notes SET title = 'changed' WHERE id = 'wifi'").await;
    let update = call("update_note", json!({ "id": "wifi", "title": "changed" }));
    let commit = async {
        // Each of these reads ends after everything that the update reads before it waits for the writer.
        for _ in 0..10 {
            assert_eq!(call("get_note", json!({ "id": "wifi" })).await["structuredContent"]["title"], "wifi");
        }
        writer.commit().await;
    };
    let (updated, ()) = join!(update, commit);
    assert_eq!(updated["structuredContent"]["changed"], false, "{updated}");
}
