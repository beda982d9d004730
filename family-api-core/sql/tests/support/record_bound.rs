//! The stored bound of the records of a kind stays right, also if a host changes records or the bound.

use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::change::{NoteChange, ShoppingItemChange, TaskChange};
use family_api_core::resource::{Board, Column, Event, Note, NoteCategory, ShoppingItem, ShoppingList, Task};
use family_api_core::storage::{Operation, RecordWrite, TEXT_BLOCK, Writable, WriteStorage, Written};
use family_api_core::validation::Json;
use futures_util::future::join_all;
use serde_json::json;
use sqlx::Executor;

use crate::documents::special_characters;
use crate::family::{AT, Fixture, delete, member, records, update, write};
use crate::fixture::RECORD_COUNTS;

const BOUNDS: &str = "
    SELECT coalesce(tasks_bound, 999) * 1000000 + coalesce(notes_bound, 999) * 1000 + coalesce(shopping_items_bound, 999)
    FROM families WHERE id = 'one'";

/// Returns the bounds of the tasks, notes and items of the family `one`. An unknown bound is 999.
async fn bounds(fixture: &Fixture) -> [i64; 3] {
    let bounds = fixture.count(BOUNDS).await;
    [bounds / 1_000_000, bounds / 1_000 % 1_000, bounds % 1_000]
}

/// Creates a note some minutes after [`AT`], unless the family has `max_records` notes. Returns whether it was created.
async fn create_note(fixture: &Fixture, id: &str, max_records: u32, minutes: i64) -> bool {
    let new = NoteChange::new().title("new").build_new().unwrap();
    let operation = Operation::<Note>::create(id.parse().unwrap(), new);
    let now: Timestamp = AT.parse().unwrap();
    let now = now.saturating_add(family_api_core::jiff::SignedDuration::from_mins(minutes));
    let write = RecordWrite { max_records, ..RecordWrite::new(operation, Zone::utc(), now) };
    match Note::write(&fixture.storage, &member("one").into(), &write).await.unwrap() {
        Written::Created(_) => true,
        Written::LimitReached => false,
        other => panic!("{other:?}"),
    }
}

/// Creates a record from the fields of its body, unless the family has `max_records` records of the kind. Returns
/// whether it was created.
async fn create<R: Writable>(
    fixture: &Fixture,
    id: &str,
    (list, body): (Option<&str>, &str),
    max_records: u32,
) -> bool {
    let new = R::parse_new(list, Json::parse(body.as_bytes()).unwrap()).unwrap();
    let operation = Operation::<R>::create(id.parse().ok().unwrap(), new);
    let write = RecordWrite { max_records, ..RecordWrite::new(operation, Zone::utc(), AT.parse().unwrap()) };
    match R::write(&fixture.storage, &member("one").into(), &write).await.unwrap() {
        Written::Created(_) => true,
        Written::LimitReached => false,
        other => panic!("{other:?}"),
    }
}

/// Imports a record whose texts have every special character, and `bytes` bytes as JSON.
async fn import<R: Writable>(fixture: &Fixture, kind: &str, id: &str, bytes: usize) {
    let mut record = records("one", &special_characters()).into_iter().find(|record| record["type"] == kind).unwrap();
    let texts = R::KIND.text_columns().iter().map(|column| &record[*column]).filter(|text| !text.is_null());
    let size: usize = texts.map(|text| text.to_string().len()).sum();
    let title = R::KIND.text_columns()[0];
    record[title] = json!(special_characters() + &"x".repeat(bytes - size));
    record["id"] = json!(id);
    fixture.load([record]).await.unwrap();
}

/// The statements measure the texts of two imported records, and the service those of the same records when it deletes
/// them. `new` is the container and the body of a short record.
async fn assert_measured<R: Writable>(fixture: &Fixture, kind: &str, new: (Option<&str>, &str)) {
    let ids = ["counts-5", "counts-4"].map(|name| format!("{kind}-{name}"));
    import::<R>(fixture, kind, &ids[0], 4 * TEXT_BLOCK).await;
    import::<R>(fixture, kind, &ids[1], 4 * TEXT_BLOCK - 1).await;
    assert!(!create::<R>(fixture, "first", new, 1 + 5 + 4).await, "{kind}");
    assert!(create::<R>(fixture, "first", new, 1 + 5 + 4 + 1).await, "{kind}");
    for id in &ids {
        let deleted = write::<R>(&fixture.storage, member("one"), delete(id)).await.unwrap();
        assert!(matches!(deleted, Written::Deleted(_)), "{kind}: {deleted:?}");
    }
    assert!(!create::<R>(fixture, "second", new, 2).await, "{kind}");
    assert!(create::<R>(fixture, "second", new, 3).await, "{kind}");
}

