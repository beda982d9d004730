//! Updates of several batches, of each field, and of what no member sees. The conformance suite checks the rest.

use family_api_core::change::{TaskChange, TaskMove};
use family_api_core::resource::{Event, Note, ShoppingItem, Task};
use family_api_core::storage::{
    Administration, BulkUpdate, Export, ExportedPasswords, KindChanges, LoadError, LoadFault, MissingRecords,
    Operation, Written,
};
use serde_json::{Value, json};

use crate::family::{AT, Fixture, delete, member, record_of, record_with, records, write};
use crate::removal::of_private_and_shared_containers;

const KEEP: MissingRecords = MissingRecords::Keep;
const DELETE: MissingRecords = MissingRecords::Delete;

/// The [totals] of an update with one record that differs, and with one that does not.
const CHANGED: [u64; 4] = [0, 1, 0, 0];
const UNCHANGED: [u64; 4] = [0, 0, 1, 0];

async fn update(fixture: &Fixture, missing: MissingRecords, records: &[Value]) -> Result<Vec<KindChanges>, LoadError> {
    let mut update = fixture.storage.begin_update(missing).await?;
    for record in records {
        update.upsert(record_of(record)).await?;
    }
    update.commit().await
}

/// Expects that the record `number` is refused, and returns the fault.
async fn refused(fixture: &Fixture, missing: MissingRecords, records: &[Value], expected: u64) -> LoadFault {
    match update(fixture, missing, records).await {
        Err(LoadError::Refused { number, fault, .. }) if number == expected => fault,
        other => panic!("{other:?}"),
    }
}

/// Returns the counts of all kinds: created, changed, unchanged and deleted.
fn totals(changes: &[KindChanges]) -> [u64; 4] {
    changes.iter().fold([0; 4], |[created, changed, unchanged, deleted], kind| {
        [created + kind.created, changed + kind.changed, unchanged + kind.unchanged, deleted + kind.deleted]
    })
}

fn of_kind(changes: &[KindChanges], kind: &str) -> [u64; 4] {
    totals(&[*changes.iter().find(|changes| changes.kind == kind).unwrap()])
}

/// Returns all records, with passwords, as JSON.
async fn exported(fixture: &Fixture) -> Vec<Value> {
    let mut exporter = fixture.storage.begin_export(None, ExportedPasswords::Hashed).await.unwrap();
    let mut all = Vec::new();
    loop {
        let records = exporter.next().await.unwrap();
        if records.is_empty() {
            return all;
        }
        all.extend(records.iter().map(|record| json!(record)));
    }
}

/// Returns the ids and e-mail addresses of all users.
async fn emails(fixture: &Fixture) -> Vec<(Value, Value)> {
    let users = exported(fixture).await.into_iter().filter(|record| record["type"] == "user");
    users.map(|user| (user["id"].clone(), user["email"].clone())).collect()
}

/// Returns a user who fills a batch.
fn long_user() -> Value {
    record_with("user", &json!({ "id": "long", "email": "long", "name": "more than one batch ".repeat(100_000) }))
}

fn family(id: &str) -> Value {
    record_with("family", &json!({ "id": id }))
}

