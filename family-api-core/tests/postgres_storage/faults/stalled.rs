//! A server that stops responding: connections stay open, but no data arrives.

use family_api_core::storage::{Load, StorageError};
use sqlx::{Connection, Executor};
use tokio::task::JoinSet;

use crate::family::Fixture;
use crate::faults::changes::Change;
use crate::faults::questions::{Question, truth};
use crate::faults::{assert_unavailable, rows, wait_for_lock_waiters};
use crate::fixture::within_limit;

/// Makes `count` queries concurrently, each on its own connection.
async fn ask_at_once(fixture: &Fixture, count: usize) -> Vec<Result<String, StorageError>> {
    let mut calls = JoinSet::new();
    for _ in 0..count {
        let storage = fixture.storage.clone();
        calls.spawn(async move { Question::Notes.ask(&storage).await });
    }
    calls.join_all().await
}

/// Makes `count` queries that must succeed. A locked table keeps each connection busy until all are in use.
async fn ask_on_each(fixture: &Fixture, count: usize) {
    let (mut host, mut watch) = (fixture.by_hand().await, fixture.by_hand().await);
    let mut transaction = host.begin().await.unwrap();
    transaction.execute("LOCK TABLE notes").await.unwrap();
    let release = async {
        wait_for_lock_waiters(&mut watch, count.try_into().unwrap()).await;
        transaction.rollback().await.unwrap();
    };
    let (answers, ()) = tokio::join!(ask_at_once(fixture, count), release);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
}

tests! {
    async fn calls_on_stalled_connections_end_and_later_calls_succeed() {
        let (fixture, proxy) = Fixture::behind_proxy(5).await;
        ask_on_each(&fixture, 5).await;
        let truth = truth(&fixture).await;
        proxy.stall();
        // Two more connections are idle. The storage does not know yet that they are stalled.
        let (answers, load) = tokio::join!(ask_at_once(&fixture, 2), within_limit(fixture.storage.begin_load()));
        answers.iter().for_each(assert_unavailable);
        assert_unavailable(&load.map(drop));
        proxy.mend();
        // The load keeps the fifth connection until the operating system closes it.
        ask_on_each(&fixture, 4).await;
        for (question, answer) in truth {
            assert_eq!(question.ask(&fixture.storage).await.unwrap(), answer, "{question:?}");
        }
    }

    async fn a_change_is_unavailable_if_every_connection_is_stalled() {
        let (fixture, proxy) = Fixture::behind_proxy(1).await;
        let mut host = fixture.by_hand().await;
        let before = rows(&mut host).await;
        proxy.stall();
        assert_unavailable(&Change::MoveTask.make(&fixture.storage).await);
        proxy.mend();
        assert_eq!(rows(&mut host).await, before);
        Change::MoveTask.make(&fixture.storage).await.unwrap();
        assert_eq!(rows(&mut host).await, Change::MoveTask.rows_after().await);
    }
}
