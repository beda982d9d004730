//! `import --update`, `--delete-missing` and `--dry-run`.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use family_api_testing::with;
use serde_json::{Value, json};

use crate::backend::{Backend, on_each_backend};
use crate::client::{in_session, with_token};
use crate::family;
use crate::sandbox::Sandbox;
use crate::session::{create_key, session_cookie};

on_each_backend! {
    an_update_changes_records_while_the_server_runs,
    an_export_changes_nothing_in_its_own_database,
    a_dry_run_prints_the_numbers_of_the_update_and_changes_nothing,
    a_deletion_needs_yes_without_a_terminal,
    an_invalid_line_is_named_and_nothing_is_changed,
    an_update_that_is_killed_changes_nothing,
}

fn export(sandbox: &Sandbox) -> String {
    sandbox.succeed(&["export", "-", "--passwords"], "")
}

/// Runs an update that must succeed, and returns its output.
fn update(sandbox: &Sandbox, options: &[&str], input: &str) -> String {
    sandbox.succeed(&[&["import", "-", "--update"], options].concat(), input)
}

/// Runs an update with `--json`. Returns the numbers of created, changed, unchanged and deleted records of all types.
fn counts(sandbox: &Sandbox, options: &[&str], input: &str) -> [u64; 4] {
    let json: Value = serde_json::from_str(&update(sandbox, &[options, &["--json"]].concat(), input)).unwrap();
    let kinds = json.as_object().unwrap();
    ["created", "changed", "unchanged", "deleted"]
        .map(|name| kinds.values().map(|kind| kind[name].as_u64().unwrap()).sum())
}

async fn an_update_changes_records_while_the_server_runs(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let ana = create_key(&server, &session_cookie(&server, "ana").await).await.token;
    let chidi = create_key(&server, &session_cookie(&server, "chidi").await).await.token;
    let notes = async |token: &str| with_token(&server, token, "GET", "/api/v1/read/notes", None).await;
    let before = [notes(&ana).await, notes(&chidi).await];
    let file = [
        with(family::note("wifi", "rivera"), json!({ "title": "Changed" })),
        family::note("new", "rivera"),
        family::note("cabin", "okafor"),
    ];
    let text = update(&sandbox, &[], &family::text(&file));
    let row = |name: &str| -> Vec<String> {
        let row = text.lines().find(|line| line.starts_with(name)).unwrap();
        row.split_whitespace().take(5).map(str::to_owned).collect()
    };
    assert_eq!(row("note "), ["note", "1", "1", "1", "0"], "{text}");
    assert_eq!(row("total"), ["total", "1", "1", "1", "0"], "{text}");
    let after = [notes(&ana).await, notes(&chidi).await];
    assert!(after[0].text.contains("Changed") && after[0].json().as_array().unwrap().len() == 2, "{after:?}");
    assert_ne!(before[0].header("etag"), after[0].header("etag"));
    assert_eq!(before[1].header("etag"), after[1].header("etag"));
}

async fn an_export_changes_nothing_in_its_own_database(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let cookie = session_cookie(&server, "ana").await;
    let token = create_key(&server, &cookie).await.token;
    let exported = export(&sandbox);
    let records = exported.lines().count() as u64;
    assert_eq!(counts(&sandbox, &["--delete-missing", "--yes"], &exported), [0, 0, records, 0]);
    assert_eq!(export(&sandbox), exported);
    assert_eq!(in_session(&server, &cookie, "GET", "/api/users/me", None).await.status, 200);
    assert_eq!(with_token(&server, &token, "GET", "/api/v1/me", None).await.status, 200);

    // The export restores what was changed since.
    sandbox.execute("DELETE FROM tasks").await;
    sandbox.execute("UPDATE events SET title = 'changed'").await;
    let sandbox = sandbox.import_lines([family::note("later", "rivera")]);
    assert_eq!(counts(&sandbox, &["--delete-missing", "--yes"], &exported), [1, 1, records - 2, 1]);
    let restored = export(&sandbox);
    assert_eq!(without_sequences(&restored), without_sequences(&exported));
    // The changes of the event count on, because a calendar may have seen them.
    assert_ne!(restored, exported);
}

/// Returns the records of an export without the numbers of their changes.
fn without_sequences(export: &str) -> Vec<Value> {
    let records = export.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records
        .map(|mut record| {
            record.as_object_mut().unwrap().remove("sequence");
            record
        })
        .collect()
}

