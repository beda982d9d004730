//! `kill -9` during mixed writes: acknowledged writes survive, and each write in doubt is applied completely or not at
//! all.

mod created_tasks;
mod deleted_notes;
mod documents;
mod fixture;
mod flags;
mod keys;
mod moved_tasks;
mod numbered_record;
mod split_series;
mod writer;

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use family_api_testing::{Server as PostgresServer, Shutdown, postgres_tests};
use tokio::join;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::client::call;
use crate::figures::Figures;
use crate::kill::fixture::Fixture;
use crate::kill::writer::WriteCounter;
use crate::latencies::Latencies;
use crate::sandbox::{Sandbox, Server};
use crate::{seeded_rng, short_or_long};

/// The maximum time until a started server is ready.
const TIMEOUT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn acknowledged_writes_survive_kill_9_on_sqlite() {
    let sandbox = Sandbox::on_sqlite();
    let mut figures = Figures::new("kill -9 of the server under mixed writes, SQLite");
    run_cycles(&sandbox, short_or_long(10, 100), None, &mut figures).await;
    figures.print();
}

postgres_tests! {
    /// In every third cycle, PostgreSQL is also stopped without a clean shutdown.
    async fn acknowledged_writes_survive_kill_9_and_crashes_of_postgres() {
        let postgres = Arc::new(PostgresServer::start());
        let sandbox = Sandbox::on_database(postgres.create_database().await);
        let mut figures = Figures::new("kill -9 of the server under mixed writes, PostgreSQL");
        run_cycles(&sandbox, short_or_long(6, 30), Some(&postgres), &mut figures).await;
        figures.print();
    }
}

async fn run_cycles(sandbox: &Sandbox, cycles: u32, postgres: Option<&Arc<PostgresServer>>, figures: &mut Figures) {
    let mut rng = seeded_rng();
    fixture::import_family(sandbox, cycles);
    let (mut server, _) = start(sandbox).await;
    let mut fixture = Fixture::new(&server, cycles, &mut rng).await;
    let mut starts = Latencies::default();
    let mut writes = 0;
    for cycle in 0..cycles {
        let postgres_to_crash = if cycle % 3 == 2 { postgres } else { None };
        writes += Box::pin(write_until_killed(&server, &mut fixture, postgres_to_crash, &mut rng)).await;
        drop(server);
        let (restarted, took) = start(sandbox).await;
        server = restarted;
        starts.push(took);
        fixture.check_after_restart(&server).await;
        assert_integrity(sandbox).await;
    }
    let revoked = fixture.check_revoked_keys(&server).await;
    figures.add("cycles", cycles);
    figures.add("acknowledged writes, all found again", writes);
    let [not_applied, applied] = fixture.in_doubt;
    figures.add("writes in doubt: applied / not applied", format!("{applied} / {not_applied}"));
    figures.add("revoked keys, all refused", revoked);
    figures.add("time from process start to a 200 of /readyz", starts);
}

/// Starts the server. Returns the server and the time until it was ready.
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
    postgres_to_crash: Option<&Arc<PostgresServer>>,
    rng: &mut fastrand::Rng,
) -> u64 {
    let write_counter = WriteCounter::default();
    let writes_before_kill = rng.u64(20..short_or_long(250, 2_000));
    let delay = Duration::from_micros(rng.u64(0..20_000));
    let kill = async {
        write_counter.wait_until(writes_before_kill).await;
        // A random delay, so that the kill does not always follow a response.
        sleep(delay).await;
        if let Some(postgres) = postgres_to_crash.map(Arc::clone) {
            spawn_blocking(move || postgres.stop(Shutdown::Immediate)).await.unwrap();
        }
        let process = server.id().to_string();
        // On a separate thread, so that the writers continue.
        let killed = spawn_blocking(move || Command::new("sh").args(["-c", &format!("kill -9 {process}")]).status());
        assert!(killed.await.unwrap().unwrap().success());
        if let Some(postgres) = postgres_to_crash.map(Arc::clone) {
            spawn_blocking(move || postgres.start_again()).await.unwrap();
        }
    };
    join!(fixture.write(server, &write_counter), kill);
    write_counter.count()
}

/// Asserts the integrity of the SQLite file. Checks nothing on PostgreSQL.
async fn assert_integrity(sandbox: &Sandbox) {
    if sandbox.database().is_none() {
        assert_eq!(sandbox.texts("PRAGMA integrity_check").await, ["ok"]);
        assert_eq!(sandbox.texts(r#"SELECT "table" FROM pragma_foreign_key_check"#).await, [""; 0]);
    }
}