/// Returns all records of the family `one` with other values in every field that can change.
fn changed_records() -> Vec<Value> {
    let mut changed = records("one", "y");
    let later = json!("2026-12-01T00:00:00.000Z");
    for record in &mut changed {
        let fields = record.as_object_mut().unwrap();
        for (field, value) in fields {
            match (field.as_str(), &value) {
                (
                    "createdAt" | "updatedAt" | "dueDate" | "completedAt" | "lastCompletedAt" | "endDate" | "revokedAt",
                    _,
                ) => *value = later.clone(),
                // The form of the overrides depends on it.
                ("allDay", _) => {}
                // Each of the dates of an event can change alone.
                ("startDate", _) => *value = json!("2026-11-01T00:00:00.000Z"),
                ("order" | "sortOrder" | "sequence", _) => *value = json!(7),
                ("email", _) => *value = json!("y@example.org"),
                ("timeZone", _) => *value = json!("Europe/Oslo"),
                ("displayCurrency", _) => *value = json!("USD"),
                ("priority", _) => *value = json!("LOW"),
                ("recurrence", Value::String(rule)) => *value = json!(rule.replace("FREQ=WEEKLY", "FREQ=DAILY")),
                ("ownerUserId" | "assigneeId" | "creatorId" | "addedById" | "authorId" | "expiresAt", _) => {
                    *value = Value::Null;
                }
                ("participantIds", _) => *value = json!([]),
                ("scopes", _) => *value = json!(["v1.read"]),
                (_, Value::Bool(flag)) => *value = json!(!flag),
                _ => {}
            }
        }
    }
    changed
}