async fn a_dry_run_prints_the_numbers_of_the_update_and_changes_nothing(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let before = export(&sandbox);
    let file = family::text([
        with(family::family("rivera"), json!({ "name": "Changed" })),
        family::user("ana", Some("rivera"), None),
        family::note("new", "rivera"),
    ]);
    let options = &["--delete-missing", "--dry-run"];
    let expected = [1, 1, 1, 8];
    assert_eq!(counts(&sandbox, options, &file), expected);
    assert!(update(&sandbox, options, &file).ends_with("\nnothing was changed\n"));
    assert_eq!(export(&sandbox), before);
    assert_eq!(counts(&sandbox, &["--delete-missing", "--yes"], &file), expected);
    assert_ne!(export(&sandbox), before);
}

async fn a_deletion_needs_yes_without_a_terminal(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let before = export(&sandbox);
    fs::write(sandbox.path("one.jsonl"), family::text([family::family("rivera")])).unwrap();
    let arguments = ["import", "one.jsonl", "--update", "--delete-missing"];
    let message = sandbox.fail(&arguments, "");
    assert!(
        message.starts_with("This deletes what is not in the file (user: 2, ")
            && message.contains("task: 1")
            && message.ends_with("; add --yes to do it without a terminal"),
        "{message}"
    );
    let message = sandbox.fail(&["import", "-", "--update", "--delete-missing"], &before);
    assert!(message.ends_with("; add --yes to do it without a terminal"), "{message}");
    // A pipe cannot be read twice either.
    let message = sandbox.fail(&["import", "/dev/stdin", "--update", "--delete-missing"], &before);
    assert!(message.ends_with("; add --yes to do it without a terminal"), "{message}");
    assert_eq!(export(&sandbox), before);
    // If nothing is missing, nothing is asked.
    fs::write(sandbox.path("one.jsonl"), &before).unwrap();
    assert!(sandbox.run(&arguments, "").status.success());
}

async fn an_invalid_line_is_named_and_nothing_is_changed(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let before = export(&sandbox);
    let changed = with(family::note("wifi", "rivera"), json!({ "title": "changed" }));
    for (line, expected) in [
        (family::note("wifi", "rivera"), "field `id`: expected an id that is in the file only once"),
        (family::note("new", "nobody"), "field `familyId`: expected the id of an existing record"),
        (with(family::note("new", "rivera"), json!({ "title": 1 })), "field `title`: "),
        (
            with(family::user("ana", Some("rivera"), None), json!({ "email": "ben@family.example" })),
            "field `email`: another user has this address; `user set` gives that user another one",
        ),
        (family::user("chidi", Some("rivera"), None), "field `familyId`: expected the family of the user"),
    ] {
        let file = format!("{changed}\n\n{line}\n{}\n", family::family("last"));
        let message = sandbox.fail(&["import", "-", "--update"], &file);
        assert!(message.starts_with(&format!("line 3: {expected}")), "{message}");
        assert_eq!(export(&sandbox), before);
    }
}

async fn an_update_that_is_killed_changes_nothing(backend: Backend) {
    /// More than the first part of the input, which is read before the update begins.
    const NOTES: usize = 160;
    let sandbox = Sandbox::with_families(backend).await;
    let before = export(&sandbox);
    let mut command = sandbox.command(&["import", "-", "--update", "--delete-missing", "--yes"]);
    let mut import = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut input = import.stdin.take().unwrap();
    let content = json!({ "content": "x".repeat(100_000) });
    writeln!(input, "{}", with(family::family("rivera"), json!({ "name": "changed" }))).unwrap();
    for n in 0..NOTES {
        writeln!(input, "{}", with(family::note(&format!("n{n}"), "rivera"), content.clone())).unwrap();
    }
    import.kill().unwrap();
    import.wait().unwrap();
    assert_eq!(export(&sandbox), before);
    // The killed process has left no lock.
    assert_eq!(counts(&sandbox, &["--delete-missing", "--yes"], &before)[2], before.lines().count() as u64);
}

#[test]
fn a_dry_run_creates_no_database() {
    let sandbox = Sandbox::on_sqlite();
    let message = sandbox.fail(&["import", "-", "--update", "--dry-run"], &family::text([family::family("rivera")]));
    assert!(message.starts_with("there is no database"), "{message}");
    assert!(!sandbox.path("family.db").exists());
    assert_eq!(counts(&sandbox, &[], &family::text([family::family("rivera")])), [1, 0, 0, 0]);
}

#[test]
fn the_other_options_need_update() {
    let sandbox = Sandbox::on_sqlite();
    for option in ["--dry-run", "--delete-missing"] {
        assert_eq!(sandbox.run(&["import", "-", option], "").status.code(), Some(2), "{option}");
    }
    assert_eq!(sandbox.run(&["import", "--example", "--update"], "").status.code(), Some(2));
}
