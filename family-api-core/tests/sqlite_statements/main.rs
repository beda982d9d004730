//! The number of statements per call. The test needs its own process, because the driver logs from its own threads.
#![cfg(feature = "sqlite")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod count;
#[path = "../support/family.rs"]
#[expect(dead_code, reason = "other tests count rows too")]
mod family;
#[path = "../sqlite_storage/fixture.rs"]
#[expect(dead_code, reason = "other tests reopen the database")]
mod fixture;

use family_api_core::Precondition;
use family_api_core::access::Refusal;
use family_api_core::calendar::Zone;
use family_api_core::change::{NoteChange, TaskChange, TaskMove, TaskUpdate};
use family_api_core::key::KeyDigest;
use family_api_core::storage::{Author, Credential, KeyStorage, Update, WriteStorage};
use sqlx::Executor;

use crate::count::Statements;
use crate::family::{AT, Fixture, member};

// Only one test: the statements of the whole process are counted together.
#[tokio::test]
async fn each_call_uses_the_expected_number_of_statements() {
    let fixture = Fixture::of("x").await;
    let statements = Statements::counted();
    writes(&fixture, &statements).await;
    lookups_of_a_key(&fixture, &statements).await;
}

async fn lookups_of_a_key(fixture: &Fixture, statements: &Statements) {
    let digest = KeyDigest::from_bytes([0x11; 32]);
    let find = async || {
        assert!(fixture.storage.find_key(&digest).await.unwrap().is_some());
        statements.take()
    };
    assert_eq!([find().await, find().await], [1, 1]);
    // After a write of this process, one statement reads both the data version and the key.
    fixture.storage.record_uses(&[digest], "2026-11-20T11:00:00Z".parse().unwrap()).await.unwrap();
    statements.take();
    assert_eq!([find().await, find().await], [1, 1]);
    // After a write of another connection, one statement reads the data version and another the key.
    let mut host = fixture.by_hand().await;
    host.execute("UPDATE integration_keys SET name = 'new'").await.unwrap();
    statements.take();
    assert_eq!([find().await, find().await], [2, 1]);
    // For a key that is not cached, one statement reads both, whatever was written.
    host.execute("UPDATE integration_keys SET name = 'newer'").await.unwrap();
    statements.take();
    assert!(fixture.storage.find_key(&KeyDigest::from_bytes([0x33; 32])).await.unwrap().is_none());
    assert_eq!(statements.take(), 1);
}

/// A write uses one statement each for its credential, its facts and its change. A move uses one more to shift tasks.
///
/// The credential takes one statement, for a key and for a session.
async fn writes(fixture: &Fixture, statements: &Statements) {
    let (one, zone, now) = (member("one"), Zone::utc(), AT.parse().unwrap());
    let (task, note) = ("task-one".parse().unwrap(), "note-one".parse().unwrap());

    let update = TaskUpdate::Fields(TaskChange::new().title("new"));
    let done = fixture.storage.update_task(&one.clone().into(), &task, update, &Precondition::None, &zone, now).await;
    assert!(matches!(done, Ok(Update::Done(_))), "{done:?}");
    assert_eq!(statements.take(), 3);

    let update = TaskUpdate::Move(TaskMove::new(&"column-one".parse().unwrap(), 0));
    let done = fixture.storage.update_task(&one.clone().into(), &task, update, &Precondition::None, &zone, now).await;
    assert!(matches!(done, Ok(Update::Done(_))), "{done:?}");
    assert_eq!(statements.take(), 4);

    // A key whose user has the personal API switched off uses no more statements than a valid key.
    let author = Author { member: one.clone(), credential: Credential::Key(KeyDigest::from_bytes([0x11; 32])) };
    let update = TaskUpdate::Fields(TaskChange::new().title("newer"));
    let denied = fixture.storage.update_task(&author, &task, update, &Precondition::None, &zone, now).await;
    assert!(matches!(denied, Ok(Update::Unauthorized(Refusal::ApiDisabled))), "{denied:?}");
    assert_eq!(statements.take(), 1);

    let change = NoteChange::new().title("new");
    let done = fixture.storage.update_note(&one.clone().into(), &note, change, &Precondition::None, now).await;
    assert!(matches!(done, Ok(Update::Done(_))), "{done:?}");
    assert_eq!(statements.take(), 3);

    let done = fixture.storage.delete_note(&one.clone().into(), &note, &Precondition::None, now).await;
    assert!(matches!(done, Ok(Update::Done(()))), "{done:?}");
    assert_eq!(statements.take(), 2);
}
