//! Migrations are atomic, even if the connection is cut.

use family_api_core::storage::{Health, StorageError};
use family_api_sql::postgres::{OpenError, PostgresStorage};
use family_api_testing::{Database, Proxy, Server};
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, Executor};
use tokio::task::JoinSet;

use crate::fixture::within_timeout;
use crate::schema::{schema, schema_with_history};

/// Returns the schema and the applied migrations of a database that was migrated without faults.
async fn migrated_schema() -> Vec<String> {
    let database = Server::shared().create_database().await;
    PostgresStorage::open(database.url()).await.unwrap().close().await;
    schema_with_history(&mut database.connect().await).await
}

/// Opens the database through the proxy. Returns `None` if the database is unavailable. The pool connects lazily, so
/// the first message on its connection comes from the storage.
async fn open(proxy: &Proxy, database: &Database) -> Option<PostgresStorage> {
    let pool = PgPoolOptions::new().max_connections(1).connect_lazy(&proxy.url(database)).unwrap();
    match within_timeout(PostgresStorage::from_pool(pool)).await {
        Ok(storage) => Some(storage),
        Err(OpenError::Storage(StorageError::Unavailable(_))) => None,
        Err(other) => panic!("{other:?}"),
    }
}

tests! {
    async fn the_database_can_be_opened_after_a_cut_at_any_message() {
        let expected = migrated_schema().await;
        let database = Server::shared().create_database().await;
        let proxy = Proxy::start(Server::shared()).await;
        let mut host = database.connect().await;
        let mut cuts = 0;
        for message in 1.. {
            proxy.cut_before_message(message);
            let opened = open(&proxy, &database).await;
            if opened.is_none() {
                cuts += 1;
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
        assert!(cuts > 20, "only {cuts} messages were cut");
    }

    async fn a_migration_with_a_lost_commit_response_is_complete() {
        let database = Server::shared().create_database().await;
        let proxy = Proxy::start(Server::shared()).await;
        proxy.cut_after_commit();
        assert!(open(&proxy, &database).await.is_none());
        let mut host = database.connect().await;
        let expected = migrated_schema().await;
        assert_eq!(schema_with_history(&mut host).await, expected);
        PostgresStorage::open(database.url()).await.unwrap().check().await.unwrap();
        assert_eq!(schema_with_history(&mut host).await, expected);
    }

    async fn concurrent_opens_of_a_new_database_succeed_at_any_isolation() {
        let expected = migrated_schema().await;
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
