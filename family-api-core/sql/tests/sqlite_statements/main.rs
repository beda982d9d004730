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

use family_api_core::access::Refusal;
use family_api_core::calendar::Zone;
use family_api_core::change::{BoardChange, EventChange, New, NoteChange, ShoppingItemChange, TaskChange, TaskMove};
use family_api_core::idempotency::IdempotentRequest;
use family_api_core::jiff::civil::date;
use family_api_core::key::KeyDigest;
use family_api_core::resource::{Board, Event, Note, RecordKind, ShoppingItem, Task};
use family_api_core::storage::{
    Author, Credential, FeedStorage, GrantStorage, KeyStorage, Operation, RecordWrite, Writable, Written,
};
use sqlx::Executor;

use crate::count::StatementCounter;
use crate::family::{AT, Fixture, delete, member, update, write};

// There is only one test, because the counter counts the statements of the whole process.
#[tokio::test]
async fn each_call_uses_the_expected_number_of_statements() {
    let fixture = Fixture::of("x").await;
    let statements = StatementCounter::start();
    assert_writes(&fixture, &statements).await;
    assert_creations(&fixture, &statements).await;
    assert_creations_beside_a_full_kind(&fixture, &statements).await;
    assert_key_lookups(&fixture, &statements).await;
    assert_access_token_lookups(&fixture, &statements).await;
    assert_feed_lookups(&fixture, &statements).await;
}

/// The driver does not log the reading of the file's version, which has a connection of its own.
async fn assert_key_lookups(fixture: &Fixture, statements: &StatementCounter) {
    let digest = KeyDigest::from_bytes([0x11; 32]);
    let find = async || {
        assert!(fixture.storage.find_key(&digest).await.unwrap().is_some());
        statements.take()
    };
    assert_eq!([find().await, find().await], [1, 0]);
    // Each commit makes the next lookup read the key again, also a commit of another connection.
    fixture.storage.record_uses(&[digest], "2026-11-20T11:00:00Z".parse().unwrap()).await.unwrap();
    statements.take();
    assert_eq!([find().await, find().await], [1, 0]);
    let mut host = fixture.connect_host().await;
    host.execute("UPDATE integration_keys SET name = 'new'").await.unwrap();
    statements.take();
    assert_eq!([find().await, find().await], [1, 0]);
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
    assert_eq!([find().await, find().await, find().await], [1, 0, 0]);
    host.execute("UPDATE grants SET client_name = 'new'").await.unwrap();
    statements.take();
    assert_eq!([find().await, find().await], [1, 0]);

    host.execute("UPDATE grants SET client_name = 'newer'").await.unwrap();
    statements.take();
    let key = KeyDigest::from_bytes([0x11; 32]);
    let (found, token) = tokio::join!(storage.find_key(&key), storage.find_access_token(&access));
    assert!(found.unwrap().is_some() && token.unwrap().is_some());
    assert_eq!(statements.take(), 2);
    let (found, token) = tokio::join!(storage.find_key(&key), storage.find_access_token(&access));
    assert!(found.unwrap().is_some() && token.unwrap().is_some());
    assert_eq!(statements.take(), 0);
}

/// The secret of a feed costs as many statements as a key.
async fn assert_feed_lookups(fixture: &Fixture, statements: &StatementCounter) {
    let (secret, storage) = (KeyDigest::from_bytes([0x55; 32]), &fixture.storage);
    let mut host = fixture.connect_host().await;
    host.execute(FEED).await.unwrap();
    statements.take();
    let find = async || {
        assert!(storage.find_feed(&secret).await.unwrap().unwrap().account.is_some());
        statements.take()
    };
    assert_eq!([find().await, find().await, find().await], [1, 0, 0]);
    storage.record_feed_uses(&[secret], AT.parse().unwrap()).await.unwrap();
    statements.take();
    assert_eq!([find().await, find().await], [1, 0]);
    host.execute("DELETE FROM calendar_feeds").await.unwrap();
    statements.take();
    for _ in 0..2 {
        assert!(storage.find_feed(&secret).await.unwrap().is_none());
        assert_eq!(statements.take(), 1);
    }
}

