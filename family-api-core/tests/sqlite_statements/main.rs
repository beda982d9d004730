//! How many statements a write takes; alone in its process, because the driver tells it from threads of its own.
#![cfg(feature = "sqlite")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod count;
#[path = "../support/family.rs"]
#[expect(dead_code, reason = "others count rows too")]
mod family;
#[path = "../sqlite_storage/fixture.rs"]
#[expect(dead_code, reason = "others open it again")]
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

// One test: the statements of all that runs in the process are counted together.
#[tokio::test]
async fn each_call_takes_as_few_statements_as_it_can() {
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
    // After a write of this process, the version is not asked for alone: the key is read with it.
    fixture.storage.record_uses(&[digest], "2026-11-20T11:00:00Z".parse().unwrap()).await.unwrap();
    statements.take();
    assert_eq!([find().await, find().await], [1, 1]);
    // After one of somebody else it is, and then the key is read too.
    let mut host = fixture.by_hand().await;
    host.execute("UPDATE integration_keys SET name = 'new'").await.unwrap();
    statements.take();
    assert_eq!([find().await, find().await], [2, 1]);
    // A key that is not known is read with it, whatever was written.
    host.execute("UPDATE integration_keys SET name = 'newer'").await.unwrap();
    statements.take();
    assert!(fixture.storage.find_key(&KeyDigest::from_bytes([0x33; 32])).await.unwrap().is_none());
    assert_eq!(statements.take(), 1);
}

/// A write takes its credential, its facts and its change, and a move makes room before the change.
///
/// A credential is one statement, be it a key or a session.
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

    // A key whose user has the personal API switched off costs no more than one that may write.
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
