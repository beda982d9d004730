//! `family add` and `family list`.

use serde_json::json;

use crate::administration::{error, field, json, output};
use crate::backend::{Backend, on_each_backend};
use crate::family;
use crate::sandbox::Sandbox;

on_each_backend! {
    added_families_are_listed,
    an_id_is_used_once,
    a_list_of_several_pages_is_complete,
}

async fn added_families_are_listed(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    assert_eq!(
        output(&sandbox, &["family", "add", "Berg \u{1b}[31m", "--id", "berg"]),
        "added the family Berg \u{fffd}[31m, id berg\n"
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

async fn an_id_is_used_once(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    assert_eq!(error(&sandbox, &["family", "add", "Rivera", "--id", "rivera"]), "--id exists already");
    assert_eq!(sandbox.run(&["family", "add", "Rivera", "--id", "a b"], "").status.code(), Some(2));
    assert_eq!(sandbox.run(&["family", "add", ""], "").status.code(), Some(2));
    assert_eq!(json(&sandbox, &["family", "list"]).len(), 2);
}

async fn a_list_of_several_pages_is_complete(backend: Backend) {
    let ids: Vec<String> = (0..2_001).map(|n| format!("f{n:04}")).collect();
    let lines: Vec<String> = ids.iter().map(|id| family::family(id).to_string()).collect();
    let sandbox = Sandbox::new(backend).await.import_lines(&lines);
    assert_eq!(field(&json(&sandbox, &["family", "list"]), "id"), ids);
    assert_eq!(output(&sandbox, &["family", "list"]).lines().filter(|line| line.starts_with('f')).count(), 2_001);
}
