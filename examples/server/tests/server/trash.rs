//! Deleted records and idempotency keys: the server keeps them for a time, then deletes them in the background.

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use serde_json::json;

use crate::backend::{Backend, on_each_backend};
use crate::client::{Response, request, send, with_token};
use crate::family;
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};

on_each_backend! {
    old_deleted_records_and_idempotency_keys_are_purged,
    an_import_refuses_the_ids_of_deleted_records,
}

/// More rows than the server deletes at once.
const COPIES: u32 = 700;

/// Creates a note. The idempotency key is also its title.
async fn create_note(server: &Server, token: &str, key: &str) -> String {
    let request = request(server, "POST", "/api/v1/notes").header(AUTHORIZATION, format!("Bearer {token}"));
    let request = request.header(CONTENT_TYPE, "application/json").header("idempotency-key", key);
    let created = send(request.body(json!({ "title": key }).to_string())).await;
    assert_eq!(created.status, 201, "{created:?}");
    created.json()["id"].as_str().unwrap().to_owned()
}

async fn delete(server: &Server, token: &str, path: &str) {
    assert_eq!(with_token(server, token, "DELETE", path, None).await.status, 200);
}

async fn restore(server: &Server, token: &str, path: &str) -> Response {
    with_token(server, token, "POST", &format!("{path}/restore"), None).await
}

/// Makes the only row of a table old, and copies it. `id` and `instant` are two of its columns.
async fn age(sandbox: &Sandbox, table: &str, id: &str, instant: &str, columns: &[&str]) {
    let numbers =
        format!("WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {COPIES})");
    let copied = columns.iter().map(|column| if *column == id { format!("{id} || n") } else { (*column).to_owned() });
    let (columns, copied) = (columns.join(", "), copied.collect::<Vec<_>>().join(", "));
    let copy = format!("{numbers} INSERT INTO {table} ({columns}) SELECT {copied} FROM {table} CROSS JOIN numbers");
    sandbox.execute(&format!("UPDATE {table} SET {instant} = '2026-01-01T00:00:00.000Z'")).await;
    sandbox.execute(&copy).await;
    sandbox.wait_for_rows(table, i64::from(COPIES) + 1).await;
}

async fn old_deleted_records_and_idempotency_keys_are_purged(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve();
    let token = create_key(&server, &session_cookie(&server, "ana").await).await.token;
    delete(&server, &token, "/api/v1/notes/wifi").await;
    let first = create_note(&server, &token, "first").await;
    assert!(server.stop().success());
    let columns = ["family_id", "kind", "id", "record", "deleted_at"];
    age(&sandbox, "deleted_records", "id", "deleted_at", &columns).await;
    let columns = ["family_id", "user_id", "key", "request", "kind", "record_id", "created_at"];
    age(&sandbox, "idempotency_keys", "key", "created_at", &columns).await;

    let server = sandbox.serve();
    delete(&server, &token, "/api/v1/tasks/dentist").await;
    let second = create_note(&server, &token, "second").await;
    for table in ["deleted_records", "idempotency_keys"] {
        sandbox.wait_for_rows(table, 1).await;
    }
    assert_eq!(restore(&server, &token, "/api/v1/notes/wifi").await.problem(), (404, "not_found".to_owned()));
    let restored = restore(&server, &token, "/api/v1/tasks/dentist").await;
    assert_eq!((restored.status, &restored.json()["title"]), (200, &json!("dentist")));
    assert_eq!(create_note(&server, &token, "second").await, second);
    assert_ne!(create_note(&server, &token, "first").await, first);
}

async fn an_import_refuses_the_ids_of_deleted_records(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let token = create_key(&server, &session_cookie(&server, "ana").await).await.token;
    let deleted = [
        ("/api/v1/tasks/dentist", family::task("dentist", "todo")),
        ("/api/v1/events/piano", family::event("piano", "rivera")),
        ("/api/v1/shopping-items/milk", family::item("milk", "groceries")),
        ("/api/v1/notes/wifi", family::note("wifi", "rivera")),
    ];
    for (path, _) in &deleted {
        delete(&server, &token, path).await;
    }
    for (path, record) in deleted {
        let output = sandbox.import(&format!("{}\n{record}\n", family::note("new", "rivera")));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with("family-api-server: line 2: field `id`: "), "{record}\n{stderr}");
        assert_eq!(restore(&server, &token, path).await.status, 200, "{path}");
    }
    // The same ids are free in another family, and for other kinds of records.
    delete(&server, &token, "/api/v1/notes/wifi").await;
    let free = [family::note("wifi", "okafor"), family::event("wifi", "rivera"), family::note("new", "rivera")];
    let output = sandbox.import(&free.map(|line| line.to_string()).join("\n"));
    assert!(output.status.success(), "{output:?}");
}
