//! The reserved connection for key lookups.

use std::num::NonZeroU32;
use std::time::Duration;

use family_api_core::key::KeyDigest;
use family_api_core::storage::{KeyStorage, ReadStorage, StorageError};
use family_api_sql::postgres::{PostgresOptions, PostgresStorage};
use futures_util::future::join_all;
use sqlx::{AssertSqlSafe, Executor, PgConnection};
use tokio::time::{sleep, timeout};

use crate::family::{Fixture, member};

/// Selects the connections of the storage.
const STORAGE_CONNECTIONS: &str =
    "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'family-api'";

/// Maximum time in which the server ends the process of a closed connection.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(30);

async fn count(host: &mut PgConnection) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(format!("SELECT count(*) {STORAGE_CONNECTIONS}"))).fetch_one(host).await.unwrap()
}

/// Waits until the server has ended the processes of closed connections.
async fn wait_until_closed(host: &mut PgConnection) {
    timeout(CLOSE_TIMEOUT, async {
        while count(host).await > 0 {
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .unwrap();
}

/// Terminates the connections whose last query was a key lookup.
async fn terminate_key_connection(host: &mut PgConnection) -> u64 {
    let sql = format!("SELECT pg_terminate_backend(pid) {STORAGE_CONNECTIONS} AND query LIKE '%k.digest = ANY%'");
    host.execute(AssertSqlSafe(sql)).await.unwrap().rows_affected()
}

async fn is_found(storage: &PostgresStorage) -> bool {
    storage.find_key(&KeyDigest::from_bytes([0x11; 32])).await.unwrap().is_some()
}

tests! {
    async fn key_lookups_use_one_connection_in_addition_to_the_pool() {
        let fixture = Fixture::of("x").await;
        fixture.storage.close().await;
        let mut host = fixture.connect_host().await;
        for max in 1..=3 {
            wait_until_closed(&mut host).await;
            let options = PostgresOptions::new(fixture.database.url()).connections(NonZeroU32::new(max).unwrap());
            let storage = options.open().await.unwrap();
            let one = member("one");
            for _ in 0..10 {
                let lookups = join_all((0..8).map(|_| is_found(&storage)));
                let (lookups, notes) = tokio::join!(lookups, join_all((0..8).map(|_| storage.list_notes(&one))));
                assert!(lookups.iter().all(|found| *found) && notes.iter().all(Result::is_ok));
            }
            let reserved = i64::from(max > 1);
            assert!((1 + reserved..=i64::from(max) + reserved).contains(&count(&mut host).await));
            storage.close().await;
            let closed = storage.find_key(&KeyDigest::from_bytes([0x11; 32])).await;
            assert!(matches!(closed, Err(StorageError::Unavailable(_))), "{closed:?}");
        }
    }

    async fn a_key_lookup_reconnects_after_its_connection_was_terminated() {
        let fixture = Fixture::of("x").await;
        let mut host = fixture.connect_host().await;
        assert!(is_found(&fixture.storage).await);
        assert!(terminate_key_connection(&mut host).await > 0);
        assert!(is_found(&fixture.storage).await && is_found(&fixture.storage).await);
    }
}
