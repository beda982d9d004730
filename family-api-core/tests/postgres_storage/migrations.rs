//! Migrations are atomic, even if the connection is cut.

use family_api_core::storage::postgres::{OpenError, PostgresStorage};
use family_api_core::storage::{Health, StorageError};
use family_api_testing::{Database, Proxy, Server};
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, Executor};
use tokio::task::JoinSet;

use crate::fixture::within_limit;
use crate::schema::{schema, schema_with_history};

/// Returns the schema after a migration without faults.
async fn undisturbed() -> Vec<String> {
    let database = Server::shared().create_database().await;
    PostgresStorage::open(database.url()).await.unwrap().close().await;
    schema_with_history(&mut database.connect().await).await
}

/// Opens the database through the proxy. Returns `None` if it is unavailable. The first message on a host's pool is
/// ours.
async fn open(proxy: &Proxy, database: &Database) -> Option<PostgresStorage> {
    let pool = PgPoolOptions::new().max_connections(1).connect_lazy(&proxy.url(database)).unwrap();
    match within_limit(PostgresStorage::from_pool(pool)).await {
        Ok(storage) => Some(storage),
        Err(OpenError::Storage(StorageError::Unavailable(_))) => None,
        Err(other) => panic!("{other:?}"),
    }
}

tests! {
    async fn the_database_can_be_opened_after_a_cut_at_any_message() {
        let expected = undisturbed().await;
        let database = Server::shared().create_database().await;
        let proxy = Proxy::before(Server::shared()).await;
        let mut host = database.connect().await;
        let mut cut = 0;
        for message in 1.. {
            proxy.cut_before_message(message);
            let opened = open(&proxy, &database).await;
            if opened.is_none() {
                cut += 1;
                let left = schema(&mut host).await;
                assert!(left.is_empty() || schema_with_history(&mut host).await == expected, "{message}: {left:#?}");
            }
            PostgresStorage::open(database.url()).await.unwrap().check().await.unwrap();
            assert_eq!(schema_with_history(&mut host).await, expected, "{message}");
            if opened.is_some() {
                break;
            }
            host.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public").await.unwrap();
        }
        assert!(cut > 20, "only {cut} messages were cut");
    }

    async fn a_migration_with_a_lost_commit_response_is_complete() {
        let database = Server::shared().create_database().await;
        let proxy = Proxy::before(Server::shared()).await;
        proxy.cut_after_commit();
        assert!(open(&proxy, &database).await.is_none());
        let mut host = database.connect().await;
        let expected = undisturbed().await;
        assert_eq!(schema_with_history(&mut host).await, expected);
        PostgresStorage::open(database.url()).await.unwrap().check().await.unwrap();
        assert_eq!(schema_with_history(&mut host).await, expected);
    }

    async fn concurrent_opens_of_a_new_database_succeed_at_any_isolation() {
        let expected = undisturbed().await;
        for isolation in ["read committed", "repeatable read", "serializable"] {
            let database = Server::shared().create_database().await;
            let sql = format!("ALTER DATABASE {} SET default_transaction_isolation = '{isolation}'", database.name());
            database.connect().await.execute(AssertSqlSafe(sql)).await.unwrap();
            let mut openings = JoinSet::new();
            for _ in 0..8 {
                let url = database.url().to_owned();
                openings.spawn(async move { PostgresStorage::open(&url).await.unwrap().check().await });
            }
            while let Some(opening) = openings.join_next().await {
                opening.unwrap().unwrap();
            }
            assert_eq!(schema_with_history(&mut database.connect().await).await, expected, "{isolation}");
        }
    }
}
