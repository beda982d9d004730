//! Commands of an operator that wait for another transaction, and then see its changes.

use family_api_core::storage::{Administration, BulkLoad, LoadError, StorageError, UserMove};
use family_api_sql::postgres::PostgresStorage;
use serde_json::json;
use sqlx::{Connection, Executor, PgConnection};

use crate::family::{AT, Fixture, member, record_of, record_with};
use crate::faults::wait_for_lock_waiters;

const LOCK_FAMILY: &str = "UPDATE families SET revision = revision + 1 WHERE id = 'one'";

/// Returns the revisions of the families `one`, `three` and `two`.
async fn revisions(host: &mut PgConnection) -> Vec<i64> {
    sqlx::query_scalar("SELECT revision FROM families ORDER BY id").fetch_all(host).await.unwrap()
}

/// Runs statements in a transaction of another connection while a call waits for the lock of the family `one`.
async fn during<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    fixture: &Fixture,
    statements: &'static str,
    call: impl FnOnce(PostgresStorage) -> F,
) -> T {
    let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
    let mut transaction = host.begin().await.unwrap();
    transaction.execute(LOCK_FAMILY).await.unwrap();
    transaction.execute(statements).await.unwrap();
    let call = tokio::spawn(call(fixture.storage.clone()));
    wait_for_lock_waiters(&mut observer, 1).await;
    transaction.commit().await.unwrap();
    call.await.unwrap()
}

/// Creates a database with the families `one`, `three` and `two`.
async fn three_families() -> Fixture {
    let fixture = Fixture::of("x").await;
    fixture.load([record_with("family", &json!({ "id": "three" }))]).await.unwrap();
    fixture
}

tests! {
    async fn a_move_changes_the_revision_of_the_family_that_the_user_really_leaves() {
        let fixture = three_families().await;
        let mut host = fixture.connect_host().await;
        let before = revisions(&mut host).await;
        let moved = during(&fixture, "UPDATE users SET family_id = 'two' WHERE id = 'user-one'", async |storage| {
            storage.move_user(&member("one").user, Some(&"three".parse().unwrap()), AT.parse().unwrap()).await
        });
        assert_eq!(moved.await.unwrap(), UserMove::Moved);
        let after = revisions(&mut host).await;
        assert!(after.iter().zip(&before).all(|(after, before)| after > before), "{before:?} {after:?}");
    }

    async fn a_removal_deletes_private_records_of_a_family_that_the_user_has_just_left() {
        let fixture = three_families().await;
        let statements = "
            INSERT INTO boards (family_id, id, name, \"order\", is_private, owner_user_id, created_at, updated_at)
            VALUES ('two', 'secret', '', 0, true, 'user-one', now(), now());
            UPDATE users SET family_id = 'three' WHERE id = 'user-one'";
        let removed = during(&fixture, statements, async |storage| storage.delete_user(&member("one").user).await);
        assert!(removed.await.unwrap().is_some());
        assert_eq!(fixture.count("SELECT count(*) FROM boards WHERE owner_user_id = 'user-one'").await, 0);
    }

    async fn a_user_is_not_added_to_a_family_that_is_being_removed() {
        let fixture = Fixture::of("x").await;
        let statements = "
            UPDATE users SET family_id = NULL WHERE family_id = 'one';
            DELETE FROM families WHERE id = 'one'";
        let user = record_with("user", &json!({ "id": "new", "email": "new@example.org" }));
        let added = during(&fixture, statements, async move |storage| {
            let mut load = storage.begin_load().await?;
            load.insert(record_of(&user)).await?;
            load.commit().await
        });
        let added = added.await;
        assert!(matches!(added, Err(LoadError::Storage(StorageError::Unavailable(_)))), "{added:?}");
        assert_eq!(fixture.count("SELECT count(*) FROM users WHERE id = 'new'").await, 0);
    }
}
