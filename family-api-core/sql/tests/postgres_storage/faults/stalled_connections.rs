//! A server that stops responding: connections stay open, but no data arrives.

use family_api_core::storage::{BulkLoad, StorageError};
use sqlx::{Connection, Executor};
use tokio::task::JoinSet;

use crate::family::Fixture;
use crate::faults::changes::Change;
use crate::faults::queries::{Query, expected_results};
use crate::faults::{assert_unavailable, rows, wait_for_lock_waiters};
use crate::fixture::within_timeout;

/// Makes `count` queries concurrently.
async fn query_concurrently(fixture: &Fixture, count: usize) -> Vec<Result<String, StorageError>> {
    let mut calls = JoinSet::new();
    for _ in 0..count {
        let storage = fixture.storage.clone();
        calls.spawn(async move { Query::Notes.run(&storage).await });
    }
    calls.join_all().await
}

/// Makes `count` queries, each on its own connection, and asserts that they succeed. A lock on the table makes each
/// query wait until all connections are in use.
async fn query_on_each_connection(fixture: &Fixture, count: usize) {
    let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
    let mut transaction = host.begin().await.unwrap();
    transaction.execute("LOCK TABLE notes").await.unwrap();
    let release = async {
        wait_for_lock_waiters(&mut observer, count.try_into().unwrap()).await;
        transaction.rollback().await.unwrap();
    };
    let (results, ()) = tokio::join!(query_concurrently(fixture, count), release);
    assert!(results.iter().all(Result::is_ok), "{results:?}");
}

tests! {
    async fn calls_on_stalled_connections_end_and_later_calls_succeed() {
        let (fixture, proxy) = Fixture::behind_proxy(5).await;
        query_on_each_connection(&fixture, 5).await;
        let expected = expected_results(&fixture).await;
        proxy.stall();
        // Three calls use three connections. The storage does not notice that the two idle connections are stalled.
        let load = within_timeout(fixture.storage.begin_load());
        let (results, load) = tokio::join!(query_concurrently(&fixture, 2), load);
        results.iter().for_each(assert_unavailable);
        assert_unavailable(&load.map(drop));
        proxy.clear_fault();
        // The load's task still holds one of the five connections. One connection is still being opened.
        query_on_each_connection(&fixture, 3).await;
        for (query, expected) in expected {
            assert_eq!(query.run(&fixture.storage).await.unwrap(), expected, "{query:?}");
        }
    }

    async fn a_change_is_unavailable_if_every_connection_is_stalled() {
        let (fixture, proxy) = Fixture::behind_proxy(1).await;
        let mut host = fixture.connect_host().await;
        let before = rows(&mut host).await;
        proxy.stall();
        assert_unavailable(&Change::MoveTask.make(&fixture.storage).await);
        proxy.clear_fault();
        assert_eq!(rows(&mut host).await, before);
        Change::MoveTask.make(&fixture.storage).await.unwrap();
        assert_eq!(rows(&mut host).await, Change::MoveTask.rows_after().await);
    }
}
