//! Faults of the network and the server. In all of them, a call returns the correct result or the error `Unavailable`.

mod administration;
mod bulkheads;
mod cancelled_calls;
mod cancelled_statements;
mod changes;
mod concurrent_update;
mod conflicts;
mod cut_connections;
mod distributed_locks;
mod locks;
mod queries;
mod refusals;
mod slow_connections;
mod stalled_connections;
mod stopped_server;
mod workers;

use std::fmt::Debug;
use std::num::NonZeroU32;

use family_api_core::key::KeyDigest;
use family_api_core::storage::{CredentialStorage, PasswordHash, Session, StorageError};
use family_api_sql::postgres::{PostgresOptions, PostgresStorage};
use family_api_testing::{Proxy, Server};
use serde_json::json;
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, Executor, PgConnection};

use crate::family::{Fixture, member, record_with};
use crate::fixture::within_timeout;

const TABLES: [&str; 15] = [
    "families",
    "users",
    "passwords",
    "sessions",
    "integration_keys",
    "calendar_feeds",
    "note_categories",
    "notes",
    "boards",
    "columns",
    "tasks",
    "events",
    "shopping_lists",
    "shopping_items",
    "changes",
];

/// Revisions start at a random number. Reset them, because tests compare the rows of two databases. The records are
/// counted, so that no change has another transaction before it.
const COUNTED: &str = "
    UPDATE families SET revision = 0, tasks_bound = 2, notes_bound = 1, events_bound = 1, shopping_items_bound = 1,
        records_counted_at = '2026-11-20'";

impl Fixture {
    /// Creates a database in which every [`Query`](queries::Query) has a result and every [`Change`](changes::Change)
    /// has an effect.
    async fn with_all_records() -> Self {
        let fixture = Self::of("x").await;
        fixture.load([record_with("task", &json!({ "id": "task-beside", "order": 1 }))]).await.unwrap();
        assert!(fixture.storage.update_password(&session(0x33).user, &password("old")).await.unwrap());
        assert!(fixture.storage.insert_session(&session(0x33), &password("old")).await.unwrap());
        fixture.connect_host().await.execute(COUNTED).await.unwrap();
        fixture
    }

    /// Creates the same database, with a storage of this many connections through a proxy.
    async fn behind_proxy(connections: u32) -> (Self, Proxy) {
        let mut fixture = Self::with_all_records().await;
        let proxy = Proxy::start(Server::shared()).await;
        fixture.storage = open(&proxy.url(&fixture.database), connections).await;
        (fixture, proxy)
    }

    /// Creates the same database, with a storage on a host's pool of one connection. Such a storage sends no message of
    /// its own when it connects, so the first message belongs to a call.
    async fn behind_proxy_in_hosts_pool() -> (Self, Proxy) {
        let mut fixture = Self::with_all_records().await;
        let proxy = Proxy::start(Server::shared()).await;
        let pool = PgPoolOptions::new().max_connections(1).connect(&proxy.url(&fixture.database)).await.unwrap();
        fixture.storage = PostgresStorage::from_pool(pool).await.unwrap();
        (fixture, proxy)
    }

    /// Creates the same database, with a storage of this many connections without a proxy.
    async fn with_connections(connections: u32) -> Self {
        let mut fixture = Self::with_all_records().await;
        fixture.storage = open(fixture.database.url(), connections).await;
        fixture
    }
}

async fn open(url: &str, connections: u32) -> PostgresStorage {
    PostgresOptions::new(url).connections(NonZeroU32::new(connections).unwrap()).open().await.unwrap()
}

fn password(phc: &str) -> PasswordHash {
    PasswordHash::new(phc.to_owned())
}

fn session(digest: u8) -> Session {
    Session {
        digest: KeyDigest::from_bytes([digest; 32]),
        user: member("one").user,
        created_at: "2026-11-20T00:00:00Z".parse().unwrap(),
        expires_at: "2026-12-20T00:00:00Z".parse().unwrap(),
    }
}

/// Returns every row of every table.
async fn rows(host: &mut PgConnection) -> Vec<String> {
    let selects = TABLES.map(|table| format!("SELECT '{table} ' || t AS line FROM {table} t"));
    let sql = AssertSqlSafe(format!("{} ORDER BY line", selects.join(" UNION ALL ")));
    sqlx::query_scalar(sql).fetch_all(host).await.unwrap()
}

#[track_caller]
fn assert_unavailable<T: Debug>(result: &Result<T, StorageError>) {
    assert!(matches!(result, Err(StorageError::Unavailable(_) | StorageError::NotBegun(_))), "{result:?}");
}

/// Returns when exactly `count` connections of the storage wait for a lock.
async fn wait_for_lock_waiters(host: &mut PgConnection, count: i64) {
    let waiting = "SELECT count(*) FROM pg_stat_activity
                   WHERE datname = current_database() AND application_name = 'family-api' AND wait_event_type = 'Lock'";
    within_timeout(async {
        while sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut *host).await.unwrap() != count {}
    })
    .await;
}

/// Terminates every connection except this one.
async fn terminate_connections(host: &mut PgConnection) {
    let sql = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    host.execute(sql).await.unwrap();
}
