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
use family_api_core::change::{NoteChange, TaskChange, TaskMove};
use family_api_core::key::KeyDigest;
use family_api_core::storage::{Author, Credential, GrantStorage, KeyStorage, Update, WriteStorage};
use sqlx::Executor;

use crate::count::StatementCounter;
use crate::family::{AT, Fixture, member};

// There is only one test, because the counter counts the statements of the whole process.
#[tokio::test]
async fn each_call_uses_the_expected_number_of_statements() {
    let fixture = Fixture::of("x").await;
    let statements = StatementCounter::start();
    assert_writes(&fixture, &statements).await;
    assert_key_lookups(&fixture, &statements).await;
    assert_access_token_lookups(&fixture, &statements).await;
}

async fn assert_key_lookups(fixture: &Fixture, statements: &StatementCounter) {
    let digest = KeyDigest::from_bytes([0x11; 32]);
    let find = async || {
        assert!(fixture.storage.find_key(&digest).await.unwrap().is_some());
        statements.take()
    };
    assert_eq!([find().await, find().await], [1, 1]);
    // After a write of this process, one statement reads the data version and the key.
    fixture.storage.record_uses(&[digest], "2026-11-20T11:00:00Z".parse().unwrap()).await.unwrap();
    statements.take();
    assert_eq!([find().await, find().await], [1, 1]);
    // After a write of another connection, one statement reads the data version and a second one the key.
    let mut host = fixture.connect_host().await;
    host.execute("UPDATE integration_keys SET name = 'new'").await.unwrap();
    statements.take();
    assert_eq!([find().await, find().await], [2, 1]);
    // For a key that is not cached, one statement reads the data version and the key, also after a write.
    host.execute("UPDATE integration_keys SET name = 'newer'").await.unwrap();
    statements.take();
    assert!(fixture.storage.find_key(&KeyDigest::from_bytes([0x33; 32])).await.unwrap().is_none());
    assert_eq!(statements.take(), 1);
}

/// An access token costs as many statements as a key. A key and an access token that are looked up at once use one
/// statement each.
async fn assert_access_token_lookups(fixture: &Fixture, statements: &StatementCounter) {
    let (access, storage) = (KeyDigest::from_bytes([0x44; 32]), &fixture.storage);
    let mut host = fixture.connect_host().await;
    host.execute(GRANT).await.unwrap();
    statements.take();
    let find = async || {
        assert!(storage.find_access_token(&access).await.unwrap().unwrap().account.is_some());
        statements.take()
    };
    assert_eq!([find().await, find().await, find().await], [1, 1, 1]);
    host.execute("UPDATE grants SET client_name = 'new'").await.unwrap();
    statements.take();
    assert_eq!([find().await, find().await], [2, 1]);

    host.execute("UPDATE grants SET client_name = 'newer'").await.unwrap();
    statements.take();
    let key = KeyDigest::from_bytes([0x11; 32]);
    let (found, token) = tokio::join!(storage.find_key(&key), storage.find_access_token(&access));
    assert!(found.unwrap().is_some() && token.unwrap().is_some());
    // The first statement shows that the cached token is stale.
    assert_eq!(statements.take(), 3);
    let (found, token) = tokio::join!(storage.find_key(&key), storage.find_access_token(&access));
    assert!(found.unwrap().is_some() && token.unwrap().is_some());
    assert_eq!(statements.take(), 1);
}

const GRANT: &str = "
    INSERT INTO grants (id, user_id, client_id, client_host, redirect_uri, surface, scopes, challenge, code,
                        refresh_family, refresh_token, access_token, access_scopes, access_expires_at, created_at,
                        expires_at)
    SELECT 'g', 'user-one', 'c', 'h', 'r', 'v1', '[]', zeroblob(32), zeroblob(32), zeroblob(32), zeroblob(32),
           unhex(printf('%.64s', replace(printf('%32s', ''), ' ', '44'))), '[]', '2027-01-01T00:00:00.000Z',
           '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'";

/// A write uses three statements: to find the credential, to read the record, and to store the change. A move uses one
/// more, to shift other tasks.
async fn assert_writes(fixture: &Fixture, statements: &StatementCounter) {
    let (one, zone, now) = (member("one"), Zone::utc(), AT.parse().unwrap());
    let (task, note) = ("task-one".parse().unwrap(), "note-one".parse().unwrap());

    let update = TaskChange::new().title("new").build().unwrap();
    let done = fixture.storage.update_task(&one.clone().into(), &task, update, &Precondition::None, &zone, now).await;
    assert!(matches!(done, Ok(Update::Done(_))), "{done:?}");
    assert_eq!(statements.take(), 3);

    let update = TaskMove::new(&"column-one".parse().unwrap(), 0).build().unwrap();
    let done = fixture.storage.update_task(&one.clone().into(), &task, update, &Precondition::None, &zone, now).await;
    assert!(matches!(done, Ok(Update::Done(_))), "{done:?}");
    assert_eq!(statements.take(), 4);

    // A key whose user has the personal API switched off uses no more statements than a valid key.
    let author = Author { member: one.clone(), credential: Credential::Key(KeyDigest::from_bytes([0x11; 32])) };
    let update = TaskChange::new().title("newer").build().unwrap();
    let denied = fixture.storage.update_task(&author, &task, update, &Precondition::None, &zone, now).await;
    assert!(matches!(denied, Ok(Update::Unauthorized(Refusal::ApiDisabled))), "{denied:?}");
    assert_eq!(statements.take(), 1);

    let update = NoteChange::new().title("new").build().unwrap();
    let done = fixture.storage.update_note(&one.clone().into(), &note, update, &Precondition::None, now).await;
    assert!(matches!(done, Ok(Update::Done(_))), "{done:?}");
    assert_eq!(statements.take(), 3);

    let done = fixture.storage.delete_note(&one.clone().into(), &note, &Precondition::None, now).await;
    assert!(matches!(done, Ok(Update::Done(()))), "{done:?}");
    assert_eq!(statements.take(), 2);
}
