//! A removal of a user that waits for the write lock sees what another process has changed meanwhile.

use std::num::NonZeroU32;

use family_api_core::storage::Administration;
use family_api_sql::sqlite::SqliteOptions;
use sqlx::Executor;

use crate::family::{Fixture, member};

/// Creates a private list in the family that the user then leaves.
const LEAVE: &str = "
    INSERT INTO shopping_lists (family_id, id, name, sort_order, is_private, owner_user_id, created_at, updated_at)
    VALUES ('one', 'secret', '', 0, 1, 'user-one', '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z');
    UPDATE users SET family_id = 'two' WHERE id = 'user-one'";

#[tokio::test]
async fn a_removal_deletes_private_records_of_a_family_that_the_user_has_just_left() {
    let fixture = Fixture::of("x").await;
    let mut host = fixture.connect_host().await;
    host.execute("DELETE FROM tasks; DELETE FROM columns; DELETE FROM boards").await.unwrap();
    let storage = SqliteOptions::new(fixture.path()).readers(NonZeroU32::MIN).open().await.unwrap();
    host.execute("BEGIN IMMEDIATE").await.unwrap();
    let user = member("one").user;
    let commit = async {
        // There is one reader. So when this call returns, everything that the removal reads before it waits for the
        // write lock has been read.
        storage.count_user(&user).await.unwrap();
        host.execute(LEAVE).await.unwrap();
        host.execute("COMMIT").await.unwrap();
    };
    let (removed, ()) = tokio::join!(storage.delete_user(&user), commit);
    assert!(removed.unwrap().is_some());
    assert_eq!(fixture.count("SELECT count(*) FROM shopping_lists WHERE owner_user_id = 'user-one'").await, 0);
}
