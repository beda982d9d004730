//! `kill -9` under mixed writes: what was acknowledged is there afterwards, nothing is half done, and nothing else is.

mod attempt;
mod deleted;
mod documents;
mod fixture;
mod flags;
mod keys;
mod moved;
mod numbered;

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use family_api_testing::{Server as PostgresServer, Shutdown, postgres_tests};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};
use tokio::join;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::client::call;
use crate::figures::Figures;
use crate::kill::attempt::Tally;
use crate::kill::fixture::Fixture;
use crate::latencies::Latencies;
use crate::sandbox::{Sandbox, Server};
use crate::{chance, size};

/// How long a start may take before it counts as hung.
const TIMEOUT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn what_sqlite_acknowledged_outlives_kill_9() {
    let sandbox = Sandbox::on_sqlite();
    let mut figures = Figures::of("kill -9 of the server under mixed writes, SQLite");
    survive(&sandbox, size(10, 100), None, &mut figures).await;
    figures.print();
}

postgres_tests! {
    /// In every third cycle the database is stopped as in a crash, too.
    async fn what_postgres_acknowledged_outlives_kill_9_of_server_and_database() {
        let postgres = Arc::new(PostgresServer::start());
        let sandbox = Sandbox::on(postgres.create_database().await);
        let mut figures = Figures::of("kill -9 of the server under mixed writes, PostgreSQL");
        survive(&sandbox, size(6, 30), Some(&postgres), &mut figures).await;
        figures.print();
    }
}

async fn survive(sandbox: &Sandbox, cycles: u32, postgres: Option<&Arc<PostgresServer>>, figures: &mut Figures) {
    let mut chance = chance();
    fixture::fill(sandbox, cycles);
    let (mut server, _) = start(sandbox).await;
    let mut fixture = Fixture::new(&server, cycles, &mut chance).await;
    let mut starts = Latencies::default();
    let mut writes = 0;
    for cycle in 0..cycles {
        let crashes = if cycle % 3 == 2 { postgres } else { None };
        writes += write_until_killed(&server, &mut fixture, crashes, &mut chance).await;
        drop(server);
        let (again, took) = start(sandbox).await;
        server = again;
        starts.push(took);
        fixture.check(&server).await;
        is_intact(sandbox).await;
    }
    fixture.no_revoked_key_is_alive(&server).await;
    figures.add("cycles", cycles);
    figures.add("writes acknowledged, and found again", writes);
    figures.add("writes in doubt: done / not done", format!("{} / {}", fixture.doubts.done, fixture.doubts.undone));
    figures.add("keys revoked, and dead", fixture.revoked());
    figures.add("from the start of the process to a 200 of /readyz", starts);
}

/// Starts the server, and tells how long it took until it was ready.
async fn start(sandbox: &Sandbox) -> (Server, Duration) {
    let began = Instant::now();
    let server = sandbox.serve_with(&["--rate-limit", "off"], &[("FAMILY_API_LOG", "warn")]);
    assert_eq!(call(&server, "GET", "/readyz").await.status, 200);
    assert!(began.elapsed() < TIMEOUT);
    (server, began.elapsed())
}

/// Tells how many writes were acknowledged.
async fn write_until_killed(
    server: &Server,
    fixture: &mut Fixture,
    crashes: Option<&Arc<PostgresServer>>,
    chance: &mut fastrand::Rng,
) -> u64 {
    let tally = Tally::default();
    let (writes, moment) = (chance.u64(20..size(250, 2_000)), Duration::from_micros(chance.u64(0..20_000)));
    let kill = async {
        tally.reaches(writes).await;
        // Not when an answer has just come, but at any moment.
        sleep(moment).await;
        if let Some(postgres) = crashes.map(Arc::clone) {
            spawn_blocking(move || postgres.stop(Shutdown::Immediate)).await.unwrap();
        }
        let process = server.id().to_string();
        // On a thread of its own, so that the writers go on meanwhile.
        let killed = spawn_blocking(move || Command::new("sh").args(["-c", &format!("kill -9 {process}")]).status());
        assert!(killed.await.unwrap().unwrap().success());
        if let Some(postgres) = crashes.map(Arc::clone) {
            spawn_blocking(move || postgres.start_again()).await.unwrap();
        }
    };
    join!(fixture.write(server, &tally), kill);
    tally.count()
}

/// Asks SQLite itself, where it is that.
async fn is_intact(sandbox: &Sandbox) {
    if sandbox.database().is_some() {
        return;
    }
    let file = SqliteConnectOptions::new().filename(sandbox.path("family.db"));
    let mut connection: SqliteConnection = file.connect().await.unwrap();
    let found: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&mut connection).await.unwrap();
    assert_eq!(found, ["ok"]);
    let found = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut connection).await.unwrap();
    assert!(found.is_empty(), "{} rows name what is not there", found.len());
}
