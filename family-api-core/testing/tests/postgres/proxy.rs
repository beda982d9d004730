//! Network faults that the proxy simulates.

use std::pin::pin;
use std::time::Duration;

use family_api_testing::{Database, Proxy, Server, postgres_tests};
use sqlx::{Connection, Executor, PgConnection};

use tokio::time::timeout;

use crate::{create_marks, mark, marks};

/// The timeout for operations that must not hang.
const HANG_TIMEOUT: Duration = Duration::from_mins(1);

/// Creates a database with a table of marks, and a proxy for its server.
async fn behind_proxy() -> (Database, Proxy) {
    let database = Server::shared().create_database().await;
    create_marks(&mut database.connect().await).await;
    (database, Proxy::before(Server::shared()).await)
}

async fn connect(proxy: &Proxy, database: &Database) -> Result<PgConnection, sqlx::Error> {
    PgConnection::connect(&proxy.url(database)).await
}

postgres_tests! {
    async fn a_new_proxy_forwards_everything() {
        let (database, proxy) = behind_proxy().await;
        let mut connection = connect(&proxy, &database).await.unwrap();
        mark(&mut connection).await.unwrap();
        let many = sqlx::query("INSERT INTO marks SELECT generate_series(2, 1000)");
        many.execute(&mut connection).await.unwrap();
        assert_eq!(marks(&mut connection).await, 1000);
    }

    async fn a_cut_closes_connections_and_refuses_new_ones_until_mended() {
        let (database, proxy) = behind_proxy().await;
        let mut connection = connect(&proxy, &database).await.unwrap();
        proxy.cut();
        assert!(mark(&mut connection).await.is_err());
        assert!(connect(&proxy, &database).await.is_err());
        proxy.mend();
        assert!(mark(&mut connection).await.is_err());
        mark(&mut connect(&proxy, &database).await.unwrap()).await.unwrap();
        assert_eq!(marks(&mut database.connect().await).await, 1);
    }

    async fn a_cut_closes_connections_even_if_mended_at_once() {
        let (database, proxy) = behind_proxy().await;
        let mut connection = connect(&proxy, &database).await.unwrap();
        proxy.cut();
        proxy.mend();
        assert!(mark(&mut connection).await.is_err());
    }

    async fn a_stalled_connection_hangs_even_after_mending() {
        let (database, proxy) = behind_proxy().await;
        let mut connection = connect(&proxy, &database).await.unwrap();
        proxy.stall();
        let mut stalled = pin!(mark(&mut connection));
        hangs(stalled.as_mut(), &database).await;
        proxy.mend();
        assert_eq!(marks(&mut connect(&proxy, &database).await.unwrap()).await, 0);
        hangs(stalled.as_mut(), &database).await;
        proxy.cut();
        assert!(timeout(HANG_TIMEOUT, stalled).await.unwrap().is_err());
        assert_eq!(marks(&mut database.connect().await).await, 0);
    }

    async fn a_connection_opened_during_a_stall_hangs_even_after_mending() {
        let (database, proxy) = behind_proxy().await;
        proxy.stall();
        let mut stalled = pin!(connect(&proxy, &database));
        hangs(stalled.as_mut(), &database).await;
        proxy.mend();
        connect(&proxy, &database).await.unwrap();
        hangs(stalled.as_mut(), &database).await;
        proxy.cut();
        assert!(timeout(HANG_TIMEOUT, stalled).await.unwrap().is_err());
    }

    async fn the_nth_message_of_a_new_connection_is_not_forwarded() {
        let (database, proxy) = behind_proxy().await;
        let mut older = connect(&proxy, &database).await.unwrap();
        proxy.cut_before_message(3);
        let mut connection = connect(&proxy, &database).await.unwrap();
        assert_eq!(proxy.messages(), 0);
        mark(&mut connection).await.unwrap();
        mark(&mut connection).await.unwrap();
        assert!(mark(&mut connection).await.is_err());
        assert_eq!(proxy.messages(), 2);
        for _ in 0..3 {
            mark(&mut older).await.unwrap();
        }
        assert_eq!(marks(&mut database.connect().await).await, 5);
    }

    async fn each_message_of_a_prepared_statement_counts() {
        let (database, proxy) = behind_proxy().await;
        let mut connection = connect(&proxy, &database).await.unwrap();
        sqlx::query("INSERT INTO marks VALUES ($1)").bind(1).execute(&mut connection).await.unwrap();
        let messages = proxy.messages();
        assert!(messages >= 5, "parse, describe, bind, execute and sync are {messages}");
        proxy.cut_before_message(messages);
        let mut connection = connect(&proxy, &database).await.unwrap();
        assert!(sqlx::query("INSERT INTO marks VALUES ($1)").bind(1).execute(&mut connection).await.is_err());
        assert_eq!(proxy.messages(), messages - 1);
        assert_eq!(marks(&mut database.connect().await).await, 1);
    }

    async fn a_mended_proxy_forwards_all_messages() {
        let (database, proxy) = behind_proxy().await;
        proxy.cut_before_message(1);
        let mut connection = connect(&proxy, &database).await.unwrap();
        proxy.mend();
        mark(&mut connection).await.unwrap();
    }

    async fn a_commit_with_a_lost_response_was_executed() {
        let (database, proxy) = behind_proxy().await;
        let mut connection = connect(&proxy, &database).await.unwrap();
        proxy.cut_after_commit();
        let mut transaction = connection.begin().await.unwrap();
        mark(&mut transaction).await.unwrap();
        assert!(transaction.commit().await.is_err());
        assert_eq!(marks(&mut database.connect().await).await, 1);
    }

    async fn only_one_commit_response_is_lost() {
        let (database, proxy) = behind_proxy().await;
        proxy.cut_after_commit();
        let mut connection = connect(&proxy, &database).await.unwrap();
        connection.execute("BEGIN").await.unwrap();
        assert!(connection.execute("commit").await.is_err());
        let mut connection = connect(&proxy, &database).await.unwrap();
        let mut transaction = connection.begin().await.unwrap();
        mark(&mut transaction).await.unwrap();
        transaction.commit().await.unwrap();
        assert_eq!(marks(&mut connection).await, 1);
    }

    async fn a_dropped_proxy_closes_its_connections() {
        let (database, proxy) = behind_proxy().await;
        let mut connection = connect(&proxy, &database).await.unwrap();
        drop(proxy);
        assert!(mark(&mut connection).await.is_err());
    }
}

/// Asserts that a future does not complete while ten queries to the server do.
async fn hangs<T>(future: impl Future<Output = T>, database: &Database) {
    let others = async {
        for _ in 0..10 {
            marks(&mut database.connect().await).await;
        }
    };
    tokio::select! {
        biased;
        _ = future => panic!("the operation did not hang"),
        () = others => {}
    }
}
