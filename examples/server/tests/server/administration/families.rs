//! `family add` and `family list`.

use serde_json::{Value, json};

use crate::administration::{error, field, json, output};
use crate::backend::{Backend, on_each_backend};
use crate::client::{sign_in, with_token};
use crate::family;
use crate::sandbox::Sandbox;
use crate::session::create_key;

on_each_backend! {
    added_families_are_listed,
    a_new_family_adds_a_task_and_an_item_at_once,
    the_first_records_have_the_names_of_the_operator_or_are_left_out,
    an_id_is_used_once,
    a_list_of_several_pages_is_complete,
}

async fn added_families_are_listed(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    assert_eq!(
        output(&sandbox, &["family", "add", "Berg \u{1b}[31m", "--id", "berg"]),
        "added the family Berg \u{fffd}[31m, id berg, with the board Home and the list Shopping\n"
    );
    let added = json(&sandbox, &["family", "add", "Zhou"]);
    assert_eq!((&added[0]["name"], &added[0]["members"]), (&json!("Zhou"), &json!(0)));
    let generated = added[0]["id"].as_str().unwrap();

    let families = json(&sandbox, &["family", "list"]);
    let mut ids = ["berg", generated, "okafor", "rivera"];
    ids.sort_unstable();
    assert_eq!(field(&families, "id"), ids);
    let rivera = &families[ids.iter().position(|id| *id == "rivera").unwrap()];
    assert_eq!(rivera["members"], 2);

    let table = output(&sandbox, &["family", "list"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 5, "{table}");
    assert!(lines[0].starts_with("Id ") && !table.contains('\u{1b}'), "{table}");
}

/// Returns the names of the boards, the columns and the shopping lists that a member of a family sees.
async fn names(sandbox: &Sandbox, family: &str) -> Value {
    let server = sandbox.serve();
    let email = format!("{family}@family.example");
    output(sandbox, &["user", "add", &email, "--name", "Eva", "--family", family, "--personal-api"]);
    assert!(sandbox.run(&["user", "set-password", &email, "--stdin"], "correct-horse\n").status.success());
    let cookie = sign_in(&server, &email, "correct-horse").await.cookie();
    let token = create_key(&server, &cookie).await.token;
    let read = async |path| with_token(&server, &token, "GET", path, None).await.json();
    let boards = read("/api/v1/read/tasks").await;
    let columns: Vec<Value> = boards.as_array().unwrap().iter().map(|board| board["columns"].clone()).collect();
    let columns: Vec<Vec<Value>> = columns.iter().map(|columns| field(columns.as_array().unwrap(), "name")).collect();
    let lists = read("/api/v1/read/shopping").await;
    json!({
        "boards": field(boards.as_array().unwrap(), "name"),
        "columns": columns,
        "lists": field(lists.as_array().unwrap(), "name"),
    })
}

async fn a_new_family_adds_a_task_and_an_item_at_once(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    output(&sandbox, &["family", "add", "Berg", "--id", "berg"]);
    let expected = json!({
        "boards": ["Home"], "columns": [["To do", "In progress", "Done"]], "lists": ["Shopping"],
    });
    assert_eq!(names(&sandbox, "berg").await, expected);
    // A refused family leaves nothing behind.
    assert_eq!(error(&sandbox, &["family", "add", "Berg", "--id", "berg"]), "--id exists already");
    sandbox.wait_for_rows("boards WHERE family_id = 'berg'", 1).await;
}

async fn the_first_records_have_the_names_of_the_operator_or_are_left_out(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let options = ["--board", " Zuhause ", "--column", "Offen", "--column", "Fertig", "--list", "Einkauf"];
    output(&sandbox, &[&["family", "add", "Berg", "--id", "berg"][..], &options].concat());
    let expected = json!({ "boards": ["Zuhause"], "columns": [["Offen", "Fertig"]], "lists": ["Einkauf"] });
    assert_eq!(names(&sandbox, "berg").await, expected);
    output(&sandbox, &["family", "add", "Zhou", "--id", "zhou", "--empty"]);
    assert_eq!(names(&sandbox, "zhou").await, json!({ "boards": [], "columns": [], "lists": [] }));
    let long = "x".repeat(201);
    for refused in [&["--board", ""][..], &["--column", " "], &["--list", &long], &["--empty", "--list", "Shopping"]] {
        let arguments = [&["family", "add", "Other"][..], refused].concat();
        assert_eq!(sandbox.run(&arguments, "").status.code(), Some(2), "{refused:?}");
    }
}

async fn an_id_is_used_once(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    assert_eq!(error(&sandbox, &["family", "add", "Rivera", "--id", "rivera"]), "--id exists already");
    assert_eq!(sandbox.run(&["family", "add", "Rivera", "--id", "a b"], "").status.code(), Some(2));
    assert_eq!(sandbox.run(&["family", "add", ""], "").status.code(), Some(2));
    assert_eq!(json(&sandbox, &["family", "list"]).len(), 2);
}

async fn a_list_of_several_pages_is_complete(backend: Backend) {
    let ids: Vec<String> = (0..2_001).map(|n| format!("f{n:04}")).collect();
    let sandbox = Sandbox::new(backend).await.import_lines(ids.iter().map(|id| family::family(id)));
    assert_eq!(field(&json(&sandbox, &["family", "list"]), "id"), ids);
    assert_eq!(output(&sandbox, &["family", "list"]).lines().filter(|line| line.starts_with('f')).count(), 2_001);
}
