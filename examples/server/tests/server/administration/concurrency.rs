//! Commands while the server serves requests of the same user or family.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::join;
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use crate::backend::{Backend, on_each_backend};
use crate::client::{in_session, with_token};
use crate::family::{PASSWORD, family, user};
use crate::sandbox::{Sandbox, Server};
use crate::session::{KEYS, create_key, session_cookie};

on_each_backend! {
    no_credential_survives_the_removal_of_a_user_who_creates_it,
    no_record_survives_the_removal_of_a_family_in_use,
    a_user_who_writes_can_be_moved,
}

const ROUNDS: usize = 4;

const TIMEOUT: Duration = Duration::from_mins(1);

/// Runs a command on another thread, so that the requests continue.
async fn run(sandbox: &Sandbox, arguments: &[&str]) {
    let mut command = sandbox.command(arguments);
    let output = spawn_blocking(move || command.output()).await.unwrap().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

/// Repeats a request until the credential is refused. Counts the requests that succeed.
async fn until_refused(succeeded: &AtomicU64, request: impl AsyncFn() -> u16) {
    loop {
        match request().await {
            201 => succeeded.fetch_add(1, Ordering::Relaxed),
            // The user has the maximum number of keys.
            409 => 0,
            401 => return,
            status => panic!("{status}"),
        };
    }
}

/// Runs a command as soon as each of the requests has succeeded several times.
async fn run_during(sandbox: &Sandbox, succeeded: [&AtomicU64; 2], arguments: &[&str]) {
    let all_run = || succeeded.iter().all(|count| count.load(Ordering::Relaxed) >= 5);
    let wait = async {
        while !all_run() {
            sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(TIMEOUT, wait).await.unwrap();
    run(sandbox, arguments).await;
}

async fn create_note(server: &Server, token: &str) -> u16 {
    let body = Some(json!({ "title": "note" }));
    with_token(server, token, "POST", "/api/v1/notes", body).await.status
}

async fn create_private_task(server: &Server, token: &str) -> u16 {
    let body = Some(json!({ "title": "task", "columnId": "todo", "isPrivate": true }));
    with_token(server, token, "POST", "/api/v1/tasks", body).await.status
}

async fn no_credential_survives_the_removal_of_a_user_who_creates_it(backend: Backend) {
    let users: Vec<String> = (0..ROUNDS).map(|n| format!("u{n}")).collect();
    let lines = users.iter().map(|id| user(id, Some("rivera"), Some(PASSWORD)));
    let sandbox = Sandbox::with_families(backend).await.import_lines(lines);
    let server = &sandbox.serve_with(&["--rate-limit", "off"], &[]);
    for id in &users {
        let cookie = session_cookie(server, id).await;
        let token = create_key(server, &cookie).await.token;
        let [keys, tasks] = [AtomicU64::new(0), AtomicU64::new(0)];
        let add_key =
            async || in_session(server, &cookie, "POST", KEYS, Some(json!({ "mode": "mcp_read" }))).await.status;
        let email = format!("{id}@family.example");
        let remove = ["user", "remove", &email, "--yes"];
        join!(
            until_refused(&keys, add_key),
            until_refused(&tasks, async || create_private_task(server, &token).await),
            run_during(&sandbox, [&keys, &tasks], &remove),
        );
        for table in ["integration_keys", "sessions", "grants", "idempotency_keys"] {
            assert_eq!(sandbox.count_rows(&format!("{table} WHERE user_id = '{id}'")).await, 0, "{table}");
        }
        assert_eq!(sandbox.count_rows(&format!("tasks WHERE creator_id = '{id}'")).await, 0);
        assert_eq!(sandbox.count_rows(&format!("changes WHERE '={id}' IN (seen_before, seen_after)")).await, 0);
    }
}

async fn no_record_survives_the_removal_of_a_family_in_use(backend: Backend) {
    let families: Vec<String> = (0..ROUNDS).map(|n| format!("f{n}")).collect();
    let lines = families.iter().flat_map(|id| [family(id), user(id, Some(id), Some(PASSWORD))]);
    let sandbox = Sandbox::with_families(backend).await.import_lines(lines);
    let server = &sandbox.serve_with(&["--rate-limit", "off"], &[]);
    for id in &families {
        let cookie = session_cookie(server, id).await;
        let token = create_key(server, &cookie).await.token;
        let counts = [AtomicU64::new(0), AtomicU64::new(0)];
        let remove = ["family", "remove", id, "--yes"];
        join!(
            until_refused(&counts[0], async || create_note(server, &token).await),
            until_refused(&counts[1], async || create_note(server, &token).await),
            run_during(&sandbox, counts.each_ref(), &remove),
        );
        assert_eq!(sandbox.count_rows(&format!("notes WHERE family_id = '{id}'")).await, 0);
        assert_eq!(sandbox.count_rows(&format!("families WHERE id = '{id}'")).await, 0);
    }
}

async fn a_user_who_writes_can_be_moved(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = &sandbox.serve_with(&["--rate-limit", "off"], &[]);
    let cookie = session_cookie(server, "ana").await;
    let token = create_key(server, &cookie).await.token;
    let created = AtomicU64::new(0);
    let write = async || loop {
        match create_note(server, &token).await {
            201 => created.fetch_add(1, Ordering::Relaxed),
            // The family changed between the authorization and the write, or the user has no family at the end.
            401 | 404 if sandbox.count_rows("users WHERE id = 'ana' AND family_id IS NULL").await == 1 => return,
            401 | 404 => 0,
            status => panic!("{status}"),
        };
    };
    let moves = async {
        for family in ["okafor", "rivera", "okafor", "rivera"] {
            run_during(&sandbox, [&created, &created], &["user", "move", "ana@family.example", "--family", family])
                .await;
        }
        run(&sandbox, &["user", "move", "ana@family.example", "--no-family"]).await;
    };
    join!(write(), write(), moves);
    let created = i64::try_from(created.into_inner()).unwrap();
    assert_eq!(sandbox.count_rows("notes").await, 2 + created);
}
