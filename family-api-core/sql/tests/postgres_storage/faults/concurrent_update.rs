//! An update of many records, and other writers of the same family.

use family_api_core::storage::{
    BulkLoad, BulkUpdate, KindChanges, LoadError, MissingRecords, Password, Record, StorageError,
};
use serde_json::json;
use sqlx::{Connection, Executor};

use crate::family::{Fixture, record_of, record_with};
use crate::faults::{password, wait_for_lock_waiters};

/// The locks of a sign-in: the password, and the user by the foreign key of the session.
const BEGIN_SIGN_IN: &str = "SELECT 1 FROM passwords WHERE user_id = 'user-one' FOR SHARE";
const END_SIGN_IN: &str = "
    INSERT INTO sessions (digest, user_id, created_at, expires_at)
    VALUES (decode(repeat('44', 32), 'hex'), 'user-one', now(), now() + interval '1 day')";

/// Runs an update while a sign-in of the user `user-one` is in progress.
async fn update_during_sign_in(
    fixture: &Fixture,
    missing: MissingRecords,
    records: Vec<Record>,
) -> Result<Vec<KindChanges>, LoadError> {
    let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
    host.execute("SET deadlock_timeout = '1ms'").await.unwrap();
    let mut sign_in = host.begin().await.unwrap();
    sign_in.execute(BEGIN_SIGN_IN).await.unwrap();
    let storage = fixture.storage.clone();
    let update = tokio::spawn(async move {
        let mut update = storage.begin_update(missing).await?;
        for record in records {
            update.upsert(record).await?;
        }
        update.commit().await
    });
    wait_for_lock_waiters(&mut observer, 1).await;
    sign_in.execute(END_SIGN_IN).await.unwrap();
    sign_in.commit().await.unwrap();
    update.await.unwrap()
}

tests! {
    async fn an_update_that_sets_a_password_does_not_deadlock_with_a_sign_in() {
        let fixture = Fixture::with_all_records().await;
        let Record::User(mut user) = record_of(&record_with("user", &json!({}))) else { panic!("no user") };
        user.password = Password::Hashed(password("new"));
        update_during_sign_in(&fixture, MissingRecords::Keep, vec![Record::User(user)]).await.unwrap();
        assert_eq!(fixture.count("SELECT count(*) FROM sessions").await, 0);
    }

    async fn an_update_that_deletes_a_user_does_not_deadlock_with_a_sign_in() {
        let fixture = Fixture::with_all_records().await;
        let family = record_of(&record_with("family", &json!({})));
        update_during_sign_in(&fixture, MissingRecords::Delete, vec![family]).await.unwrap();
        assert_eq!(fixture.count("SELECT count(*) FROM users WHERE id = 'user-one'").await, 0);
    }

    async fn a_load_waits_for_the_deletion_of_the_owner_of_a_key_and_fails() {
        let fixture = Fixture::with_all_records().await;
        let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
        let mut deletion = host.begin().await.unwrap();
        deletion.execute("DELETE FROM users WHERE id = 'user-one'").await.unwrap();
        let key = record_of(&record_with("key", &json!({ "id": "new", "tokenHash": "44".repeat(32) })));
        let storage = fixture.storage.clone();
        let load = tokio::spawn(async move {
            let mut load = storage.begin_load().await?;
            load.insert(key).await?;
            load.commit().await
        });
        wait_for_lock_waiters(&mut observer, 1).await;
        deletion.commit().await.unwrap();
        let failed = load.await.unwrap();
        assert!(matches!(failed, Err(LoadError::Storage(StorageError::Unavailable(_)))), "{failed:?}");
        assert_eq!(fixture.count("SELECT count(*) FROM integration_keys WHERE user_id = 'user-one'").await, 0);
    }

    async fn an_update_waits_for_a_writer_of_the_family_and_sees_its_changes() {
        let fixture = Fixture::of("x").await;
        let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
        let mut transaction = host.begin().await.unwrap();
        transaction.execute("UPDATE families SET revision = revision + 1 WHERE id = 'one'").await.unwrap();
        transaction.execute("UPDATE notes SET title = 'y' WHERE id = 'note-one'").await.unwrap();
        let storage = fixture.storage.clone();
        let update = tokio::spawn(async move {
            let mut update = storage.begin_update(MissingRecords::Keep).await.unwrap();
            update.upsert(record_of(&record_with("note", &json!({})))).await.unwrap();
            update.commit().await.unwrap()
        });
        wait_for_lock_waiters(&mut observer, 1).await;
        transaction.commit().await.unwrap();
        let changes = update.await.unwrap();
        assert_eq!(changes.iter().map(|kind| kind.changed).sum::<u64>(), 1);
        assert_eq!(fixture.count("SELECT count(*) FROM notes WHERE title = 'x' AND id = 'note-one'").await, 1);
    }
}
