//! An update of many records, and other writers of the same family.

use family_api_core::storage::{BulkUpdate, MissingRecords};
use sqlx::{Connection, Executor};

use crate::family::{Fixture, record_of, records};
use crate::faults::wait_for_lock_waiters;

tests! {
    async fn an_update_waits_for_a_writer_of_the_family_and_sees_its_changes() {
        let fixture = Fixture::of("x").await;
        let (mut host, mut observer) = (fixture.connect_host().await, fixture.connect_host().await);
        let mut transaction = host.begin().await.unwrap();
        transaction.execute("UPDATE families SET revision = revision + 1 WHERE id = 'one'").await.unwrap();
        transaction.execute("UPDATE notes SET title = 'y' WHERE id = 'note-one'").await.unwrap();
        let storage = fixture.storage.clone();
        let update = tokio::spawn(async move {
            let mut update = storage.begin_update(MissingRecords::Keep).await.unwrap();
            update.upsert(record_of(&records("one", "x").remove(10))).await.unwrap();
            update.commit().await.unwrap()
        });
        wait_for_lock_waiters(&mut observer, 1).await;
        transaction.commit().await.unwrap();
        let changes = update.await.unwrap();
        assert_eq!(changes.iter().map(|kind| kind.changed).sum::<u64>(), 1);
        assert_eq!(fixture.count("SELECT count(*) FROM notes WHERE title = 'x' AND id = 'note-one'").await, 1);
    }
}
