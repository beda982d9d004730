//! The collation of the databases.

use family_api_testing::{Server, postgres_tests};
use sqlx::{Executor, Row};

postgres_tests! {
    async fn text_is_not_sorted_by_code_point() {
        let database = Server::shared().create_database().await;
        let row = database.connect().await.fetch_one(r#"SELECT 'a' < 'B', 'a' < 'B' COLLATE "C""#).await.unwrap();
        assert_eq!((row.get::<bool, _>(0), row.get::<bool, _>(1)), (true, false));
    }
}
