//! `check` of a damaged database.

use std::fs;

use serde_json::{Value, json};

use crate::backend::{Backend, on_each_backend};
use crate::family;
use crate::sandbox::Sandbox;

on_each_backend! {
    a_missing_index_is_damage,
}

/// Runs `check`, which must fail. Returns the damage.
fn damage(sandbox: &Sandbox) -> Vec<Value> {
    let output = sandbox.run(&["check", "--json"], "");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), stderr.as_str()), (Some(1), "family-api-server: the database is damaged\n"));
    let checked: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&checked["counts"], &checked["unusual"]), (&json!({}), &Value::Null));
    checked["damage"].as_array().unwrap().clone()
}

async fn a_missing_index_is_damage(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    sandbox.execute("DROP INDEX users_of_family").await;
    let name = match backend {
        Backend::Sqlite => "changedSchema",
        Backend::Postgres => "missingObjects",
    };
    let [found] = &damage(&sandbox)[..] else { panic!() };
    let expected = (&json!(name), &json!(1), &json!(["index users_of_family"]));
    assert_eq!((&found["name"], &found["count"], &found["examples"]), expected);
}

#[tokio::test]
async fn a_changed_trigger_is_damage() {
    let sandbox = Sandbox::on_sqlite().import_families();
    sandbox.execute("DROP TRIGGER notes_updated").await;
    sandbox.execute("CREATE TRIGGER notes_updated AFTER UPDATE ON notes BEGIN SELECT 1; END").await;
    assert_eq!(damage(&sandbox)[0]["examples"], json!(["trigger notes_updated"]));
}

#[tokio::test]
async fn a_missing_parent_is_damage() {
    let sandbox = Sandbox::on_sqlite().import_families();
    sandbox.execute("PRAGMA foreign_keys = OFF; UPDATE tasks SET column_id = 'gone'").await;
    let [found] = &damage(&sandbox)[..] else { panic!() };
    assert_eq!((&found["name"], &found["examples"]), (&json!("missingParents"), &json!(["tasks refers to columns"])));
}

#[tokio::test]
async fn an_overwritten_page_is_damage() {
    let notes = (0..2_000).map(|n| family::note(&format!("n{n}"), "rivera"));
    let sandbox = Sandbox::on_sqlite().import_families().import_lines(notes);
    let path = sandbox.path("family.db");
    let mut bytes = fs::read(&path).unwrap();
    let position = bytes.windows(5).position(|window| window == b"n1234").unwrap();
    let page = position / 4_096 * 4_096;
    bytes[page..page + 4_096].fill(0xa5);
    fs::write(&path, bytes).unwrap();
    let found = damage(&sandbox);
    assert_eq!(found[0]["name"], "faults", "{found:?}");
    assert!(found[0]["examples"].as_array().unwrap().len() <= 5);
}
