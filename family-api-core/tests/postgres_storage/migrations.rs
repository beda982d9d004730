//! A migration is all or nothing, whatever becomes of those who make it.

use family_api_core::storage::postgres::{OpenError, PostgresStorage};
use family_api_core::storage::{Health, StorageError};
use family_api_testing::{Database, Proxy, Server};
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, Executor};
use tokio::task::JoinSet;

use crate::fixture::within_limit;
use crate::schema::{schema, schema_with_history};

/// The schema as those make it who are not disturbed.
async fn undisturbed() -> Vec<String> {
    let database = Server::shared().create_database().await;
    PostgresStorage::open(database.url()).await.unwrap().close().await;
    schema_with_history(&mut database.connect().await).await
}

/// Opens the database by way of the proxy, unless it is unavailable. Over a host's pool, the first message is ours.
async fn open(proxy: &Proxy, database: &Database) -> Option<PostgresStorage> {
    let pool = PgPoolOptions::new().max_connections(1).connect_lazy(&proxy.url(database)).unwrap();
    match within_limit(PostgresStorage::from_pool(pool)).await {
        Ok(storage) => Some(storage),
        Err(OpenError::Storage(StorageError::Unavailable(_))) => None,
        Err(other) => panic!("{other:?}"),
    }
}

tests! {
    async fn an_opening_that_is_cut_at_any_message_leaves_nothing_in_the_way_of_the_next() {
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

    async fn an_opening_that_never_hears_of_its_commit_has_migrated() {
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

    async fn all_who_open_a_new_database_at_once_get_in_whatever_its_transactions_are() {
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
