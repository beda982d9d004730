//! The separate connection for key lookups.

use std::num::NonZeroU32;

use family_api_core::key::KeyDigest;
use family_api_core::storage::postgres::{PostgresOptions, PostgresStorage};
use family_api_core::storage::{KeyStorage, ReadStorage, StorageError};
use futures_util::future::join_all;
use sqlx::{AssertSqlSafe, Executor, PgConnection};

use crate::family::{Fixture, member};

const OURS: &str = "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'family-api'";

async fn count(host: &mut PgConnection) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(format!("SELECT count(*) {OURS}"))).fetch_one(host).await.unwrap()
}

/// Terminates the connections whose last query was a key lookup.
async fn end(host: &mut PgConnection) -> u64 {
    let sql = format!("SELECT pg_terminate_backend(pid) {OURS} AND query LIKE '%k.digest = ANY%'");
    host.execute(AssertSqlSafe(sql)).await.unwrap().rows_affected()
}

async fn is_found(storage: &PostgresStorage) -> bool {
    storage.find_key(&KeyDigest::from_bytes([0x11; 32])).await.unwrap().is_some()
}

tests! {
    async fn key_lookups_use_one_connection_beside_the_maximum() {
        let fixture = Fixture::of("x").await;
        fixture.storage.close().await;
        let mut host = fixture.by_hand().await;
        for most in 1..=3 {
            let options = PostgresOptions::new(fixture.database.url()).connections(NonZeroU32::new(most).unwrap());
            let storage = options.open().await.unwrap();
            let one = member("one");
            for _ in 0..10 {
                let looks = join_all((0..8).map(|_| is_found(&storage)));
                let (looks, notes) = tokio::join!(looks, join_all((0..8).map(|_| storage.list_notes(&one))));
                assert!(looks.iter().all(|found| *found) && notes.iter().all(Result::is_ok));
            }
            let beside = i64::from(most > 1);
            assert!((1 + beside..=i64::from(most) + beside).contains(&count(&mut host).await));
            storage.close().await;
            let closed = storage.find_key(&KeyDigest::from_bytes([0x11; 32])).await;
            assert!(matches!(closed, Err(StorageError::Unavailable(_))), "{closed:?}");
        }
    }

    async fn a_key_lookup_reconnects_after_its_connection_was_terminated() {
        let fixture = Fixture::of("x").await;
        let mut host = fixture.by_hand().await;
        assert!(is_found(&fixture.storage).await);
        assert!(end(&mut host).await > 0);
        assert!(is_found(&fixture.storage).await && is_found(&fixture.storage).await);
    }
}
