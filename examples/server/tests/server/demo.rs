//! `demo`: the printed commands work.

use std::path::Path;
use std::thread;

use family_api_testing::postgres_tests;
use serde_json::json;

use crate::backend::{Backend, on_each_backend, rows};
use crate::client::{in_session, sign_in, with_token};
use crate::curl::Curl;
use crate::family;
use crate::sandbox::{Sandbox, Server};

on_each_backend! {
    a_named_database_keeps_the_families_for_the_next_start,
    the_demo_imports_nothing_if_an_id_is_taken,
    the_demo_creates_a_new_key_after_its_user_changed_data,
    the_demo_ignores_database_url,
}

const DEMO: [&str; 3] = ["demo", "--listen", "127.0.0.1:0"];

fn start(sandbox: &Sandbox, options: &[&str]) -> Server {
    sandbox.start(&[&DEMO, options].concat(), &[], "Press Ctrl-C")
}

/// Returns whether the command adds a record only once.
fn is_repeatable(line: &str) -> bool {
    line.contains("Idempotency-Key")
}

async fn run_printed_commands(server: &Server) {
    let lines: Vec<&str> = server.printed.lines().map(str::trim).filter(|line| line.starts_with("curl ")).collect();
    assert_eq!(lines.len(), 16);
    assert_eq!(lines.iter().filter(|line| is_repeatable(line)).count(), 1);
    let mut curl = Curl::default();
    for line in &lines {
        let answer = curl.run(server, line).await;
        if is_repeatable(line) {
            assert_eq!(curl.run(server, line).await.json()["id"], answer.json()["id"], "{line}");
        }
        assert!((200..300).contains(&answer.status), "{line}\n{answer:?}");
        assert!(answer.json().as_array().is_none_or(|list| !list.is_empty()), "{line} returns an empty list");
        assert!(answer.json()["error"].is_null() && answer.json()["result"]["isError"] != true, "{line}\n{answer:?}");
    }
}

fn key(server: &Server) -> &str {
    server.printed.split_whitespace().find(|word| word.starts_with("fam_")).unwrap()
}

#[tokio::test]
async fn every_printed_curl_command_works() {
    let sandbox = Sandbox::on_sqlite();
    let server = start(&sandbox, &[]);
    run_printed_commands(&server).await;
    let jar = server.printed.split('\'').find(|word| word.ends_with("/cookies")).unwrap().to_owned();
    let folder = Path::new(&jar).parent().unwrap();
    assert!(folder.exists());
    assert!(server.stop().success());
    assert!(!folder.exists(), "the demo deletes its folder");
}

#[test]
fn the_demo_tells_how_to_connect_without_a_key_unless_it_is_off() {
    const PUBLIC: &str = "https://family.example";
    for (options, public_url) in [(&[][..], None), (&["--public-url", PUBLIC], Some(PUBLIC))] {
        let server = start(&Sandbox::on_sqlite(), options);
        let line = format!("Enter {}/api/v1/mcp in an assistant", public_url.unwrap_or(&server.url));
        assert!(server.printed.contains(&line), "{}", server.printed);
    }
    let off = start(&Sandbox::on_sqlite(), &["--oauth", "off"]);
    assert!(!off.printed.contains("in an assistant, and sign in"), "{}", off.printed);
}

#[test]
fn two_demos_run_at_the_same_time() {
    let sandbox = Sandbox::on_sqlite();
    let first = start(&sandbox, &[]);
    let second = start(&sandbox, &[]);
    assert_ne!(first.url, second.url);
    assert!(first.stop().success() && second.stop().success());
}

