//! The command `export`.

mod every_field;
#[cfg(unix)]
mod file;
#[cfg(target_os = "linux")]
mod memory;
mod snapshot;

use serde_json::{Value, json};

use crate::backend::{Backend, on_each_backend};
use crate::client::{sign_in, with_token};
use crate::family::{self, PASSWORD};
use crate::sandbox::Sandbox;

/// The digest of [`TOKEN`].
const DIGEST: &str = "c67c3a2e08dabeaf15a2c39efc562eb6bb26b4f181294acd709782c9d6b0ff7f";
const TOKEN: &str = "host_token-of-the-host";

on_each_backend! {
    an_export_is_imported_into_the_other_database_and_exported_unchanged,
    one_family_is_exported_with_its_users_and_keys,
    owners_that_do_not_exist_are_left_out,
    passwords_are_exported_only_if_asked,
    users_of_a_missing_family_have_none,
}

/// Returns what the command writes to standard output.
fn export(sandbox: &Sandbox, arguments: &[&str]) -> String {
    sandbox.succeed(&[&["export", "-"], arguments].concat(), "")
}

fn lines(export: &str) -> Vec<Value> {
    export.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// More records than a page has, and categories whose ids do not sort before those of their parents.
fn more_lines() -> Vec<Value> {
    let mut records = vec![
        family::key("k", "ana", DIGEST),
        family::category("z", "rivera", None),
        family::category("m", "rivera", Some("z")),
        family::category("a", "rivera", Some("m")),
        family::category("b", "rivera", Some("m")),
    ];
    records.extend((0..600).map(|n| family::category(&format!("n{n}"), "okafor", None)));
    records.push(family::category("a", "okafor", Some("n599")));
    records.extend((0..1_203).map(|n| family::note(&format!("n{n}"), "okafor")));
    records.iter_mut().filter(|record| record["id"] == "n7").for_each(|record| {
        record["content"] = json!("\u{0001} \" \\ \n \u{fffd} \u{1f600}");
        record["createdAt"] = json!("2026-11-20T09:00:00.007+01:00");
    });
    for record in records.iter_mut().filter(|record| record["type"] == "noteCategory") {
        // Categories have neither a content nor an instant.
        record.as_object_mut().unwrap().retain(|name, _| name != "content" && name != "createdAt");
    }
    records
}

async fn an_export_is_imported_into_the_other_database_and_exported_unchanged(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await.import_lines(more_lines());
    let first = export(&sandbox, &["--passwords"]);
    assert_eq!(lines(&first).len(), family::records().len() + more_lines().len());
    let other = Sandbox::new(if backend == Backend::Sqlite { Backend::Postgres } else { Backend::Sqlite }).await;
    assert!(other.import(&first).status.success());
    let second = export(&other, &["--passwords"]);
    assert!(first == second, "the second export differs");
    let back = Sandbox::new(backend).await;
    assert!(back.import(&second).status.success());
    assert!(export(&back, &["--passwords"]) == first, "the third export differs");
    let server = back.serve();
    assert_eq!(sign_in(&server, "ana@family.example", PASSWORD).await.status, 200);
    assert_eq!(with_token(&server, TOKEN, "GET", "/api/mcp/read/notes", None).await.status, 200);
}

async fn one_family_is_exported_with_its_users_and_keys(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await.import_lines(more_lines());
    let exported = lines(&export(&sandbox, &["--family", "rivera"]));
    let ids: Vec<&str> = exported.iter().map(|record| record["id"].as_str().unwrap()).collect();
    assert_eq!(
        ids,
        [
            "rivera",
            "ana",
            "ben",
            "k",
            "z",
            "m",
            "a",
            "b",
            "home",
            "todo",
            "dentist",
            "piano",
            "groceries",
            "milk",
            "wifi"
        ]
    );
    assert_eq!(sandbox.fail(&["export", "-", "--family", "nobody"], ""), "no family has the id nobody");
}

/// A database of a host can have users whose family does not exist.
async fn users_of_a_missing_family_have_none(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let unchecked = if backend == Backend::Sqlite { "PRAGMA foreign_keys = OFF; " } else { "" };
    sandbox.execute(&format!("{unchecked}UPDATE users SET family_id = 'gone' WHERE id = 'dora'")).await;
    let exported = export(&sandbox, &[]);
    let records = lines(&exported);
    assert_eq!(records.iter().find(|record| record["id"] == "dora").unwrap()["familyId"], Value::Null);
    assert!(Sandbox::new(backend).await.import(&exported).status.success());
    assert!(!sandbox.run(&["export", "-", "--family", "gone"], "").status.success());
}

async fn owners_that_do_not_exist_are_left_out(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    sandbox.execute("UPDATE boards SET owner_user_id = 'chidi'").await;
    sandbox.execute("UPDATE shopping_lists SET owner_user_id = 'nobody'").await;
    for (arguments, owner) in [(&[][..], json!("chidi")), (&["--family", "rivera"], Value::Null)] {
        let exported = export(&sandbox, arguments);
        let records = lines(&exported);
        let owner_of = |kind| &records.iter().find(|record| record["type"] == kind).unwrap()["ownerUserId"];
        assert_eq!((owner_of("board"), owner_of("shoppingList")), (&owner, &Value::Null));
        assert!(Sandbox::on_sqlite().import(&exported).status.success());
    }
}

async fn passwords_are_exported_only_if_asked(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    assert!(!export(&sandbox, &[]).contains("password"));
    let with_passwords = lines(&export(&sandbox, &["--passwords"]));
    let ana = with_passwords.iter().find(|record| record["id"] == "ana").unwrap();
    assert!(ana["password"]["hash"].as_str().unwrap().starts_with("$argon2id$"), "{ana}");
    assert_eq!(with_passwords.iter().find(|record| record["id"] == "ben").unwrap().get("password"), None);
}

#[test]
fn a_hash_of_another_kind_is_refused() {
    let sandbox = Sandbox::on_sqlite();
    for (password, field) in
        [(json!({ "hash": "canary" }), "password.hash"), (json!({ "plain": "canary" }), "password")]
    {
        let mut user = family::user("ana", None, None);
        user["password"] = password;
        let stderr = String::from_utf8(sandbox.import(&user.to_string()).stderr).unwrap();
        assert!(
            stderr.contains(&format!("line 1: field `{field}`: expected ")) && !stderr.contains("canary"),
            "{stderr}"
        );
    }
}
