//! A server that refuses connections or writes.

use family_api_core::storage::Health;
use sqlx::{AssertSqlSafe, Executor};

use crate::family::Fixture;
use crate::faults::changes::Change;
use crate::faults::questions::{Question, truth};
use crate::faults::{assert_unavailable, end_connections, open, rows};

/// Terminates the connections and makes the storage notice it.
async fn lose_connection(fixture: &Fixture) {
    end_connections(&mut fixture.by_hand().await).await;
    let _ = fixture.storage.check().await;
}

tests! {
    async fn calls_are_unavailable_at_the_connection_limit_of_the_role() {
        let mut fixture = Fixture::with_all_records().await;
        let role = format!("role_of_{}", fixture.database.name());
        let mut host = fixture.by_hand().await;
        for sql in [
            format!("CREATE ROLE {role} LOGIN"),
            format!("GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}"),
            format!("GRANT ALL ON SCHEMA public TO {role}"),
        ] {
            host.execute(AssertSqlSafe(sql)).await.unwrap();
        }
        fixture.storage = open(&fixture.database.url().replace("postgres@", &format!("{role}@")), 1).await;
        let answer = Question::Tasks.ask(&fixture.storage).await.unwrap();
        let limit = |count: i32| AssertSqlSafe(format!("ALTER ROLE {role} CONNECTION LIMIT {count}"));
        host.execute(limit(0)).await.unwrap();
        end_connections(&mut host).await;
        assert_unavailable(&fixture.storage.check().await);
        assert_unavailable(&Question::Tasks.ask(&fixture.storage).await);
        host.execute(limit(-1)).await.unwrap();
        assert_eq!(Question::Tasks.ask(&fixture.storage).await.unwrap(), answer);
    }

    async fn calls_are_unavailable_if_the_database_allows_no_connections() {
        let fixture = Fixture::with_connections(1).await;
        let truth = truth(&fixture).await;
        let mut host = fixture.by_hand().await;
        fixture.alter("ALLOW_CONNECTIONS false").await;
        end_connections(&mut host).await;
        let _ = fixture.storage.check().await;
        for (question, _) in &truth {
            assert_unavailable(&question.ask(&fixture.storage).await);
        }
        for change in Change::ALL {
            assert_unavailable(&change.make(&fixture.storage).await);
        }
        fixture.alter("ALLOW_CONNECTIONS true").await;
        for (question, answer) in truth {
            assert_eq!(question.ask(&fixture.storage).await.unwrap(), answer, "{question:?}");
        }
    }

    async fn a_read_only_server_answers_queries_but_no_changes() {
        let fixture = Fixture::with_connections(1).await;
        let truth = truth(&fixture).await;
        fixture.alter("SET default_transaction_read_only = on").await;
        lose_connection(&fixture).await;
        let before = rows(&mut fixture.by_hand().await).await;
        for change in Change::ALL {
            assert_unavailable(&change.make(&fixture.storage).await);
        }
        for (question, answer) in truth {
            assert_eq!(question.ask(&fixture.storage).await.unwrap(), answer, "{question:?}");
        }
        assert_eq!(rows(&mut fixture.by_hand().await).await, before);
        fixture.alter("RESET default_transaction_read_only").await;
        lose_connection(&fixture).await;
        Change::UpdateNote.make(&fixture.storage).await.unwrap();
    }
}
