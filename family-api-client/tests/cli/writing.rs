//! Every write that a key may do.

use family_api_core::key::KeyMode;

use crate::sandbox::Sandbox;

#[test]
fn a_task_is_done_and_reopened() {
    let sandbox = Sandbox::new();
    let done = sandbox.run(&["task", "done", "dentist", "--json"]).json();
    assert_eq!((&done["id"], &done["completed"]), (&"dentist".into(), &true.into()));
    let shown = sandbox.run(&["task", "reopen", "dentist"]).done();
    assert!(shown.starts_with("Task       Book the dentist\n"), "{shown}");
    assert!(sandbox.run(&["read", "tasks"]).done().contains("dentist"));
}

#[test]
fn a_task_moves_to_an_exact_place_or_to_the_end_of_a_column() {
    let sandbox = Sandbox::new();
    let columns = sandbox.run(&["task", "columns"]).done();
    assert!(columns.ends_with("🏡 Home / In progress  0           doing\n"), "{columns}");
    let moved = sandbox.run(&["task", "move", "dentist", "--column", "doing", "--order", "7", "--json"]).json();
    assert_eq!((&moved["columnId"], &moved["order"]), (&"doing".into(), &7.into()));
    let moved = sandbox.run(&["task", "move", "hostile", "--column", "doing", "--json"]).json();
    assert_eq!((&moved["columnId"], &moved["order"]), (&"doing".into(), &8.into()));
}

#[test]
fn a_note_is_deleted_once() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["note", "rm", "wifi"]).done(), "Deleted note  wifi\n");
    assert_eq!(sandbox.run(&["note", "rm", "wifi"]).failed().0, 4);
    assert_eq!(sandbox.run(&["read", "notes", "--json"]).json(), serde_json::json!([]));
}

#[test]
fn a_key_that_only_reads_changes_nothing() {
    let sandbox = Sandbox::new();
    for arguments in [&["task", "done", "dentist"], &["note", "rm", "wifi"]] {
        assert_eq!(sandbox.run_with(KeyMode::V1Read, arguments).failed().0, 3);
    }
}
