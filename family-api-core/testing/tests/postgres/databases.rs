//! Databases of one server: names, isolation and removal.

use family_api_testing::{Server, postgres_tests};
use sqlx::{Executor, Row};

postgres_tests! {
    async fn databases_do_not_share_tables() {
        let (one, other) = tokio::join!(Server::shared().create_database(), Server::shared().create_database());
        one.connect().await.execute("CREATE TABLE marks (mark integer)").await.unwrap();
        assert!(one.connect().await.execute("TABLE marks").await.is_ok());
        assert!(other.connect().await.execute("TABLE marks").await.is_err());
    }

    async fn a_dropped_database_is_removed_when_the_next_is_created() {
        let server = Server::start();
        let dropped = server.create_database().await;
        let url = dropped.url().to_owned();
        let _still_open = dropped.connect().await;
        drop(dropped);
        let next = server.create_database().await;
        let names = "SELECT datname::text FROM pg_database WHERE NOT datistemplate AND datname <> 'postgres'";
        let rows = next.connect().await.fetch_all(names).await.unwrap();
        assert_eq!(rows.iter().map(|row| row.get::<String, _>(0)).collect::<Vec<_>>(), [next.name()], "{url}");
    }

    async fn text_is_not_sorted_by_code_point() {
        let database = Server::shared().create_database().await;
        let row = database.connect().await.fetch_one(r#"SELECT 'a' < 'B', 'a' < 'B' COLLATE "C""#).await.unwrap();
        assert_eq!((row.get::<bool, _>(0), row.get::<bool, _>(1)), (true, false));
    }
}
