//! `import`: an invalid line is named in the error, and nothing of the file is imported.

use family_api_testing::with;
use serde_json::{Value, json};

use crate::backend::{Backend, on_each_backend};
use crate::client::sign_in;
use crate::family::{self, PASSWORD};
use crate::sandbox::Sandbox;

const DIGEST: &str = "c67c3a2e08dabeaf15a2c39efc562eb6bb26b4f181294acd709782c9d6b0ff7f";

/// A hash whose verification needs 4 TiB of memory.
const COSTLY_HASH: &str = "$argon2id$v=19$m=4294967295,t=1,p=1$bm9ib2R5LW5vYm9keS1ubw$AAAAAAAAAAAAAAAAAAAAAA";

/// Returns the record with these members replaced.
fn with_members(record: Value, members: Value) -> String {
    with(record, members).to_string()
}

fn without(mut record: Value, member: &str) -> String {
    record.as_object_mut().unwrap().remove(member);
    record.to_string()
}

/// Invalid lines, each with its invalid field. They are imported after the two families of the tests.
fn invalid_lines() -> Vec<(String, &'static str)> {
    let (user, task, note) = (
        || family::user("new", Some("rivera"), None),
        || family::task("new", "todo"),
        || family::note("new", "rivera"),
    );
    vec![
        ("{".to_owned(), ""),
        ("[]".to_owned(), ""),
        ("\u{feff}{}".to_owned(), ""),
        (r#"{"type":"family","type":"family"}"#.to_owned(), ""),
        ("{}".to_owned(), "type"),
        (with_members(note(), json!({ "type": "recipe" })), "type"),
        (with_members(note(), json!({ "colour": null })), "colour"),
        (with_members(task(), json!({ "assignee": null })), "assignee"),
        (without(note(), "title"), "title"),
        (without(task(), "familyId"), "familyId"),
        (with_members(note(), json!({ "title": null })), "title"),
        (with_members(note(), json!({ "tags": ["a", 1] })), "tags[1]"),
        (with_members(note(), json!({ "createdAt": "yesterday" })), "createdAt"),
        (with_members(note(), json!({ "content": "a\0b" })), "content"),
        (with_members(note(), json!({ "id": "a b" })), "id"),
        (with_members(task(), json!({ "priority": "high" })), "priority"),
        (with_members(task(), json!({ "order": 1.5 })), "order"),
        (with_members(task(), json!({ "order": i64::MIN })), "order"),
        (with_members(user(), json!({ "timeZone": "Mars/Olympus" })), "timeZone"),
        (with_members(user(), json!({ "password": 1 })), "password"),
        (with_members(user(), json!({ "password": { "hash": "plain" } })), "password.hash"),
        (with_members(user(), json!({ "password": { "hash": COSTLY_HASH } })), "password.hash"),
        (with_members(user(), json!({ "familyId": "nobody" })), "familyId"),
        (with_members(user(), json!({ "id": "ana" })), "id"),
        (with_members(user(), json!({ "email": "ana@family.example" })), "email"),
        (family::family("rivera").to_string(), "id"),
        (family::key("new", "nobody", DIGEST).to_string(), "userId"),
        (family::key("new", "ana", "abc").to_string(), "tokenHash"),
        (family::board("new", "nobody").to_string(), "familyId"),
        (family::column("new", "nobody").to_string(), "boardId"),
        (family::task("new", "nobody").to_string(), "columnId"),
        (family::task("dentist", "todo").to_string(), "id"),
        (family::event("new", "nobody").to_string(), "familyId"),
        (family::list("new", "nobody").to_string(), "familyId"),
        (family::item("new", "nobody").to_string(), "listId"),
        (family::category("new", "rivera", Some("nothing")).to_string(), "parentId"),
        (with_members(note(), json!({ "familyId": "nobody" })), "familyId"),
        (with_members(note(), json!({ "categoryId": "nothing" })), "categoryId"),
    ]
}

on_each_backend! {
    an_invalid_line_is_named_and_nothing_is_imported,
}

async fn an_invalid_line_is_named_and_nothing_is_imported(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    for (line, field) in invalid_lines() {
        let first = family::user("first", Some("rivera"), Some(PASSWORD));
        // Blank lines are counted. Valid lines come before and after.
        let file = format!("{first}\n\n  \n{line}\n{}\n", family::family("last"));
        let error = sandbox.fail(&["import", "-"], &file);
        let expected = if field.is_empty() { "line 4: ".to_owned() } else { format!("line 4: field `{field}`: ") };
        assert!(error.starts_with(&expected), "{line}\n{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let server = sandbox.serve();
    assert_eq!(sign_in(&server, "first@family.example", PASSWORD).await.status, 401);
    assert!(server.stop().success());
    let valid = [family::family("last"), family::user("first", Some("last"), Some(PASSWORD))];
    sandbox.import_lines(valid);
}

#[test]
fn a_line_of_more_than_16_mib_is_refused() {
    let sandbox = Sandbox::on_sqlite();
    let error = sandbox.fail(&["import", "-"], &"x".repeat(16 * 1024 * 1024 + 1));
    assert_eq!(error, "line 1: expected a line of at most 16 MiB");
}