/// Ten minutes after [`AT`].
const LATER: &str = "2026-11-20T10:25:30.123Z";

const GRANT: &str = "
    INSERT INTO grants (id, user_id, client_id, client_host, redirect_uri, surface, scopes, challenge, code,
                        refresh_lineage, refresh_token, access_token, access_scopes, access_expires_at, created_at,
                        expires_at)
    SELECT 'g', 'user-one', 'c', 'h', 'r', 'v1', '[]', zeroblob(32), zeroblob(32), zeroblob(32), zeroblob(32),
           unhex(printf('%.64s', replace(printf('%32s', ''), ' ', '44'))), '[]', '2027-01-01T00:00:00.000Z',
           '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'";

const FEED: &str = "
    INSERT INTO calendar_feeds (digest, id, user_id, name, hint, shows, detail, language, created_at, updated_at)
    SELECT unhex(printf('%.64s', replace(printf('%32s', ''), ' ', '55'))), 'c', 'user-one', 'n', 'h', 'both', 'full',
           'en', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'";

/// A write uses four statements: to find the credential, to read the record, to store the change, and to add it to the
/// log. A move uses one more, to find the other tasks at its place.
async fn assert_writes(fixture: &Fixture, statements: &StatementCounter) {
    let (storage, one) = (&fixture.storage, member("one"));
    let title = TaskChange::new().title("new").build().unwrap();
    let done = write::<Task>(storage, one.clone(), update("task-one", title)).await;
    assert!(matches!(done, Ok(Written::Updated { .. })), "{done:?}");
    assert_eq!(statements.take(), 4);

    let to = TaskMove::new(&"column-one".parse().unwrap(), 0).build().unwrap();
    let done = write::<Task>(storage, one.clone(), update("task-one", to)).await;
    assert!(matches!(done, Ok(Written::Updated { .. })), "{done:?}");
    assert_eq!(statements.take(), 5);

    // A key whose user has the personal API switched off uses no more statements than a valid key.
    let author = Author { member: one.clone(), credential: Credential::Key(KeyDigest::from_bytes([0x11; 32])) };
    let title = TaskChange::new().title("newer").build().unwrap();
    let denied = write::<Task>(storage, author, update("task-one", title)).await;
    assert!(matches!(denied, Ok(Written::Unauthorized(Refusal::ApiDisabled))), "{denied:?}");
    assert_eq!(statements.take(), 1);

    let title = NoteChange::new().title("new").build().unwrap();
    let done = write::<Note>(storage, one.clone(), update("note-one", title)).await;
    assert!(matches!(done, Ok(Written::Updated { .. })), "{done:?}");
    assert_eq!(statements.take(), 4);

    // One more statement keeps the deleted note, and one more finds it when it is restored. After an import, the first
    // creation or restoration also counts the records.
    for statements_of_restoration in [6 + 1, 6] {
        let done = write::<Note>(storage, one.clone(), delete("note-one")).await;
        assert!(done.as_ref().is_ok_and(Written::is_change), "{done:?}");
        assert_eq!(statements.take(), 5);
        let done = write::<Note>(storage, one.clone(), Operation::Restore { id: "note-one".parse().unwrap() }).await;
        assert!(done.as_ref().is_ok_and(Written::is_change), "{done:?}");
        assert_eq!(statements.take(), statements_of_restoration);
    }
}

/// A creation uses four statements: to find the credential, to find the records that it refers to, to insert the record,
/// and to add it to the log. The first creation of a kind after an import uses one more, which counts the records. An idempotency key
/// needs one more, which stores it. A repeated request needs one to find the earlier request, and one to find the
/// record.
async fn assert_creations(fixture: &Fixture, statements: &StatementCounter) {
    let day = date(2026, 12, 24);
    assert_creation::<Task>(fixture, statements, TaskChange::new().title("new").build_new().unwrap()).await;
    assert_creation::<Note>(fixture, statements, NoteChange::new().title("new").build_new().unwrap()).await;
    let event = EventChange::new().title("new").start_date(day).end_date(day);
    assert_creation::<Event>(fixture, statements, event.build_new().unwrap()).await;
    let item = ShoppingItemChange::new().name("new").build_new(&"shoppingList-one".parse().unwrap());
    assert_creation::<ShoppingItem>(fixture, statements, item.unwrap()).await;
    assert_creation::<Board>(fixture, statements, BoardChange::new().name("new").build_new().unwrap()).await;
}