tests! {
    async fn a_text_counts_by_its_size_as_json() {
        let fixture = &Fixture::of("x").await;
        let (titled, named) = (r#"{"title":"x"}"#, r#"{"name":"x"}"#);
        let event = r#"{"title":"x","startDate":"2026-12-24","endDate":"2026-12-24"}"#;
        assert_measured::<Task>(fixture, "task", (None, titled)).await;
        assert_measured::<Note>(fixture, "note", (None, titled)).await;
        assert_measured::<Event>(fixture, "event", (None, event)).await;
        assert_measured::<ShoppingItem>(fixture, "shoppingItem", (Some("shoppingList-one"), named)).await;
        assert_measured::<Board>(fixture, "board", (None, named)).await;
        assert_measured::<Column>(fixture, "column", (Some("board-one"), named)).await;
        assert_measured::<ShoppingList>(fixture, "shoppingList", (None, named)).await;
        assert_measured::<NoteCategory>(fixture, "noteCategory", (None, named)).await;
    }

    async fn each_write_keeps_the_bounds_exact() {
        let fixture = Fixture::of("x").await;
        let (storage, one) = (&fixture.storage, member("one"));
        assert!(create_note(&fixture, "second", 2, 0).await);
        // A bound is unknown until the first write that needs it.
        assert_eq!(bounds(&fixture).await, [999, 2, 999]);
        let long = "x".repeat(3 * TEXT_BLOCK);
        let content = NoteChange::new().content(&*long).build().unwrap();
        write::<Note>(storage, one.clone(), update("second", content)).await.unwrap();
        assert_eq!(bounds(&fixture).await, [999, 5, 999]);
        let content = NoteChange::new().content(&long[..TEXT_BLOCK]).build().unwrap();
        write::<Note>(storage, one.clone(), update("second", content)).await.unwrap();
        assert_eq!(bounds(&fixture).await, [999, 3, 999]);
        write::<Note>(storage, one.clone(), delete("second")).await.unwrap();
        assert_eq!(bounds(&fixture).await, [999, 1, 999]);
        write::<Note>(storage, one.clone(), Operation::Restore { id: "second".parse().unwrap() }).await.unwrap();
        assert_eq!(bounds(&fixture).await, [999, 3, 999]);

        let column = "column-one".parse().unwrap();
        let new = TaskChange::new().title("x").description(&*long).column(&column).build_new().unwrap();
        write::<Task>(storage, one.clone(), Operation::create("long".parse().unwrap(), new)).await.unwrap();
        assert_eq!(bounds(&fixture).await, [5, 3, 999]);
        write::<Task>(storage, one.clone(), delete("long")).await.unwrap();
        assert_eq!(bounds(&fixture).await, [1, 3, 999]);

        let list = "shoppingList-one".parse().unwrap();
        // Each character takes six bytes in JSON.
        let name = "\u{1}".repeat(180);
        let new = ShoppingItemChange::new().name(&*name).check().build_new(&list).unwrap();
        let create = Operation::<ShoppingItem>::create("checked".parse().unwrap(), new);
        write(storage, one.clone(), create).await.unwrap();
        assert_eq!(bounds(&fixture).await, [1, 3, 3]);
        let deleted = storage.delete_checked_items(&one.into(), &list, AT.parse().unwrap()).await.unwrap();
        assert!(matches!(deleted, Written::Deleted(items) if items.len() == 2));
        assert_eq!(bounds(&fixture).await, [1, 3, 0]);
    }

    async fn a_bound_that_is_too_high_is_counted_again_after_a_while() {
        let fixture = Fixture::of("x").await;
        assert!(!create_note(&fixture, "x", 1, 0).await);
        let mut host = fixture.connect_host().await;
        host.execute("UPDATE families SET notes_bound = 50").await.unwrap();
        assert!(!create_note(&fixture, "x", 50, 9).await);
        assert!(create_note(&fixture, "x", 50, 10).await);
        assert_eq!(bounds(&fixture).await, [1, 2, 1]);
    }

    async fn a_bound_that_is_too_low_is_counted_when_it_would_be_negative() {
        let fixture = Fixture::of("x").await;
        assert!(!create_note(&fixture, "x", 1, 0).await);
        let mut host = fixture.connect_host().await;
        host.execute("UPDATE families SET notes_bound = 0").await.unwrap();
        write::<Note>(&fixture.storage, member("one"), delete("note-one")).await.unwrap();
        assert_eq!(bounds(&fixture).await, [1, 999, 1]);
        assert!(create_note(&fixture, "x", 1, 0).await);
        assert_eq!(bounds(&fixture).await, [1, 1, 1]);
    }

    async fn creations_that_are_refused_together_store_one_count() {
        let fixture = Fixture::of("x").await;
        fixture.connect_host().await.execute(RECORD_COUNTS).await.unwrap();
        let ids: Vec<_> = (0..8).map(|number| format!("n{number}")).collect();
        let created = join_all(ids.iter().map(|id| create_note(&fixture, id, 1, 20))).await;
        assert_eq!(created, [false; 8]);
        assert_eq!(fixture.count("SELECT count(*) FROM counts").await, 1);
        assert_eq!(bounds(&fixture).await, [1, 1, 1]);
    }

    async fn a_refused_creation_changes_neither_a_key_nor_a_revision() {
        let fixture = Fixture::of("x").await;
        let revision = fixture.count("SELECT revision FROM families WHERE id = 'one'").await;
        assert!(!create_note(&fixture, "x", 1, 0).await);
        assert!(!create_note(&fixture, "x", 1, 20).await);
        assert_eq!(fixture.count("SELECT revision FROM families WHERE id = 'one'").await, revision);
    }
}