async fn a_named_database_keeps_the_families_for_the_next_start(backend: Backend) {
    let other_records =
        [family::family("rivera"), family::user("ana", Some("rivera"), None), family::note("cabin", "rivera")];
    let sandbox = Sandbox::new(backend).await.import_lines(other_records);
    let server = start(&sandbox, &["--database", sandbox.database_url()]);
    run_printed_commands(&server).await;
    let first = key(&server).to_owned();
    let read = async |server: &Server, token: &str| with_token(server, token, "GET", "/api/v1/read/notes", None).await;
    let notes = read(&server, &first).await.json();
    assert!(notes.as_array().is_some_and(|notes| !notes.is_empty()));
    assert!(server.stop().success());

    let server = start(&sandbox, &["--database", sandbox.database_url()]);
    assert_eq!(read(&server, &first).await.problem(), (401, "invalid_token".to_owned()));
    assert_eq!(read(&server, key(&server)).await.json(), notes);
    run_printed_commands(&server).await;
}

async fn the_demo_imports_nothing_if_an_id_is_taken(backend: Backend) {
    let other_records = [family::family("rivera"), family::user("sofia", Some("rivera"), None)];
    let sandbox = Sandbox::new(backend).await.import_lines(other_records);
    let error = sandbox.fail(&[&DEMO[..], &["--database", sandbox.database_url()]].concat(), "");
    let expected = "cannot import the sample families into this database: line 4: field `id`: ";
    assert!(error.starts_with(expected), "{error}");
    sandbox.import_lines([family::family("kovalenko")]);
}

async fn the_demo_creates_a_new_key_after_its_user_changed_data(backend: Backend) {
    let sandbox = Sandbox::new(backend).await;
    let server = start(&sandbox, &["--database", sandbox.database_url()]);
    let cookie = sign_in(&server, "olena@kovalenko.example", "correct-horse").await.cookie();
    let keys = "/api/users/me/mcp-tokens";
    let listed = in_session(&server, &cookie, "GET", keys, None).await.json();
    let demo_key = format!("{keys}/{}", listed["tokens"][0]["id"].as_str().unwrap());
    assert_eq!(in_session(&server, &cookie, "DELETE", &demo_key, None).await.status, 200);
    let body = json!({ "mode": "mcp_read", "name": "My own" });
    // A user can have at most 50 active keys.
    for _ in 0..50 {
        assert_eq!(in_session(&server, &cookie, "POST", keys, Some(body.clone())).await.status, 201);
    }
    assert_eq!(in_session(&server, &cookie, "DELETE", "/api/notes/borscht", None).await.status, 200);
    let off = Some(json!({ "personalApiEnabled": false }));
    assert_eq!(in_session(&server, &cookie, "PATCH", "/api/users/me", off).await.status, 200);
    assert!(server.stop().success());

    let server = start(&sandbox, &["--database", sandbox.database_url()]);
    assert_eq!(with_token(&server, key(&server), "GET", "/api/v1/me", None).await.status, 200);
    let listed = in_session(&server, &cookie, "GET", keys, None).await.json();
    assert_eq!(listed["tokens"].as_array().map(Vec::len), Some(51), "the user's own keys are still there");
}

async fn the_demo_ignores_database_url(backend: Backend) {
    let sandbox = Sandbox::new(backend).await;
    let server = sandbox.start(&DEMO, &[("DATABASE_URL", sandbox.database_url())], "Press Ctrl-C");
    assert_eq!(with_token(&server, key(&server), "GET", "/api/v1/me", None).await.status, 200);
    match sandbox.database() {
        Some(database) => assert!(rows(database).await.is_empty()),
        None => assert!(!sandbox.path("family.db").exists()),
    }
}

postgres_tests! {
    async fn two_demos_start_in_one_database_at_once() {
        let sandbox = Sandbox::new(Backend::Postgres).await;
        let named = ["--database", sandbox.database_url()];
        let servers = thread::scope(|scope| {
            let starts = [scope.spawn(|| start(&sandbox, &named)), scope.spawn(|| start(&sandbox, &named))];
            starts.map(|start| start.join().unwrap())
        });
        let mut statuses = Vec::new();
        for server in &servers {
            statuses.push(with_token(server, key(server), "GET", "/api/v1/me", None).await.status);
        }
        // One process may have revoked the key of the other.
        assert!(statuses.contains(&200), "{statuses:?}");
    }
}