tests! {
    async fn every_field_of_every_kind_is_created_and_changed() {
        let fixture = Fixture::empty().await;
        for records in [records("one", "x"), changed_records()] {
            update(&fixture, KEEP, &records).await.unwrap();
            assert_eq!(exported(&fixture).await, exported(&loaded(&records).await).await);
        }
    }

    async fn each_changed_field_is_noticed() {
        let fixture = Fixture::of("x").await;
        let single = record_with("event", &json!({ "overrides": [] }));
        let timed = record_with("event", &json!({ "overrides": [], "allDay": false }));
        let pairs = records("one", "x").into_iter().zip(changed_records()).chain([(single, timed)]);
        for (old, new) in pairs {
            update(&fixture, KEEP, std::slice::from_ref(&old)).await.unwrap();
            for (field, value) in new.as_object().unwrap() {
                // A revoked key cannot become equal again, and no update lowers a sequence.
                if old.get(field) == Some(value) || ["revokedAt", "sequence"].contains(&field.as_str()) {
                    continue;
                }
                let mut record = old.clone();
                record[field] = value.clone();
                for (expected, record) in [(CHANGED, &record), (UNCHANGED, &record), (CHANGED, &old)] {
                    let changes = update(&fixture, KEEP, std::slice::from_ref(record)).await.unwrap();
                    assert_eq!(totals(&changes), expected, "{field} of {}", old["type"]);
                }
            }
        }
    }

    async fn an_id_that_is_twice_in_an_update_is_refused() {
        let fixture = Fixture::of("x").await;
        let note = record_with("note", &json!({}));
        let long = record_with("note", &json!({ "id": "long", "content": "more than one batch ".repeat(100_000) }));
        for (file, number) in [(vec![note.clone(), note.clone()], 2), (vec![note.clone(), long, note], 3)] {
            let fault = refused(&fixture, KEEP, &file, number).await;
            assert_eq!(fault.to_string(), "field `id`: expected an id that is in the file only once");
        }
    }

    async fn a_deleted_record_is_created_again() {
        let fixture = Fixture::of("x").await;
        let (storage, author) = (&fixture.storage, member("one"));
        write(storage, author.clone(), delete::<Note>("note-one")).await.unwrap();
        write(storage, author.clone(), delete::<Task>("task-one")).await.unwrap();
        write(storage, author.clone(), delete::<Event>("event-one")).await.unwrap();
        write(storage, author, delete::<ShoppingItem>("shoppingItem-one")).await.unwrap();
        assert_eq!(fixture.count("SELECT count(*) FROM deleted_records").await, 4);
        let changes = update(&fixture, KEEP, &records("one", "x")).await.unwrap();
        assert_eq!(totals(&changes), [4, 0, 8, 0]);
        assert_eq!(fixture.count("SELECT count(*) FROM deleted_records").await, 0);
        let mut expected = exported(&Fixture::of("x").await).await;
        // A calendar that has read the deletion takes the record again.
        for record in expected.iter_mut().filter(|record| record["id"] == "task-one" || record["id"] == "event-one") {
            record["sequence"] = json!(record["sequence"].as_u64().unwrap() + 1);
        }
        assert_eq!(exported(&fixture).await, expected);
    }

    async fn a_missing_private_board_or_list_takes_along_what_was_deleted_from_it() {
        let fixture = Fixture::of("x").await;
        fixture.load(of_private_and_shared_containers()).await.unwrap();
        for task in ["on-private", "on-shared"] {
            write(&fixture.storage, member("one"), delete::<Task>(task)).await.unwrap();
        }
        for item in ["of-private", "of-shared"] {
            write(&fixture.storage, member("one"), delete::<ShoppingItem>(item)).await.unwrap();
        }
        // The file has the private board and the shared list, but not the private list and the shared board.
        update(&fixture, DELETE, &records("one", "x")).await.unwrap();
        let count = async |sql| fixture.count(sql).await;
        assert_eq!(count("SELECT count(*) FROM deleted_records WHERE id = 'of-private'").await, 0);
        assert_eq!(count("SELECT count(*) FROM deleted_records").await, 3);
        update(&fixture, DELETE, &[family("one")]).await.unwrap();
        assert_eq!(count("SELECT count(*) FROM deleted_records WHERE id = 'on-private'").await, 0);
    }

    async fn a_missing_user_takes_along_private_records_of_former_families() {
        let fixture = Fixture::of("x").await;
        fixture.load(of_private_and_shared_containers()).await.unwrap();
        write(&fixture.storage, member("one"), delete::<Task>("on-private")).await.unwrap();
        write(&fixture.storage, member("one"), delete::<ShoppingItem>("of-private")).await.unwrap();
        write(&fixture.storage, member("one"), delete::<ShoppingItem>("of-shared")).await.unwrap();
        let two = "two".parse().unwrap();
        fixture.storage.move_user(&member("one").user, Some(&two), AT.parse().unwrap()).await.unwrap();
        // The family has no member, who could find the revision.
        let revision = async || fixture.count("SELECT revision FROM families WHERE id = 'one'").await;
        let before = revision().await;
        let changes = update(&fixture, DELETE, &records("two", "x")).await.unwrap();
        // `task-one` is private, and `on-deleted` is in a column of the private board. `on-shared` stays.
        for (kind, deleted) in
            [("user", 1), ("task", 2), ("column", 2), ("board", 1), ("shoppingItem", 0), ("shoppingList", 1), ("note", 0)]
        {
            assert_eq!(of_kind(&changes, kind)[3], deleted, "{kind}");
        }
        assert!(revision().await > before);
        let left: Vec<Value> = exported(&fixture).await.into_iter().filter(|record| is_of(record, "one")).collect();
        let ids: Vec<_> = left.iter().map(|record| record["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["one", "noteCategory-one", "event-one", "shoppingList-one", "shoppingItem-one", "note-one"]);
        assert_eq!(fixture.count("SELECT count(*) FROM deleted_records").await, 1);
        assert_eq!(fixture.count("SELECT count(*) FROM deleted_records WHERE id = 'of-shared'").await, 1);
    }

    async fn an_email_is_given_up_in_the_same_batch_or_an_earlier_one() {
        for missing in [KEEP, DELETE] {
            for between in [vec![], vec![long_user()]] {
                let fixture = Fixture::of("x").await;
                let first = vec![family("one"), record_with("user", &json!({ "email": "changed" }))];
                let file = [first, between, vec![record_with("user", &json!({ "id": "new" }))]].concat();
                update(&fixture, missing, &file).await.unwrap();
                let mut emails = emails(&fixture).await;
                emails.retain(|(id, _)| id == "user-one" || id == "new");
                assert_eq!(emails, [("new", "one@example.org"), ("user-one", "changed")].map(|(id, email)| (json!(id), json!(email))));
            }
        }
    }

    async fn an_email_that_another_user_has_is_refused() {
        let fixture = Fixture::of("x").await;
        let before = exported(&fixture).await;
        let user = |id: &str| record_with("user", &json!({ "id": id }));
        let changed = record_with("user", &json!({ "email": "changed" }));
        for (file, number) in [
            (vec![family("one"), user("new")], 2),
            (vec![family("one"), user("new"), changed.clone()], 2),
            (vec![family("one"), user("new"), long_user(), changed.clone()], 2),
            (vec![family("one"), user("user-one"), long_user(), user("new")], 4),
            (vec![family("one"), changed, user("new"), long_user(), user("other")], 5),
            (vec![family("one"), record_with("user", &json!({ "email": "two@example.org" })), family("two")], 2),
        ] {
            assert_eq!(refused(&fixture, DELETE, &file, number).await, LoadFault::exists("email"), "{file:?}");
        }
        assert_eq!(exported(&fixture).await, before);
    }

    async fn a_load_can_follow_an_update() {
        let fixture = Fixture::of("x").await;
        update(&fixture, DELETE, &[family("one")]).await.unwrap();
        fixture.load([record_with("family", &json!({ "id": "three" }))]).await.unwrap();
        assert_eq!(totals(&update(&fixture, KEEP, &[family("three")]).await.unwrap()), UNCHANGED);
    }

    async fn an_export_of_tasks_at_the_highest_order_can_be_imported() {
        const MAX: i64 = (1 << 53) - 1;
        let fixture = Fixture::of("x").await;
        let task = |id: &str, order: i64| record_with("task", &json!({ "id": id, "order": order }));
        fixture.load([task("last", MAX), task("before", MAX - 1)]).await.unwrap();
        let one = || member("one");
        let column = || "column-one".parse().unwrap();
        let new = TaskChange::new().title("new").column(&column()).build_new().unwrap();
        let created = Operation::<Task>::create("new".parse().unwrap(), new);
        assert!(matches!(write(&fixture.storage, one(), created).await.unwrap(), Written::Created(_)));
        // Moves to the position of `task-one`, which makes room for each of them as far as the first free position.
        for _ in 0..3 {
            for id in ["new", "task-one"] {
                let to = TaskMove::new(&column(), 0).build().unwrap();
                let moved = write(&fixture.storage, one(), super::family::update::<Task>(id, to)).await.unwrap();
                assert!(matches!(moved, Written::Updated { .. }));
            }
        }
        let all = exported(&fixture).await;
        assert!(all.iter().any(|record| record["id"] == "last" && record["order"] == MAX));
        assert!(all.iter().any(|record| record["id"] == "before" && record["order"] == MAX - 1));
        let copy = loaded(&all).await;
        assert_eq!(exported(&copy).await, all);
    }

    async fn a_large_update_counts_across_batches() {
        let fixture = Fixture::of("x").await;
        let notes = |title: &str| -> Vec<Value> {
            let content = "long ".repeat(100);
            let note = |n| record_with("note", &json!({ "id": format!("n{n}"), "title": title, "content": content }));
            (0..5_000).map(note).collect()
        };
        assert_eq!(totals(&update(&fixture, KEEP, &notes("a")).await.unwrap()), [5_000, 0, 0, 0]);
        let mut changed = notes("a");
        changed.iter_mut().step_by(5).for_each(|note| note["title"] = json!("b"));
        assert_eq!(totals(&update(&fixture, KEEP, &changed).await.unwrap()), [0, 1_000, 4_000, 0]);
        let file = [&records("one", "x")[..], &changed[..2_000]].concat();
        assert_eq!(totals(&update(&fixture, DELETE, &file).await.unwrap()), [0, 0, 2_012, 3_000]);
    }
}

/// Creates a storage with these records.
async fn loaded(records: &[Value]) -> Fixture {
    let fixture = Fixture::empty().await;
    fixture.load(records.iter().cloned()).await.unwrap();
    fixture
}

fn is_of(record: &Value, family: &str) -> bool {
    record["id"] == family || record["id"].as_str().is_some_and(|id| id.ends_with(&format!("-{family}")))
}
