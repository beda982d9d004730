//! Boards, columns, lists and categories, which need a session.

use serde_json::{Value, json};

use crate::records::EMAIL;
use crate::sandbox::{Sandbox, run};
use crate::sign_in::PASSWORD;

fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap()
}

#[test]
fn a_board_and_its_columns_are_set_up_and_removed() {
    let sandbox = Sandbox::new();
    let board = sandbox.run_signed_in(&["board", "add", "Garden", "--emoji", "🌱", "--private", "--json"]).json();
    assert_eq!((&board["name"], &board["isPrivate"]), (&json!("Garden"), &json!(true)));
    let column = sandbox.run_signed_in(&["column", "add", "To plant", "--board", id(&board), "--json"]).json();
    assert_eq!(column["boardId"], board["id"]);
    let shown = sandbox.run_signed_in(&["column", "rename", id(&column), "Planted"]).succeeded();
    assert!(shown.starts_with("Column    Planted\n"), "{shown}");
    let shown = sandbox.run_signed_in(&["board", "rename", id(&board), "Yard"]).succeeded();
    assert!(shown.starts_with("Board    🌱 Yard\n"), "{shown}");

    let (code, message) = sandbox.run_signed_in(&["board", "delete", id(&board)]).failed();
    assert!(code == 1 && message.contains("(not_empty)") && message.contains("empty one"), "{message}");
    sandbox.run_signed_in(&["column", "delete", id(&column)]).succeeded();
    let deleted = sandbox.run_signed_in(&["board", "delete", id(&board)]).succeeded();
    assert_eq!(deleted, format!("Deleted  {}\n", id(&board)));
    assert_eq!(sandbox.service.sessions.count(), (7, 0));
}

#[test]
fn a_list_and_a_category_are_added_renamed_and_deleted() {
    let sandbox = Sandbox::new();
    for (group, title) in [("list", "List"), ("category", "Category")] {
        let added = sandbox.run_signed_in(&[group, "add", "Market", "--json"]).json();
        let shown = sandbox.run_signed_in(&[group, "rename", id(&added), "Weekly"]).succeeded();
        let first: Vec<&str> = shown.lines().next().unwrap().split_whitespace().collect();
        assert_eq!(first, [title, "Weekly"]);
        sandbox.run_signed_in(&[group, "delete", id(&added)]).succeeded();
        assert_eq!(sandbox.run_signed_in(&[group, "delete", id(&added)]).failed().0, 4);
    }
}

#[test]
fn names_work_if_a_key_is_set_too() {
    let sandbox = Sandbox::new();
    let cookie = sandbox.service.sessions.open();
    let key = sandbox.service.key(family_api_core::key::KeyMode::V1Read);
    let run_with_key = |arguments: &[&str]| {
        run(sandbox.command(arguments).env("FAMILY_API_COOKIE", &cookie).env("FAMILY_API_TOKEN", &key))
    };
    let column = run_with_key(&["column", "add", "Later", "--board", "home", "--json"]).json();
    assert_eq!(column["boardId"], "home");
    run_with_key(&["column", "delete", "later"]).succeeded();
    assert!(run_with_key(&["list", "rename", "Groceries", "Food"]).succeeded().starts_with("List     Food\n"));
    // The name of the list is not empty, so it can be an id. The service does not know this id.
    assert_eq!(run_with_key(&["list", "rename", "Groceries", "Food"]).failed().0, 4);
    assert_eq!(run_with_key(&["board", "delete", "no such board"]).failed().0, 4);
}

#[test]
fn containers_need_a_session() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["board", "add", "Garden"]).failed().0, 3);
    assert_eq!(sandbox.run(&["column", "add", "To do"]).code, 2, "--board is missing");
}

#[test]
fn a_password_that_is_too_long_is_refused() {
    let sandbox = Sandbox::new();
    let long = PASSWORD.repeat(300);
    let (code, message) = sandbox.run_with_password(&long, &["keys", "list", "--email", EMAIL]).failed();
    assert!(code == 2 && message.contains("longer than 4,096 bytes"), "{message}");
    assert_eq!(sandbox.service.sessions.count(), (0, 0));
}
