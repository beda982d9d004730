//! Deleted records are bounded in bytes, and what a user deleted from private boards and lists goes with the user.

use serde_json::json;

use crate::administration::{json, removal};
use crate::backend::{Backend, on_each_backend};
use crate::client::with_token;
use crate::family;
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};

on_each_backend! {
    deleted_notes_are_bounded_in_bytes,
    a_removed_user_takes_along_what_was_deleted_from_private_boards_and_lists,
    a_missing_user_takes_along_what_was_deleted_from_private_boards_and_lists,
}

/// The maximum size of the deleted records of a kind. The server removes more after at most another MiB.
const MAX_BYTES: usize = 9 * 1024 * 1024;

async fn delete(server: &Server, token: &str, path: &str) {
    assert_eq!(with_token(server, token, "DELETE", path, None).await.status, 200, "{path}");
}

async fn deleted_notes_are_bounded_in_bytes(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve_with(&["--rate-limit", "off"], &[]);
    let token = create_key(&server, &session_cookie(&server, "ana").await).await.token;
    let content = "x".repeat(200_000);
    let mut paths = Vec::new();
    for _ in 0..100 {
        let body = json!({ "title": "long", "content": content });
        let created = with_token(&server, &token, "POST", "/api/v1/notes", Some(body)).await;
        let path = format!("/api/v1/notes/{}", created.json()["id"].as_str().unwrap());
        delete(&server, &token, &path).await;
        paths.push(path);
    }
    let too_many =
        format!("(SELECT sum(octet_length(record)) AS bytes FROM deleted_records) AS t WHERE bytes > {MAX_BYTES}");
    sandbox.wait_for_rows(&too_many, 0).await;
    let restore = async |path: &str| with_token(&server, &token, "POST", &format!("{path}/restore"), None).await.status;
    assert_eq!((restore(&paths[0]).await, restore(&paths[99]).await), (404, 200));
}

/// Returns a sandbox in which Ana has deleted a task and an item that are not private themselves, from her private board
/// and her private list.
async fn with_deleted_records(backend: Backend) -> Sandbox {
    let sandbox = Sandbox::with_families(backend).await.import_lines(&removal::private_records("ana"));
    let server = sandbox.serve();
    let token = create_key(&server, &session_cookie(&server, "ana").await).await.token;
    delete(&server, &token, "/api/v1/tasks/hers").await;
    delete(&server, &token, "/api/v1/shopping-items/ring").await;
    delete(&server, &token, "/api/v1/notes/wifi").await;
    assert!(server.stop().success());
    sandbox.wait_for_rows("deleted_records", 3).await;
    sandbox
}

async fn assert_only_the_note_is_left(sandbox: &Sandbox) {
    assert_eq!(sandbox.texts("SELECT id FROM deleted_records ORDER BY id").await, ["wifi"]);
}

async fn a_removed_user_takes_along_what_was_deleted_from_private_boards_and_lists(backend: Backend) {
    let sandbox = with_deleted_records(backend).await;
    json(&sandbox, &["user", "remove", "ana@family.example", "--yes"]);
    assert_only_the_note_is_left(&sandbox).await;
}

async fn a_missing_user_takes_along_what_was_deleted_from_private_boards_and_lists(backend: Backend) {
    let sandbox = with_deleted_records(backend).await;
    let others = [family::family("rivera"), family::user("ben", Some("rivera"), None)];
    let lines: Vec<String> = others.iter().map(ToString::to_string).collect();
    let updated = sandbox.run(&["import", "-", "--update", "--delete-missing", "--yes"], &lines.join("\n"));
    assert!(updated.status.success(), "{updated:?}");
    assert_only_the_note_is_left(&sandbox).await;
}
