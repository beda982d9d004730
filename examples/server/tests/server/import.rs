//! `import`: valid inputs.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use crate::backend::{Backend, on_each_backend};
use crate::client::{sign_in, with_token};
use crate::family::{self, PASSWORD};
use crate::sandbox::Sandbox;

on_each_backend! {
    a_second_import_adds_to_the_first_and_skips_blank_lines,
    every_imported_user_gets_the_right_password,
    an_import_that_waits_for_input_does_not_block_writes,
    the_example_can_be_imported_and_served,
}

#[test]
fn the_summary_counts_every_type() {
    let sandbox = Sandbox::on_sqlite();
    fs::write(sandbox.path("families.jsonl"), family::text(family::records())).unwrap();
    let summary = sandbox.succeed(&["import", "families.jsonl", "--database", "sqlite:other.db"], "");
    let counts: Vec<Vec<&str>> = summary.lines().map(|line| line.split_whitespace().take(2).collect()).collect();
    for count in [vec!["key", "0"], vec!["user", "4"], vec!["note", "2"], vec!["total", "14"]] {
        assert!(counts.contains(&count), "{count:?}: {summary}");
    }
    assert!(sandbox.path("other.db").exists() && !sandbox.path("family.db").exists());
}

#[test]
fn metrics_do_not_replace_a_file_of_another_name() {
    let sandbox = Sandbox::on_sqlite();
    let lines = family::text(family::records());
    assert!(sandbox.run(&["import", "-"], &lines).status.success());
    let before = fs::read(sandbox.path("family.db")).unwrap();
    let output = sandbox.run(&["import", "-", "--metrics-file", "family.db"], &lines);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(sandbox.path("family.db")).unwrap(), before);
}

#[test]
fn an_import_writes_its_metrics_to_a_file() {
    let sandbox = Sandbox::on_sqlite();
    let import = |lines: &str| {
        let output = sandbox.run(&["import", "-", "--metrics-file", "import.prom"], lines);
        (output.status.success(), fs::read_to_string(sandbox.path("import.prom")).unwrap())
    };
    let lines = family::text(family::records());
    let (succeeded, metrics) = import(&lines);
    assert!(succeeded && metrics.contains("\nfamily_api_import_success 1\n"), "{metrics}");
    for (kind, count) in [("user", 4), ("note", 2), ("key", 0)] {
        let series = format!("\nfamily_api_import_records{{type=\"{kind}\"}} {count}\n");
        assert!(metrics.contains(&series), "{series}{metrics}");
    }
    // The records exist already.
    let (succeeded, metrics) = import(&lines);
    assert!(!succeeded && metrics.contains("\nfamily_api_import_success 0\n"), "{metrics}");
    assert!(!metrics.contains("family_api_import_records"), "{metrics}");
    fs::remove_file(sandbox.path("import.prom")).unwrap();
    let output = sandbox.run(&["import", "missing.jsonl", "--metrics-file", "import.prom"], "");
    assert_eq!(output.status.code(), Some(1));
    let metrics = fs::read_to_string(sandbox.path("import.prom")).unwrap();
    assert!(metrics.contains("\nfamily_api_import_success 0\n"), "{metrics}");
    let mode = fs::metadata(sandbox.path("import.prom")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
}

#[test]
fn a_dry_run_writes_no_metrics() {
    let sandbox = Sandbox::on_sqlite().import_families();
    let options = ["import", "-", "--update", "--dry-run", "--metrics-file", "import.prom"];
    for (lines, is_valid) in [(family::text(family::records()), true), ("no record".to_owned(), false)] {
        assert_eq!(sandbox.run(&options, &lines).status.success(), is_valid);
        assert!(!sandbox.path("import.prom").exists());
    }
}

async fn a_second_import_adds_to_the_first_and_skips_blank_lines(backend: Backend) {
    let sandbox = Sandbox::new(backend).await;
    assert!(sandbox.import(&format!("\n{}\n\n", family::family("rivera"))).status.success());
    assert!(sandbox.import("").status.success());
    let token = "host_token-of-the-host";
    let digest = "c67c3a2e08dabeaf15a2c39efc562eb6bb26b4f181294acd709782c9d6b0ff7f";
    let lines = [family::user("ana", Some("rivera"), Some(PASSWORD)), family::key("k", "ana", digest)];
    assert!(sandbox.import(&lines.map(|line| line.to_string()).join("\r\n\r\n")).status.success());
    let server = sandbox.serve();
    assert_eq!(sign_in(&server, "ana@family.example", PASSWORD).await.status, 200);
    assert_eq!(with_token(&server, token, "GET", "/api/mcp/read/notes", None).await.text, "[]");
}

async fn every_imported_user_gets_the_right_password(backend: Backend) {
    let sandbox = Sandbox::new(backend).await;
    let mut lines = vec![family::family("rivera")];
    for n in 0..40 {
        lines.push(family::user(&format!("u{n}"), Some("rivera"), Some(&format!("secret {n}"))));
        // Enough lines for several concurrent batches.
        lines.extend((0..100).map(|note| family::note(&format!("n{n}-{note}"), "rivera")));
    }
    let sandbox = sandbox.import_lines(lines);
    let server = sandbox.serve();
    for n in [0, 17, 39] {
        let email = format!("u{n}@family.example");
        assert_eq!(sign_in(&server, &email, &format!("secret {n}")).await.status, 200);
        assert_eq!(sign_in(&server, &email, &format!("secret {}", n + 1)).await.status, 401);
    }
}

async fn an_import_that_waits_for_input_does_not_block_writes(backend: Backend) {
    /// The number of notes. They exceed the buffer of a pipe, so the import has read some when the write returns.
    const NOTES: usize = 4_000;
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let mut command = sandbox.command(&["import", "-"]);
    let mut import = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut input = import.stdin.take().unwrap();
    let notes = (0..NOTES).map(|note| format!("{}\n", family::note(&format!("new-{note}"), "rivera")));
    input.write_all(notes.collect::<String>().as_bytes()).unwrap();
    assert_eq!(sign_in(&server, "ana@family.example", PASSWORD).await.status, 200);
    drop(input);
    assert!(import.wait().unwrap().success());
}

async fn the_example_can_be_imported_and_served(backend: Backend) {
    let sandbox = Sandbox::new(backend).await;
    let example = sandbox.succeed(&["import", "--example"], "");
    assert!(!example.contains("password") && !example.contains("tokenHash"), "{example}");
    assert!(sandbox.import(&example).status.success());
    assert!(sandbox.run(&["user", "set-password", "ana@family.example"], PASSWORD).status.success());
    let server = sandbox.serve();
    assert_eq!(sign_in(&server, "ana@family.example", PASSWORD).await.status, 200);
    let error = sandbox.fail(&["import", "-"], &example);
    assert_eq!(error, "line 1: field `id`: a record with the id `rivera` exists already; --update changes it");
}
