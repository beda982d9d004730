//! Network faults that the proxy simulates.

use std::pin::pin;
use std::time::Duration;

use family_api_testing::{Database, Proxy, Server, postgres_tests};
use sqlx::{Connection, Executor, PgConnection};

use tokio::time::timeout;

use crate::{count_marks, create_marks, insert_mark};

/// Timeout of an operation that must end.
const HANG_TIMEOUT: Duration = Duration::from_mins(1);

/// Creates a database with a table of marks, and a proxy for its server.
async fn behind_proxy() -> (Database, Proxy) {
    let database = Server::shared().create_database().await;
    create_marks(&mut database.connect().await).await;
    (database, Proxy::start(Server::shared()).await)
}

async fn connect(proxy: &Proxy, database: &Database) -> Result<PgConnection, sqlx::Error> {
    PgConnection::connect(&proxy.url(database)).await
}

postgres_tests! {
    async fn a_proxy_without_fault_forwards_everything() {
        let (database, proxy) = behind_proxy().await;
        proxy.cut_before_message(1);
        proxy.clear_fault();
        let mut connection = connect(&proxy, &database).await.unwrap();
        insert_mark(&mut connection).await.unwrap();
        let many = sqlx::query("INSERT INTO marks SELECT generate_series(2, 1000)");
        many.execute(&mut connection).await.unwrap();
        assert_eq!(count_marks(&mut connection).await, 1000);
    }

    async fn a_held_connection_reaches_the_server_after_its_release() {
        let (database, proxy) = behind_proxy().await;
        proxy.hold_new_connections();
        let mut connecting = pin!(connect(&proxy, &database));
        let is_held = tokio::select! {
            _ = &mut connecting => false,
            () = proxy.wait_for_connections(1) => true,
        };
        assert!(is_held && proxy.connections() == 1);
        proxy.release_connections();
        let mut connection = timeout(HANG_TIMEOUT, connecting).await.unwrap().unwrap();
        insert_mark(&mut connection).await.unwrap();
    }

    async fn a_cut_closes_old_and_new_connections_until_cleared() {
        let (database, proxy) = behind_proxy().await;
        let mut connection = connect(&proxy, &database).await.unwrap();
        proxy.cut();
        assert!(insert_mark(&mut connection).await.is_err());
        assert!(connect(&proxy, &database).await.is_err());
        proxy.clear_fault();
        assert!(insert_mark(&mut connection).await.is_err());
        insert_mark(&mut connect(&proxy, &database).await.unwrap()).await.unwrap();
        assert_eq!(count_marks(&mut database.connect().await).await, 1);
    }

    async fn a_cut_closes_connections_even_if_cleared_at_once() {
        let (database, proxy) = behind_proxy().await;
        let mut connection = connect(&proxy, &database).await.unwrap();
        proxy.cut();
        proxy.clear_fault();
        assert!(insert_mark(&mut connection).await.is_err());
    }

    async fn a_stalled_connection_hangs_even_after_clear_fault() {
        let (database, proxy) = behind_proxy().await;
        let mut connection = connect(&proxy, &database).await.unwrap();
        proxy.stall();
        let mut stalled = pin!(insert_mark(&mut connection));
        assert_hangs(stalled.as_mut(), &database).await;
        proxy.clear_fault();
        assert_eq!(count_marks(&mut connect(&proxy, &database).await.unwrap()).await, 0);
        assert_hangs(stalled.as_mut(), &database).await;
        proxy.cut();
        assert!(timeout(HANG_TIMEOUT, stalled).await.unwrap().is_err());
        assert_eq!(count_marks(&mut database.connect().await).await, 0);
    }

    async fn a_connection_opened_during_a_stall_hangs_even_after_clear_fault() {
        let (database, proxy) = behind_proxy().await;
        proxy.stall();
        let mut stalled = pin!(connect(&proxy, &database));
        assert_hangs(stalled.as_mut(), &database).await;
        proxy.clear_fault();
        connect(&proxy, &database).await.unwrap();
        assert_hangs(stalled.as_mut(), &database).await;
        proxy.cut();
        assert!(timeout(HANG_TIMEOUT, stalled).await.unwrap().is_err());
    }

    async fn a_new_connection_is_cut_before_its_nth_message() {
        let (database, proxy) = behind_proxy().await;
        let mut old_connection = connect(&proxy, &database).await.unwrap();
        proxy.cut_before_message(3);
        let mut connection = connect(&proxy, &database).await.unwrap();
        assert_eq!(proxy.messages(), 0);
        insert_mark(&mut connection).await.unwrap();
        insert_mark(&mut connection).await.unwrap();
        assert!(insert_mark(&mut connection).await.is_err());
        assert_eq!(proxy.messages(), 2);
        for _ in 0..3 {
            insert_mark(&mut old_connection).await.unwrap();
        }
        assert_eq!(count_marks(&mut database.connect().await).await, 5);
    }

    async fn each_message_of_a_prepared_statement_counts() {
        let (database, proxy) = behind_proxy().await;
        let mut connection = connect(&proxy, &database).await.unwrap();
        sqlx::query("INSERT INTO marks VALUES ($1)").bind(1).execute(&mut connection).await.unwrap();
        let messages = proxy.messages();
        assert!(messages >= 5, "parse, describe, bind, execute and sync were counted as {messages}");
        proxy.cut_before_message(messages);
        let mut connection = connect(&proxy, &database).await.unwrap();
        assert!(sqlx::query("INSERT INTO marks VALUES ($1)").bind(1).execute(&mut connection).await.is_err());
        assert_eq!(proxy.messages(), messages - 1);
        assert_eq!(count_marks(&mut database.connect().await).await, 1);
    }

    async fn a_commit_with_a_lost_response_is_executed() {
        let (database, proxy) = behind_proxy().await;
        let mut connection = connect(&proxy, &database).await.unwrap();
        proxy.cut_after_commit();
        let mut transaction = connection.begin().await.unwrap();
        insert_mark(&mut transaction).await.unwrap();
        assert!(transaction.commit().await.is_err());
        assert_eq!(count_marks(&mut database.connect().await).await, 1);
    }

    async fn only_one_commit_response_is_lost() {
        let (database, proxy) = behind_proxy().await;
        proxy.cut_after_commit();
        let mut connection = connect(&proxy, &database).await.unwrap();
        connection.execute("BEGIN").await.unwrap();
        assert!(connection.execute("commit").await.is_err());
        let mut connection = connect(&proxy, &database).await.unwrap();
        let mut transaction = connection.begin().await.unwrap();
        insert_mark(&mut transaction).await.unwrap();
        transaction.commit().await.unwrap();
        assert_eq!(count_marks(&mut connection).await, 1);
    }

    async fn a_dropped_proxy_closes_its_connections() {
        let (database, proxy) = behind_proxy().await;
        let mut connection = connect(&proxy, &database).await.unwrap();
        drop(proxy);
        assert!(insert_mark(&mut connection).await.is_err());
    }
}

/// Asserts that a future does not complete, while ten other queries to the server complete.
async fn assert_hangs<T>(future: impl Future<Output = T>, database: &Database) {
    let others = async {
        for _ in 0..10 {
            count_marks(&mut database.connect().await).await;
        }
    };
    tokio::select! {
        biased;
        _ = future => panic!("the operation did not hang"),
        () = others => {}
    }
}
