//! `kill -9` during mixed writes: acknowledged writes survive, and each write in doubt is applied completely or not at
//! all.

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
use crate::{seeded_rng, size};

/// The maximum time for a start.
const TIMEOUT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn acknowledged_writes_survive_kill_9_on_sqlite() {
    let sandbox = Sandbox::on_sqlite();
    let mut figures = Figures::new("kill -9 of the server under mixed writes, SQLite");
    survive(&sandbox, size(10, 100), None, &mut figures).await;
    figures.print();
}

postgres_tests! {
    /// In every third cycle, PostgreSQL is also stopped without a clean shutdown.
    async fn acknowledged_writes_survive_kill_9_and_crashes_of_postgres() {
        let postgres = Arc::new(PostgresServer::start());
        let sandbox = Sandbox::on(postgres.create_database().await);
        let mut figures = Figures::new("kill -9 of the server under mixed writes, PostgreSQL");
        survive(&sandbox, size(6, 30), Some(&postgres), &mut figures).await;
        figures.print();
    }
}

async fn survive(sandbox: &Sandbox, cycles: u32, postgres: Option<&Arc<PostgresServer>>, figures: &mut Figures) {
    let mut rng = seeded_rng();
    fixture::fill(sandbox, cycles);
    let (mut server, _) = start(sandbox).await;
    let mut fixture = Fixture::new(&server, cycles, &mut rng).await;
    let mut starts = Latencies::default();
    let mut writes = 0;
    for cycle in 0..cycles {
        let crashes = if cycle % 3 == 2 { postgres } else { None };
        writes += write_until_killed(&server, &mut fixture, crashes, &mut rng).await;
        drop(server);
        let (again, took) = start(sandbox).await;
        server = again;
        starts.push(took);
        fixture.check(&server).await;
        assert_integrity(sandbox).await;
    }
    fixture.check_revoked_keys(&server).await;
    figures.add("cycles", cycles);
    figures.add("acknowledged writes, all found again", writes);
    figures.add(
        "writes in doubt: applied / not applied",
        format!("{} / {}", fixture.in_doubt_counts.applied, fixture.in_doubt_counts.not_applied),
    );
    figures.add("revoked keys, all rejected", fixture.revoked());
    figures.add("time from process start to a 200 of /readyz", starts);
}

/// Starts the server. Returns it with the time until it was ready.
async fn start(sandbox: &Sandbox) -> (Server, Duration) {
    let began = Instant::now();
    let server = sandbox.serve_with(&["--rate-limit", "off"], &[("FAMILY_API_LOG", "warn")]);
    assert_eq!(call(&server, "GET", "/readyz").await.status, 200);
    assert!(began.elapsed() < TIMEOUT);
    (server, began.elapsed())
}

/// Writes until the server is killed. Returns the number of acknowledged writes.
async fn write_until_killed(
    server: &Server,
    fixture: &mut Fixture,
    crashes: Option<&Arc<PostgresServer>>,
    rng: &mut fastrand::Rng,
) -> u64 {
    let tally = Tally::default();
    let writes = rng.u64(20..size(250, 2_000));
    let delay = Duration::from_micros(rng.u64(0..20_000));
    let kill = async {
        tally.reaches(writes).await;
        // A random delay, so that the kill does not always follow a response.
        sleep(delay).await;
        if let Some(postgres) = crashes.map(Arc::clone) {
            spawn_blocking(move || postgres.stop(Shutdown::Immediate)).await.unwrap();
        }
        let process = server.id().to_string();
        // On a separate thread, so that the writers continue.
        let killed = spawn_blocking(move || Command::new("sh").args(["-c", &format!("kill -9 {process}")]).status());
        assert!(killed.await.unwrap().unwrap().success());
        if let Some(postgres) = crashes.map(Arc::clone) {
            spawn_blocking(move || postgres.start_again()).await.unwrap();
        }
    };
    join!(fixture.write(server, &tally), kill);
    tally.count()
}

/// Asserts the integrity of the database file. PostgreSQL is not checked.
async fn assert_integrity(sandbox: &Sandbox) {
    if sandbox.database().is_some() {
        return;
    }
    let file = SqliteConnectOptions::new().filename(sandbox.path("family.db"));
    let mut connection: SqliteConnection = file.connect().await.unwrap();
    let found: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&mut connection).await.unwrap();
    assert_eq!(found, ["ok"]);
    let found = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut connection).await.unwrap();
    assert!(found.is_empty(), "{} rows violate foreign keys", found.len());
}