/// A creation counts nothing while another kind has reached its maximum. A text of 1 KiB uses one more statement.
async fn assert_creations_beside_a_full_kind(fixture: &Fixture, statements: &StatementCounter) {
    let (storage, author) = (&fixture.storage, member("one").into());
    let note = async |record: &str, content: &str, max_records, now: &str| {
        let new = NoteChange::new().title("new").content(content).build_new().unwrap();
        let operation = Operation::<Note>::create(record.parse().unwrap(), new);
        let write = RecordWrite { max_records, ..RecordWrite::new(operation, Zone::utc(), now.parse().unwrap()) };
        (Note::write(storage, &author, &write).await.unwrap(), statements.take())
    };
    let (created, count) = note("long", &"x".repeat(25_000), 50, AT).await;
    assert!(matches!(created, Written::Created(_)), "{created:?}");
    assert_eq!(count, 5);
    // The first refusal, and one a while after it, count all records with two statements.
    for now in [AT, LATER] {
        assert_eq!(note("one-more", "", 20, now).await, (Written::LimitReached, 2 + 2 + 2));
        assert_eq!(note("one-more", "", 20, now).await, (Written::LimitReached, 2));
    }
    // A deletion makes room without a count. One more statement subtracts the text.
    let deleted = write::<Note>(storage, member("one"), delete("long")).await;
    assert!(matches!(deleted, Ok(Written::Deleted(_))), "{deleted:?}");
    assert_eq!(statements.take(), 6);
    let (created, count) = note("one-more", "", 20, LATER).await;
    assert!(matches!(created, Written::Created(_)), "{created:?}");
    assert_eq!(count, 4);

    let new = TaskChange::new().title("new").build_new().unwrap();
    let operation = Operation::<Task>::create("beside".parse().unwrap(), new);
    let write = RecordWrite { max_records: 20, ..RecordWrite::new(operation, Zone::utc(), AT.parse().unwrap()) };
    let created = Task::write(storage, &author, &write).await;
    assert!(matches!(created, Ok(Written::Created(_))), "{created:?}");
    assert_eq!(statements.take(), 4);
}

async fn assert_creation<R: Writable>(fixture: &Fixture, statements: &StatementCounter, new: New<R::Update>) {
    let (storage, author) = (&fixture.storage, member("one").into());
    let id = |id: &str| id.parse().unwrap();
    let create = |record| Operation::create(id(record), new.clone());
    let write = RecordWrite::new(create("new-0"), Zone::utc(), AT.parse().unwrap());
    // The restoration of a note has counted the notes. Each creation of a board counts the boards.
    let is_counted = [RecordKind::Note, RecordKind::Board].contains(&R::KIND);
    for (record, count) in [("new-0", if is_counted { 4 } else { 5 }), ("new-1", 4)] {
        let done = R::write(storage, &author, &RecordWrite { operation: create(record), ..write.clone() }).await;
        assert!(matches!(done, Ok(Written::Created(_))), "{done:?}");
        assert_eq!(statements.take(), count, "{:?} {record}", R::KIND);
    }

    let key = format!("key-{}", R::KIND.as_str()).parse().unwrap();
    let idempotency = Some(IdempotentRequest { key, digest: [7; 32] });
    let operation = Operation::Create { id: id("new-2"), new: new.clone(), idempotency };
    let write = RecordWrite { operation, ..write };
    for (number, count) in [(1, 5), (2, 4)] {
        let done = R::write(storage, &author, &write).await;
        let is_created = matches!(&done, Ok(Written::Created(record)) if *record.id() == id("new-2"));
        let is_repeated = matches!(&done, Ok(Written::Existing(record)) if *record.id() == id("new-2"));
        assert!(if number == 1 { is_created } else { is_repeated }, "{done:?}");
        assert_eq!(statements.take(), count, "{:?} {number}", R::KIND);
    }
}
