//! A server that lets nobody in, or lets nobody write.

use family_api_core::storage::Health;
use sqlx::{AssertSqlSafe, Executor};

use crate::family::House;
use crate::faults::changes::Change;
use crate::faults::questions::{Question, truth};
use crate::faults::{assert_unavailable, end_connections, open, rows};

/// Ends the connections, and has the storage notice.
async fn lose_connection(house: &House) {
    end_connections(&mut house.by_hand().await).await;
    let _ = house.storage.check().await;
}

tests! {
    async fn where_the_role_may_open_no_more_connections_calls_are_unavailable() {
        let mut house = House::furnished().await;
        let role = format!("role_of_{}", house.database.name());
        let mut host = house.by_hand().await;
        for sql in [
            format!("CREATE ROLE {role} LOGIN"),
            format!("GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}"),
            format!("GRANT ALL ON SCHEMA public TO {role}"),
        ] {
            host.execute(AssertSqlSafe(sql)).await.unwrap();
        }
        house.storage = open(&house.database.url().replace("postgres@", &format!("{role}@")), 1).await;
        let answer = Question::Tasks.ask(&house.storage).await.unwrap();
        let limit = |count: i32| AssertSqlSafe(format!("ALTER ROLE {role} CONNECTION LIMIT {count}"));
        host.execute(limit(0)).await.unwrap();
        end_connections(&mut host).await;
        assert_unavailable(&house.storage.check().await);
        assert_unavailable(&Question::Tasks.ask(&house.storage).await);
        host.execute(limit(-1)).await.unwrap();
        assert_eq!(Question::Tasks.ask(&house.storage).await.unwrap(), answer);
    }

    async fn where_the_database_lets_nobody_in_calls_are_unavailable() {
        let house = House::of_connections(1).await;
        let truth = truth(&house).await;
        let mut host = house.by_hand().await;
        house.alter("ALLOW_CONNECTIONS false").await;
        end_connections(&mut host).await;
        let _ = house.storage.check().await;
        for (question, _) in &truth {
            assert_unavailable(&question.ask(&house.storage).await);
        }
        for change in Change::ALL {
            assert_unavailable(&change.make(&house.storage).await);
        }
        house.alter("ALLOW_CONNECTIONS true").await;
        for (question, answer) in truth {
            assert_eq!(question.ask(&house.storage).await.unwrap(), answer, "{question:?}");
        }
    }

    async fn where_the_server_only_reads_changes_are_unavailable_and_questions_are_answered() {
        let house = House::of_connections(1).await;
        let truth = truth(&house).await;
        house.alter("SET default_transaction_read_only = on").await;
        lose_connection(&house).await;
        let before = rows(&mut house.by_hand().await).await;
        for change in Change::ALL {
            assert_unavailable(&change.make(&house.storage).await);
        }
        for (question, answer) in truth {
            assert_eq!(question.ask(&house.storage).await.unwrap(), answer, "{question:?}");
        }
        assert_eq!(rows(&mut house.by_hand().await).await, before);
        house.alter("RESET default_transaction_read_only").await;
        lose_connection(&house).await;
        Change::UpdateNote.make(&house.storage).await.unwrap();
    }
}
