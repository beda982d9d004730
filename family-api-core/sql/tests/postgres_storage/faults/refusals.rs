//! A server that refuses new connections, or refuses writes.

use family_api_core::storage::Health;
use sqlx::{AssertSqlSafe, Executor};

use crate::family::Fixture;
use crate::faults::changes::Change;
use crate::faults::queries::{Query, expected_results};
use crate::faults::{assert_unavailable, open, rows, terminate_connections};

/// Terminates the storage's connections, and makes a call so that the storage notices it.
async fn lose_connection(fixture: &Fixture) {
    terminate_connections(&mut fixture.connect_host().await).await;
    let _ = fixture.storage.check().await;
}

tests! {
    async fn calls_are_unavailable_at_the_connection_limit_of_the_role() {
        let mut fixture = Fixture::with_all_records().await;
        let role = format!("role_of_{}", fixture.database.name());
        let mut host = fixture.connect_host().await;
        for sql in [
            format!("CREATE ROLE {role} LOGIN"),
            format!("GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}"),
            format!("GRANT ALL ON SCHEMA public TO {role}"),
        ] {
            host.execute(AssertSqlSafe(sql)).await.unwrap();
        }
        fixture.storage = open(&fixture.database.url().replace("postgres@", &format!("{role}@")), 1).await;
        let expected = Query::Tasks.run(&fixture.storage).await.unwrap();
        let limit = |count: i32| AssertSqlSafe(format!("ALTER ROLE {role} CONNECTION LIMIT {count}"));
        host.execute(limit(0)).await.unwrap();
        terminate_connections(&mut host).await;
        assert_unavailable(&fixture.storage.check().await);
        assert_unavailable(&Query::Tasks.run(&fixture.storage).await);
        host.execute(limit(-1)).await.unwrap();
        assert_eq!(Query::Tasks.run(&fixture.storage).await.unwrap(), expected);
    }

    async fn calls_are_unavailable_if_the_database_allows_no_connections() {
        let fixture = Fixture::with_connections(1).await;
        let expected = expected_results(&fixture).await;
        let mut host = fixture.connect_host().await;
        fixture.alter("ALLOW_CONNECTIONS false").await;
        terminate_connections(&mut host).await;
        let _ = fixture.storage.check().await;
        for (query, _) in &expected {
            assert_unavailable(&query.run(&fixture.storage).await);
        }
        for change in Change::ALL {
            assert_unavailable(&change.make(&fixture.storage).await);
        }
        fixture.alter("ALLOW_CONNECTIONS true").await;
        for (query, expected) in expected {
            assert_eq!(query.run(&fixture.storage).await.unwrap(), expected, "{query:?}");
        }
    }

    async fn a_read_only_server_answers_queries_but_no_changes() {
        let fixture = Fixture::with_connections(1).await;
        let expected = expected_results(&fixture).await;
        fixture.alter("SET default_transaction_read_only = on").await;
        lose_connection(&fixture).await;
        let before = rows(&mut fixture.connect_host().await).await;
        for change in Change::ALL {
            assert_unavailable(&change.make(&fixture.storage).await);
        }
        for (query, expected) in expected {
            assert_eq!(query.run(&fixture.storage).await.unwrap(), expected, "{query:?}");
        }
        assert_eq!(rows(&mut fixture.connect_host().await).await, before);
        fixture.alter("RESET default_transaction_read_only").await;
        lose_connection(&fixture).await;
        Change::UpdateNote.make(&fixture.storage).await.unwrap();
    }
}
