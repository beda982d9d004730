//! Boards, columns, lists and categories, with a key and in a session.

use family_api_core::key::KeyMode;
use serde_json::json;

use crate::sandbox::{Sandbox, id, run};

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

    sandbox.run_signed_in(&["board", "delete", id(&board)]).failed_with(1, &["(not_empty)", "empty one"]);
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
fn every_container_is_written_with_a_key() {
    let sandbox = Sandbox::new();
    let board = sandbox.run(&["board", "add", "Garden", "--column", "To plant", "--json"]).json();
    sandbox.run(&["column", "add", "Done", "--board", "Garden"]).succeeded();
    sandbox.run(&["column", "order", "Done", "0"]).succeeded();
    for column in ["To plant", "Done"] {
        sandbox.run(&["column", "delete", column]).succeeded();
    }
    assert_eq!(sandbox.run(&["board", "delete", "garden"]).succeeded(), format!("Deleted  {}\n", id(&board)));
    for group in ["list", "category"] {
        let added = sandbox.run(&[group, "add", "Market", "--json"]).json();
        sandbox.run(&[group, "rename", id(&added), "Weekly"]).succeeded();
        sandbox.run(&[group, "delete", id(&added)]).succeeded();
    }
    assert_eq!(sandbox.service.sessions.count(), (0, 0));
    let refused = sandbox.run_with(KeyMode::V1ReadWrite, &["board", "add", "Garden"]);
    refused.failed_with(3, &["(insufficient_scope)", "use a key of mode v1_full"]);
}

#[test]
fn names_work_if_a_key_is_set_too() {
    let sandbox = Sandbox::new();
    let cookie = sandbox.service.sessions.open();
    let key = sandbox.service.key(KeyMode::V1Read);
    let run_with_key = |arguments: &[&str]| {
        run(sandbox.command(arguments).env("FAMILY_API_COOKIE", &cookie).env("FAMILY_API_TOKEN", &key))
    };
    let column = run_with_key(&["column", "add", "Later", "--board", "home", "--json"]).json();
    assert_eq!(column["boardId"], "home");
    run_with_key(&["column", "delete", "later"]).succeeded();
    assert!(run_with_key(&["list", "rename", "Groceries", "Food"]).succeeded().starts_with("List     Food\n"));
    for (arguments, unknown) in [
        (&["list", "rename", "Groceries", "Food"][..], "`Groceries`"),
        (&["board", "delete", "no such board"], "`no such board`"),
        (&["column", "add", "Later", "--board", "Garden"], "`Garden`"),
    ] {
        run_with_key(arguments).failed_with(4, &[&format!("the id or the name {unknown}")]);
    }
    // The list still has an item. The service says so, also if the list is named.
    assert!(run_with_key(&["list", "delete", "food"]).failed().1.contains("(not_empty)"));
}

#[test]
fn without_a_key_only_ids_are_known() {
    let sandbox = Sandbox::new();
    let renamed = sandbox.run_signed_in(&["list", "rename", "groceries", "Food"]).succeeded();
    assert!(renamed.starts_with("List     Food\n"), "{renamed}");
    sandbox.run_signed_in(&["list", "rename", "Food", "Market"]).failed_with(4, &["without a key, only ids are known"]);
    assert_eq!(sandbox.run_signed_in(&["list", "rename", "My food", "Market"]).failed().0, 3, "not an id");
}

#[test]
fn a_board_is_added_with_its_columns_in_one_session() {
    let sandbox = Sandbox::new();
    let add = ["board", "add", "Garden", "--column", "To plant", "--column", "Done"];
    let board = sandbox.run_signed_in(&[&add[..], &["--json"]].concat()).json();
    let columns: Vec<&str> =
        board["columns"].as_array().unwrap().iter().map(|column| column["name"].as_str().unwrap()).collect();
    assert_eq!(columns, ["To plant", "Done"]);
    assert_eq!(sandbox.service.sessions.count(), (1, 0));
    assert!(sandbox.run(&["task", "columns"]).succeeded().contains("Garden / To plant"));
    let shown = sandbox.run_signed_in(&add).succeeded();
    assert!(shown.contains("\nColumns  To plant, Done\n"), "{shown}");
    sandbox
        .run_signed_in(&[&add[..], &["--column", ""]].concat())
        .failed_with(2, &["was added, but not its column ``"]);
}

#[test]
fn a_board_a_column_and_a_list_get_another_position() {
    let sandbox = Sandbox::new();
    for (group, id, order) in
        [("board", "home", "order"), ("column", "todo", "order"), ("list", "groceries", "sortOrder")]
    {
        let shown = sandbox.run_signed_in(&[group, "order", id, "7", "--json"]).json();
        assert_eq!(shown[order], 7, "{group}");
    }
    assert!(sandbox.run(&["task", "columns"]).succeeded().ends_with("🏡 Home / To do        2           todo\n"));
    assert_eq!(sandbox.run_signed_in(&["board", "order", "home", "-1"]).failed().0, 2);
    assert_eq!(sandbox.run_signed_in(&["category", "order", "recipes", "1"]).code, 2, "categories have no order");
}
