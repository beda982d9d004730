//! A storage on a host app's pool, in a database that also has the host's own tables.

use family_api_core::storage::{BulkLoad, Health, ReadStorage};
use family_api_sql::postgres::PostgresStorage;
use family_api_testing::{Database, Server};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Executor, PgPool};

use crate::family::{member, record_of, records};

async fn host_database() -> Database {
    let database = Server::shared().create_database().await;
    let tables = "
        CREATE TABLE _sqlx_migrations (
            version BIGINT PRIMARY KEY, description TEXT NOT NULL, installed_on TIMESTAMPTZ NOT NULL DEFAULT now(),
            success BOOLEAN NOT NULL, checksum BYTEA NOT NULL, execution_time BIGINT NOT NULL
        );
        INSERT INTO _sqlx_migrations VALUES (1, 'the host''s', now(), TRUE, 'x', 1), (7, 'also', now(), TRUE, 'y', 1);
        CREATE TABLE accounts (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT);
        INSERT INTO accounts (name) VALUES ('somebody');
        CREATE SCHEMA app";
    database.connect().await.execute(tables).await.unwrap();
    database
}

async fn load(storage: &PostgresStorage) {
    let mut load = storage.begin_load().await.unwrap();
    for record in records("one", "x") {
        load.insert(record_of(&record)).await.unwrap();
    }
    load.commit().await.unwrap();
}

async fn query_text(pool: &PgPool, sql: &'static str) -> String {
    sqlx::query_scalar(sql).fetch_one(pool).await.unwrap()
}

tests! {
    async fn the_hosts_tables_and_migrations_are_unchanged() {
        let database = host_database().await;
        let pool = PgPool::connect(database.url()).await.unwrap();
        for _ in 0..2 {
            PostgresStorage::from_pool(pool.clone()).await.unwrap();
        }
        let storage = PostgresStorage::from_pool(pool.clone()).await.unwrap();
        load(&storage).await;
        assert_eq!(storage.list_notes(&member("one")).await.unwrap().parse().unwrap().len(), 1);
        assert_eq!(query_text(&pool, "SELECT string_agg(version::text, ' ') FROM _sqlx_migrations").await, "1 7");
        assert_eq!(query_text(&pool, "SELECT string_agg(name, ' ') FROM accounts").await, "somebody");
    }

    async fn tables_are_created_in_the_default_schema_of_the_pool() {
        let database = host_database().await;
        let options: PgConnectOptions = database.url().parse().unwrap();
        let pool = PgPoolOptions::new().connect_with(options.options([("search_path", "app")])).await.unwrap();
        load(&PostgresStorage::from_pool(pool.clone()).await.unwrap()).await;
        PostgresStorage::from_pool(pool.clone()).await.unwrap().check().await.unwrap();
        assert_eq!(query_text(&pool, "SELECT count(*)::text FROM app.notes").await, "1");
        let ours = "SELECT count(*)::text FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'accounts'
                    AND tablename <> '_sqlx_migrations'";
        assert_eq!(query_text(&pool, ours).await, "0");
    }

    async fn closing_the_storage_closes_the_pool() {
        let database = host_database().await;
        let pool = PgPool::connect(database.url()).await.unwrap();
        PostgresStorage::from_pool(pool.clone()).await.unwrap().close().await;
        assert!(pool.is_closed());
    }
}
