//! Commands that are killed in the middle of their transaction.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use family_api_testing::Database;
use sqlx::{ConnectOptions, Connection, Executor};
use tokio::time::sleep;

use crate::administration::output;
use crate::administration::removal::private_records;
use crate::assistant::connect;
use crate::backend::{Backend, on_each_backend};
use crate::sandbox::Sandbox;
use crate::tables::SESSIONS;

on_each_backend! {
    a_killed_command_changes_nothing,
}

/// A command, and where it is stopped.
struct Kill {
    command: &'static [&'static str],
    /// SQLite: the change after which a trigger never ends.
    change: &'static str,
    /// PostgreSQL: the row for which the command waits.
    row: &'static str,
}

const EMAIL: &str = "ana@family.example";

const KILLS: [Kill; 3] = [
    Kill {
        command: &["family", "remove", "rivera", "--yes"],
        change: "DELETE ON families",
        row: "users WHERE id = 'ben'",
    },
    Kill { command: &["user", "remove", EMAIL, "--yes"], change: "DELETE ON tasks", row: "tasks WHERE id = 'own'" },
    Kill {
        command: &["user", "move", EMAIL, "--family", "okafor"],
        change: "UPDATE ON users",
        row: "users WHERE id = 'ana'",
    },
];

const TIMEOUT: Duration = Duration::from_secs(30);

async fn a_killed_command_changes_nothing(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.import_lines(private_records("ana")).served();
    // Ana gets a session and a connection.
    connect(&server).await;
    assert!(server.stop().success());
    let before = stored(&sandbox).await;
    assert!(before.iter().all(|texts| !texts.is_empty()), "{before:?}");
    for kill in &KILLS {
        match sandbox.database() {
            None => kill_in_endless_trigger(&sandbox, kill).await,
            Some(database) => kill_while_waiting(&sandbox, kill, database).await,
        }
        assert_eq!(stored(&sandbox).await, before, "{:?}", kill.command);
        assert!(output(&sandbox, &["check"]).contains("damage: none"));
    }
    // Nothing keeps the commands from succeeding now.
    output(&sandbox, KILLS[2].command);
    output(&sandbox, KILLS[1].command);
    output(&sandbox, KILLS[0].command);
    let after = stored(&sandbox).await;
    for (after, before) in after.iter().zip(&before) {
        assert_ne!(after, before);
    }
}

/// Returns the exported records, and what an export leaves out: the revisions, the sessions and the connections.
async fn stored(sandbox: &Sandbox) -> [Vec<String>; 4] {
    let sessions = "SELECT user_id || ' ' || CAST(expires_at AS TEXT) FROM sessions ORDER BY digest";
    let grants =
        "SELECT user_id || ' ' || id || ' ' || coalesce(CAST(revoked_at AS TEXT), 'live') FROM grants ORDER BY id";
    [
        vec![output(sandbox, &["export", "-", "--passwords"])],
        sandbox.texts("SELECT id || ' ' || CAST(revision AS TEXT) FROM families ORDER BY id").await,
        sandbox.texts(sessions).await,
        sandbox.texts(grants).await,
    ]
}

fn start(sandbox: &Sandbox, kill: &Kill) -> Child {
    sandbox.command(kill.command).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn kill_9(mut command: Child) {
    assert!(command.try_wait().unwrap().is_none(), "the command has ended");
    command.kill().unwrap();
    command.wait().unwrap();
}

/// Kills a command whose transaction is in a trigger that never ends.
async fn kill_in_endless_trigger(sandbox: &Sandbox, kill: &Kill) {
    let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    sandbox.execute(&format!("CREATE TRIGGER endless AFTER {} BEGIN {endless}; END", kill.change)).await;
    let command = start(sandbox, kill);
    // A command locks the file for a moment when it opens it. In the trigger, it keeps the lock.
    let mut file = sandbox.file().busy_timeout(Duration::ZERO).connect().await.unwrap();
    let began = Instant::now();
    let mut failures = 0;
    while failures < 20 {
        failures = if file.execute("BEGIN IMMEDIATE").await.is_ok() { 0 } else { failures + 1 };
        if failures == 0 {
            file.execute("ROLLBACK").await.unwrap();
        }
        assert!(began.elapsed() < TIMEOUT, "the command does not hold the lock");
        sleep(Duration::from_millis(25)).await;
    }
    kill_9(command);
    file.close().await.unwrap();
    sandbox.execute("DROP TRIGGER endless").await;
}

/// Kills a command whose transaction waits for a row.
async fn kill_while_waiting(sandbox: &Sandbox, kill: &Kill, database: &Database) {
    let mut holder = database.connect().await;
    holder.execute("BEGIN").await.unwrap();
    holder.execute(sqlx::AssertSqlSafe(format!("SELECT 1 FROM {} FOR UPDATE", kill.row))).await.unwrap();
    let command = start(sandbox, kill);
    sandbox.wait_for_rows(&format!("{SESSIONS} AND wait_event_type = 'Lock'"), 1).await;
    kill_9(command);
    holder.execute("ROLLBACK").await.unwrap();
    // PostgreSQL notices the end of the client after the statement.
    sandbox.wait_for_rows(SESSIONS, 0).await;
}
