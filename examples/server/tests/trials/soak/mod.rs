//! A mixed load over hours: memory, open files, tables and files of the server do not grow but by what users store.
//!
//! `FAMILY_API_TRIALS_SOAK` sets the duration, such as `90s`, `10m` or `8h`. Without it, a short form runs. Memory is
//! checked for growth only in a trial of at least one hour, because the server fills its caches first.

mod assistants;
mod awkward;
mod bounds;
mod credentials;
mod load;
mod readers;
mod records;
mod sample;
mod samples;
mod trend;

use std::env;
use std::time::Duration;

use family_api_testing::{Server as PostgresServer, postgres_tests};
use futures_util::future::join_all;
use jiff::SignedDuration;
use tokio::join;

use crate::client;
use crate::family::{PASSWORD, user};
use crate::figures::print_line;
use crate::sandbox::{Sandbox, Server};
use crate::seeded_rng;
use crate::soak::load::Load;
use crate::soak::samples::Samples;

/// The duration of the short form.
const SHORT: Duration = Duration::from_secs(20);

/// At most one of so many answers may be 503 with `Retry-After`. There are some if other programs use the machine.
const MAX_BUSY_SHARE: u64 = 20;

/// The server closes a connection that is idle for 10 seconds. A client that reuses it at this moment gets no answer.
const POOL_IDLE_TIMEOUT: Duration = Duration::from_secs(3);

#[tokio::test]
async fn nothing_grows_but_by_data_on_sqlite() {
    soak("SQLite", Sandbox::on_sqlite()).await;
}

postgres_tests! {
    async fn nothing_grows_but_by_data_on_postgres() {
        let postgres = PostgresServer::start();
        let sandbox = Sandbox::on_database(postgres.create_database().await);
        // The tests switch it off. Without it, PostgreSQL never reuses the space of deleted and updated rows.
        sandbox.execute("ALTER SYSTEM SET autovacuum = on").await;
        sandbox.execute("SELECT pg_reload_conf()").await;
        soak("PostgreSQL", sandbox).await;
    }
}

/// Returns the duration that the environment sets.
fn duration() -> Option<Duration> {
    let text = env::var("FAMILY_API_TRIALS_SOAK").ok()?;
    let duration: SignedDuration = text.parse().unwrap_or_else(|error| panic!("FAMILY_API_TRIALS_SOAK: {error}"));
    Some(duration.try_into().unwrap())
}

async fn soak(database: &str, sandbox: Sandbox) {
    let others = [("kim", "rivera"), ("lea", "okafor")].map(|(id, family)| user(id, Some(family), Some(PASSWORD)));
    let sandbox = sandbox.import_families().import_lines(others);
    let (server, metrics) = serve(&sandbox);
    let mut rng = seeded_rng();
    let duration = duration();
    let load = Load::new(server, duration.unwrap_or(SHORT));
    let actors = [
        readers::actors(&load, &metrics).await,
        records::actors(&load).await,
        credentials::actors(&load, &mut rng).await,
        assistants::actors(&load).await,
        awkward::actors(&load).await,
    ];
    let mut samples = Samples::start(database, &sandbox, &load).await;
    let is_long = duration.is_some();
    join!(join_all(actors.into_iter().flatten()), samples.take_until_the_end(&sandbox, &load, is_long));
    samples.check(&load);
    samples.check_open_files(&load).await;
    assert_eq!(load.unexpected(), 0, "the first ones are above");
    assert!(load.busy() * MAX_BUSY_SHARE <= load.requests(), "the server was too busy {} times", load.busy());
    assert!(load.into_server().stop().success());
    assert_log_is_quiet(&sandbox);
}

/// Starts the server with its default limits. Returns the server and the address of its metrics.
fn serve(sandbox: &Sandbox) -> (Server, String) {
    let listen = ["serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"];
    let proxy = ["--trusted-proxy", "127.0.0.1", "--public-url", "https://family.example"];
    let filter = [("FAMILY_API_LOG", "warn,family_api_server::audit=info")];
    let mut server = sandbox.start(&[&listen[..], &proxy].concat(), &filter, "metrics on ");
    server.destination.client = client::builder().pool_idle_timeout(POOL_IDLE_TIMEOUT).build().unwrap();
    let metrics = server.printed.lines().last().unwrap().strip_prefix("metrics on ").unwrap().to_owned();
    (server, metrics)
}

/// Texts of warnings that depend on the load of the machine.
const BUSY: [&str; 5] = [
    ": slow storage call ",
    ": slow statement: ",
    ": acquired connection, but time to acquire exceeded slow threshold ",
    ": request could not be served ",
    ", will retry",
];

/// Asserts that the log contains only audit lines, and warnings that depend on the load of the machine.
fn assert_log_is_quiet(sandbox: &Sandbox) {
    let log = sandbox.log();
    let others = log.lines().filter(|line| !line.contains(" family_api_server::audit: "));
    let is_busy = |line: &&str| BUSY.iter().any(|text| line.contains(text));
    let (busy, others): (Vec<&str>, Vec<&str>) = others.partition(is_busy);
    print_line(&format!("{} lines of the log, {} of them about a busy server", log.lines().count(), busy.len()));
    assert!(
        others.is_empty(),
        "{} unexpected lines of the log, first {:#?}",
        others.len(),
        &others[..others.len().min(5)]
    );
}
