//! A server that is stopped and started again, or comes back as a standby.

use std::fs;

use family_api_core::storage::{BulkLoad, Health, StorageError};
use family_api_sql::postgres::PostgresStorage;
use family_api_testing::{Server, Shutdown};
use tokio::task::JoinSet;

use crate::family::{Fixture, record_of, records};
use crate::faults::changes::Change;
use crate::faults::queries::Query;
use crate::faults::{assert_unavailable, open};
use crate::fixture::{OpenError, within_timeout};

/// Makes all queries and changes, and asserts that they are unavailable. They run concurrently, because each call waits
/// for its timeout.
async fn call_everything(storage: &PostgresStorage) {
    let mut calls = JoinSet::new();
    for query in Query::ALL {
        let storage = storage.clone();
        calls.spawn(async move { assert_unavailable(&query.run(&storage).await) });
    }
    for change in Change::ALL {
        let storage = storage.clone();
        calls.spawn(async move { assert_unavailable(&change.make(&storage).await) });
    }
    let storage = storage.clone();
    calls.spawn(async move { assert_unavailable(&storage.begin_load().await.map(drop)) });
    calls.join_all().await;
}

tests! {
    async fn calls_fail_while_the_server_is_stopped_and_succeed_afterwards() {
        let server = Server::start();
        let database = server.create_database().await;
        let storage = open(database.url(), 30).await;
        let fixture = Fixture { storage, database };
        fixture.load(records("one", "x")).await.unwrap();
        let expected = Query::Tasks.run(&fixture.storage).await.unwrap();
        for shutdown in [Shutdown::Fast, Shutdown::Immediate] {
            server.stop(shutdown);
            call_everything(&fixture.storage).await;
            server.start_again();
            fixture.storage.check().await.unwrap();
            assert_eq!(Query::Tasks.run(&fixture.storage).await.unwrap(), expected);
        }
        let mut load = fixture.storage.begin_load().await.unwrap();
        load.insert(record_of(&records("three", "x")[0])).await.unwrap();
        load.commit().await.unwrap();
    }

    async fn a_standby_server_is_not_queried() {
        let server = Server::start();
        let database = server.create_database().await;
        let fixture = Fixture { storage: open(database.url(), 30).await, database };
        fixture.load(records("one", "x")).await.unwrap();
        let expected = Query::Tasks.run(&fixture.storage).await.unwrap();
        let signal = server.folder().join("data/standby.signal");
        server.stop(Shutdown::Fast);
        fs::write(&signal, "").unwrap();
        server.start_again();
        assert_eq!(fixture.count("SELECT count(*) FROM notes WHERE pg_is_in_recovery()").await, 1);
        let opening = tokio::join!(call_everything(&fixture.storage), within_timeout(fixture.reopen())).1.unwrap_err();
        assert!(matches!(opening, OpenError::Storage(StorageError::Unavailable(_))), "{opening:?}");

        server.stop(Shutdown::Fast);
        fs::remove_file(&signal).unwrap();
        server.start_again();
        assert_eq!(Query::Tasks.run(&fixture.storage).await.unwrap(), expected);
    }
}
