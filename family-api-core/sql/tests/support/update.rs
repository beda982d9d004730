//! Updates create, change and delete records in one transaction.

use family_api_core::change::{TaskChange, TaskMove};
use family_api_core::key::KeyDigest;
use family_api_core::resource::{Event, Note, ShoppingItem, Task};
use family_api_core::storage::{
    Administration, BulkUpdate, CredentialStorage, Export, ExportedPasswords, KeyState, KeyStorage, KindChanges,
    LoadError, LoadFault, MissingRecords, Operation, Password, PasswordHash, Record, Session, StorageError,
    UserStorage, Written,
};
use serde_json::{Value, json};

use crate::family::{AT, Fixture, delete, member, record_of, records, write};
use crate::removal::of_private_and_shared_containers;

const KEEP: MissingRecords = MissingRecords::Keep;
const DELETE: MissingRecords = MissingRecords::Delete;

/// The [totals] of an update with one record that differs, and with one that does not.
const CHANGED: [u64; 4] = [0, 1, 0, 0];
const UNCHANGED: [u64; 4] = [0, 0, 1, 0];

/// Whether an update is committed.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Commit,
    Preview,
}

async fn end_update(
    fixture: &Fixture,
    missing: MissingRecords,
    records: Vec<Record>,
    end: End,
) -> Result<Vec<KindChanges>, LoadError> {
    let mut update = fixture.storage.begin_update(missing).await?;
    for record in records {
        update.upsert(record).await?;
    }
    if end == End::Commit { update.commit().await } else { update.preview().await }
}

async fn update(fixture: &Fixture, missing: MissingRecords, records: &[Value]) -> Result<Vec<KindChanges>, LoadError> {
    end_update(fixture, missing, records.iter().map(record_of).collect(), End::Commit).await
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
    with("user", &json!({ "id": "long", "email": "long", "name": "more than one batch ".repeat(100_000) }))
}

async fn revision(fixture: &Fixture, family: &str) -> i64 {
    let account = fixture.storage.find_account(&member(family).user).await.unwrap().unwrap();
    account.membership.unwrap().revision.unwrap().get()
}

/// Returns a record of the family `one` with changes.
fn with(kind: &str, changes: &Value) -> Value {
    let mut record = records("one", "x").into_iter().find(|record| record["type"] == kind).unwrap();
    for (field, value) in changes.as_object().unwrap() {
        record[field] = value.clone();
    }
    record
}

fn family(id: &str) -> Value {
    with("family", &json!({ "id": id }))
}

/// Returns all records of the family `one` with other values in every field that can change.
fn changed_records() -> Vec<Value> {
    let mut changed = records("one", "y");
    let later = json!("2026-12-01T00:00:00.000Z");
    for record in &mut changed {
        let fields = record.as_object_mut().unwrap();
        for (field, value) in fields {
            match (field.as_str(), &value) {
                ("createdAt" | "updatedAt" | "dueDate" | "completedAt" | "endDate" | "revokedAt", _) => {
                    *value = later.clone();
                }
                // Each of the dates of an event can change alone.
                ("startDate", _) => *value = json!("2026-11-01T00:00:00.000Z"),
                ("order" | "sortOrder", _) => *value = json!(7),
                ("email", _) => *value = json!("y@example.org"),
                ("timeZone", _) => *value = json!("Europe/Oslo"),
                ("displayCurrency", _) => *value = json!("USD"),
                ("priority", _) => *value = json!("LOW"),
                ("recurrence", _) => *value = json!("FREQ=DAILY"),
                ("ownerUserId" | "assigneeId" | "creatorId" | "addedById" | "authorId" | "expiresAt", _) => {
                    *value = Value::Null;
                }
                ("scopes", _) => *value = json!(["v1.read"]),
                (_, Value::Bool(flag)) => *value = json!(!flag),
                _ => {}
            }
        }
    }
    changed
}

tests! {
    async fn records_are_created_by_an_update_of_an_empty_storage() {
        let fixture = Fixture::empty().await;
        let changes = update(&fixture, KEEP, &records("one", "x")).await.unwrap();
        let kinds: Vec<&str> = changes.iter().map(|changes| changes.kind).collect();
        assert_eq!(kinds, Record::KINDS);
        assert!(changes.iter().all(|kind| totals(&[*kind]) == [1, 0, 0, 0]), "{changes:?}");
        assert_eq!(exported(&fixture).await, exported(&loaded(&records("one", "x")).await).await);
    }

    async fn every_field_of_every_kind_is_changed() {
        let fixture = Fixture::of("x").await;
        let changes = update(&fixture, KEEP, &changed_records()).await.unwrap();
        assert!(changes.iter().all(|kind| totals(&[*kind]) == CHANGED), "{changes:?}");
        let expected = loaded(&[changed_records(), records("two", "x")].concat()).await;
        assert_eq!(exported(&fixture).await, exported(&expected).await);
    }

    async fn each_changed_field_is_noticed() {
        let fixture = Fixture::of("x").await;
        for (old, new) in records("one", "x").iter().zip(changed_records()) {
            for (field, value) in new.as_object().unwrap() {
                // A revoked key cannot become equal again.
                if old.get(field) == Some(value) || field == "revokedAt" {
                    continue;
                }
                let mut record = old.clone();
                record[field] = value.clone();
                for (expected, record) in [(CHANGED, &record), (UNCHANGED, &record), (CHANGED, old)] {
                    let changes = update(&fixture, KEEP, std::slice::from_ref(record)).await.unwrap();
                    assert_eq!(totals(&changes), expected, "{field} of {}", old["type"]);
                }
            }
        }
    }

    async fn an_absent_field_that_can_be_null_is_cleared() {
        let fixture = Fixture::of("x").await;
        let mut note = with("note", &json!({}));
        note.as_object_mut().unwrap().remove("emoji").unwrap();
        assert_eq!(totals(&update(&fixture, KEEP, &[note]).await.unwrap()), CHANGED);
        let stored = exported(&fixture).await.into_iter().find(|record| record["id"] == "note-one").unwrap();
        assert_eq!((&stored["emoji"], &stored["color"]), (&Value::Null, &json!("x")));
    }

    async fn an_update_without_changes_keeps_the_revision() {
        let fixture = Fixture::of("x").await;
        let before = [revision(&fixture, "one").await, revision(&fixture, "two").await];
        let changes = update(&fixture, DELETE, &records("one", "x")).await.unwrap();
        assert_eq!(totals(&changes), [0, 0, 11, 0]);
        assert_eq!([revision(&fixture, "one").await, revision(&fixture, "two").await], before);
    }

    async fn a_change_moves_the_revision_of_its_family_only() {
        let fixture = Fixture::of("x").await;
        for kind in Record::KINDS.into_iter().filter(|kind| !["family", "key"].contains(kind)) {
            let before = [revision(&fixture, "one").await, revision(&fixture, "two").await];
            let field = if ["task", "note", "event"].contains(&kind) { "title" } else { "name" };
            update(&fixture, KEEP, &[with(kind, &json!({ field: "changed" }))]).await.unwrap();
            let changed = [revision(&fixture, "one").await, revision(&fixture, "two").await];
            assert!(changed[0] > before[0] && changed[1] == before[1], "{kind}");
            let mut record = with(kind, &json!({ "id": "new" }));
            if kind == "user" {
                record["email"] = json!("new@example.org");
            }
            update(&fixture, KEEP, &[record]).await.unwrap();
            assert!(revision(&fixture, "one").await > changed[0], "{kind}");
        }
    }

    async fn a_preview_counts_and_changes_nothing() {
        let fixture = Fixture::of("x").await;
        let before = exported(&fixture).await;
        let file = || [family("one"), with("user", &json!({ "name": "y" })), family("new")];
        let records = || file().iter().map(record_of).collect();
        let preview = end_update(&fixture, DELETE, records(), End::Preview).await.unwrap();
        assert_eq!(exported(&fixture).await, before);
        let done = end_update(&fixture, DELETE, records(), End::Commit).await.unwrap();
        assert_eq!((preview, totals(&done)), (done.clone(), [1, 1, 1, 8]));
    }

    async fn a_dropped_update_changes_nothing() {
        let fixture = Fixture::of("x").await;
        let before = exported(&fixture).await;
        let mut dropped = fixture.storage.begin_update(DELETE).await.unwrap();
        for record in [family("one"), with("note", &json!({ "id": "new" }))] {
            let _ = dropped.upsert(record_of(&record)).await;
        }
        drop(dropped);
        assert_eq!(exported(&fixture).await, before);
        assert_eq!(totals(&update(&fixture, KEEP, &[family("one")]).await.unwrap()), UNCHANGED);
    }

    async fn a_refused_update_cannot_be_committed() {
        let fixture = Fixture::of("x").await;
        let before = exported(&fixture).await;
        let long = "more than one batch ".repeat(100_000);
        let mut update = fixture.storage.begin_update(KEEP).await.unwrap();
        for record in [
            with("note", &json!({ "content": long })),
            with("note", &json!({ "id": "n", "categoryId": "nowhere", "content": long })),
            with("note", &json!({ "id": "later", "content": long })),
        ] {
            update.upsert(record_of(&record)).await.unwrap();
        }
        let refused = update.upsert(record_of(&with("event", &json!({ "title": "y" })))).await;
        assert!(matches!(refused, Err(LoadError::Refused { number: 2, .. })), "{refused:?}");
        assert!(matches!(update.commit().await, Err(LoadError::Storage(StorageError::Backend(_)))));
        assert_eq!(exported(&fixture).await, before);
    }

    async fn a_record_moves_to_another_parent() {
        let fixture = Fixture::of("x").await;
        let file = [
            with("column", &json!({ "id": "other" })),
            with("task", &json!({ "columnId": "other" })),
        ];
        assert_eq!(totals(&update(&fixture, KEEP, &file).await.unwrap()), [1, 1, 0, 0]);
        let task = exported(&fixture).await.into_iter().find(|record| record["id"] == "task-one").unwrap();
        assert_eq!(task["columnId"], "other");
    }

    async fn a_missing_parent_is_refused_in_an_update() {
        let fixture = Fixture::of("x").await;
        let fields = [("task", "columnId"), ("task", "familyId"), ("user", "familyId"), ("board", "ownerUserId")];
        for (kind, field) in fields {
            let record = with(kind, &json!({ field: "nobody" }));
            assert_eq!(refused(&fixture, KEEP, &[record], 1).await, LoadFault::no_parent(field), "{kind}");
        }
        let before = [with("task", &json!({ "columnId": "later" })), with("column", &json!({ "id": "later" }))];
        assert_eq!(refused(&fixture, KEEP, &before, 1).await, LoadFault::no_parent("columnId"));
    }

    async fn an_id_that_is_twice_in_an_update_is_refused() {
        let fixture = Fixture::of("x").await;
        let note = with("note", &json!({}));
        let long = with("note", &json!({ "id": "long", "content": "more than one batch ".repeat(100_000) }));
        for (file, number) in [(vec![note.clone(), note.clone()], 2), (vec![note.clone(), long, note], 3)] {
            let fault = refused(&fixture, KEEP, &file, number).await;
            assert_eq!(fault.to_string(), "field `id`: expected an id that is in the file only once");
        }
    }

    async fn an_email_or_token_hash_of_another_record_is_refused() {
        let fixture = Fixture::of("x").await;
        let user = with("user", &json!({ "email": "two@example.org" }));
        assert_eq!(refused(&fixture, KEEP, &[user], 1).await, LoadFault::exists("email"));
        let key = with("key", &json!({ "id": "new" }));
        assert_eq!(refused(&fixture, KEEP, &[key], 1).await, LoadFault::exists("tokenHash"));
    }

    async fn a_key_keeps_its_owner_and_its_token() {
        let fixture = Fixture::of("x").await;
        for change in [json!({ "userId": "user-two" }), json!({ "tokenHash": "33".repeat(32) })] {
            let fault = refused(&fixture, KEEP, &[with("key", &change)], 1).await;
            assert_eq!(fault.field, "id");
        }
    }

    async fn a_revoked_key_stays_revoked() {
        let fixture = Fixture::of("x").await;
        let revoked = with("key", &json!({ "revokedAt": AT }));
        assert_eq!(totals(&update(&fixture, KEEP, &[revoked]).await.unwrap()), CHANGED);
        let key = with("key", &json!({ "revokedAt": null }));
        assert_eq!(totals(&update(&fixture, KEEP, &[key]).await.unwrap()), UNCHANGED);
        let key = with("key", &json!({ "revokedAt": null, "name": "y" }));
        assert_eq!(totals(&update(&fixture, KEEP, &[key]).await.unwrap()), CHANGED);
        let found = fixture.storage.find_key(&KeyDigest::from_bytes([0x11; 32])).await.unwrap().unwrap();
        assert_eq!(found.state, KeyState::Revoked { at: AT.parse().unwrap() });
    }

    async fn a_category_below_itself_is_refused() {
        let fixture = Fixture::of("x").await;
        let category = |id: &str, parent: Option<&str>| with("noteCategory", &json!({ "id": id, "parentId": parent }));
        let chain = [category("a", None), category("b", Some("a")), category("c", Some("b"))];
        update(&fixture, KEEP, &chain).await.unwrap();
        let fault = refused(&fixture, KEEP, &[category("new", None), category("a", Some("c"))], 2).await;
        assert_eq!(fault.to_string(), "field `parentId`: expected a record that is not below this one");
        let turned = [category("c", None), category("b", Some("c")), category("a", Some("b"))];
        assert_eq!(totals(&update(&fixture, DELETE, &after_family(&turned)).await.unwrap())[1], 3);
    }

    async fn a_user_moves_only_between_families_of_the_update() {
        let fixture = Fixture::of("x").await;
        for other in [json!("two"), Value::Null] {
            let user = with("user", &json!({ "familyId": other }));
            // The old family is not in the update, or comes after the user.
            for file in [vec![family("two"), user.clone()], vec![family("two"), user.clone(), family("one")]] {
                assert_eq!(refused(&fixture, KEEP, &file, 2).await.field, "familyId");
            }
        }
        let before = [revision(&fixture, "one").await, revision(&fixture, "two").await];
        let file = [family("one"), family("two"), with("user", &json!({ "familyId": "two" }))];
        assert_eq!(of_kind(&update(&fixture, KEEP, &file).await.unwrap(), "user"), CHANGED);
        let membership = fixture.storage.find_account(&member("one").user).await.unwrap().unwrap().membership.unwrap();
        assert_eq!(membership.family.as_str(), "two");
        assert!(revision(&fixture, "two").await > before[1]);
        assert!(fixture.count("SELECT revision FROM families WHERE id = 'one'").await > before[0]);
        // A user without a family joins one, whose record need not be in the update.
        let alone = with("user", &json!({ "id": "alone", "email": "a@example.org", "familyId": null }));
        update(&fixture, KEEP, &[alone]).await.unwrap();
        let joins = with("user", &json!({ "id": "alone", "email": "a@example.org" }));
        assert_eq!(totals(&update(&fixture, KEEP, &[joins]).await.unwrap()), CHANGED);
    }

    async fn a_new_password_ends_the_sessions_of_its_user() {
        let fixture = Fixture::of("x").await;
        let hashed = |hash: &str| PasswordHash::new(hash.to_owned());
        let (storage, digest, now) = (&fixture.storage, KeyDigest::of("session"), AT.parse().unwrap());
        let expires_at = "2027-01-01T00:00:00Z".parse().unwrap();
        let session = Session { digest, user: member("one").user, created_at: now, expires_at };
        let mut stored = "$0";
        storage.update_password(&session.user, &hashed(stored)).await.unwrap();
        for new in [Some("$1"), Some("$1"), None, Some("$2")] {
            storage.delete_session(&digest).await.unwrap();
            assert!(storage.insert_session(&session, &hashed(stored)).await.unwrap());
            let Record::User(mut user) = record_of(&with("user", &json!({}))) else { panic!("no user") };
            user.password = new.map_or(Password::None, |new| Password::Hashed(hashed(new)));
            let changes = end_update(&fixture, KEEP, vec![Record::User(user)], End::Commit).await.unwrap();
            let is_changed = new.is_some_and(|new| new != stored);
            assert_eq!(totals(&changes), if is_changed { CHANGED } else { UNCHANGED }, "{new:?}");
            assert_eq!(storage.find_session(&digest, now).await.unwrap().is_none(), is_changed, "{new:?}");
            stored = new.unwrap_or(stored);
            let found = storage.find_password("one@example.org").await.unwrap().unwrap().1;
            assert_eq!(found, Some(hashed(stored)));
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
        assert_eq!(totals(&changes), [4, 0, 7, 0]);
        assert_eq!(fixture.count("SELECT count(*) FROM deleted_records").await, 0);
        assert_eq!(exported(&fixture).await, exported(&Fixture::of("x").await).await);
    }

    async fn missing_records_of_the_families_are_deleted() {
        let fixture = Fixture::of("x").await;
        let two: Vec<Value> = exported(&fixture).await.into_iter().filter(|record| is_of(record, "two")).collect();
        let user = with("user", &json!({ "id": "gone", "email": "gone@example.org" }));
        let key = with("key", &json!({ "id": "gone", "userId": "gone", "tokenHash": "33".repeat(32) }));
        update(&fixture, KEEP, &[user, key]).await.unwrap();
        let before = [revision(&fixture, "one").await, revision(&fixture, "two").await];
        let file = [family("one"), with("user", &json!({}))];
        let changes = update(&fixture, DELETE, &file).await.unwrap();
        assert_eq!(totals(&changes), [0, 0, 2, 9]);
        assert_eq!((of_kind(&changes, "user")[3], of_kind(&changes, "key")[3]), (1, 0));
        let left = exported(&fixture).await;
        // A key of a user who stays is not deleted.
        let ids: Vec<&Value> = left.iter().filter(|record| is_of(record, "one")).map(|record| &record["id"]).collect();
        assert_eq!(ids, ["one", "user-one", "key-one"]);
        assert_eq!(left.iter().filter(|record| is_of(record, "two")).cloned().collect::<Vec<_>>(), two);
        assert_eq!(left.len(), ids.len() + two.len());
        assert_eq!(fixture.count("SELECT count(*) FROM deleted_records").await, 0);
        assert!(revision(&fixture, "one").await > before[0] && revision(&fixture, "two").await == before[1]);
        assert_eq!(totals(&update(&fixture, DELETE, &records("one", "x")).await.unwrap()), [8, 0, 3, 0]);
    }

    async fn a_missing_user_takes_along_deleted_private_records() {
        let fixture = Fixture::of("x").await;
        let private = with("shoppingItem", &json!({ "id": "cake", "isPrivate": true }));
        update(&fixture, KEEP, &[private]).await.unwrap();
        write(&fixture.storage, member("one"), delete::<ShoppingItem>("cake")).await.unwrap();
        write(&fixture.storage, member("one"), delete::<Note>("note-one")).await.unwrap();
        update(&fixture, DELETE, &[family("one")]).await.unwrap();
        assert_eq!(fixture.count("SELECT count(*) FROM deleted_records WHERE id = 'cake'").await, 0);
        assert_eq!(fixture.count("SELECT count(*) FROM deleted_records WHERE id = 'note-one'").await, 1);
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
                let first = vec![family("one"), with("user", &json!({ "email": "changed" }))];
                let file = [first, between, vec![with("user", &json!({ "id": "new" }))]].concat();
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
        let user = |id: &str| with("user", &json!({ "id": id }));
        let changed = with("user", &json!({ "email": "changed" }));
        for (file, number) in [
            (vec![family("one"), user("new")], 2),
            (vec![family("one"), user("new"), changed.clone()], 2),
            (vec![family("one"), user("new"), long_user(), changed.clone()], 2),
            (vec![family("one"), user("user-one"), long_user(), user("new")], 4),
            (vec![family("one"), changed, user("new"), long_user(), user("other")], 5),
            (vec![family("one"), with("user", &json!({ "email": "two@example.org" })), family("two")], 2),
        ] {
            assert_eq!(refused(&fixture, DELETE, &file, number).await, LoadFault::exists("email"), "{file:?}");
        }
        assert_eq!(exported(&fixture).await, before);
    }

    async fn missing_parents_and_children_are_deleted_together() {
        let fixture = Fixture::of("x").await;
        let category = |id: &str, parent: &str| with("noteCategory", &json!({ "id": id, "parentId": parent }));
        update(&fixture, KEEP, &[category("b", "noteCategory-one"), category("a", "b")]).await.unwrap();
        assert_eq!(of_kind(&update(&fixture, DELETE, &[family("one")]).await.unwrap(), "noteCategory"), [0, 0, 0, 3]);
    }

    async fn without_missing_records_every_parent_is_in_the_update() {
        let fixture = Fixture::of("x").await;
        for (kind, field) in [
            ("user", "familyId"),
            ("key", "userId"),
            ("board", "ownerUserId"),
            ("column", "boardId"),
            ("task", "columnId"),
            ("shoppingItem", "listId"),
            ("note", "categoryId"),
        ] {
            let mut file = vec![family("one"), with(kind, &json!({}))];
            if field == "familyId" {
                file.remove(0);
            }
            let fault = refused(&fixture, DELETE, &file, file.len() as u64).await;
            assert_eq!(fault, LoadFault::new(field, "expected the id of a record that is in the file before"));
        }
    }

    async fn only_one_update_runs_at_a_time_and_a_load_can_follow() {
        let fixture = Fixture::of("x").await;
        update(&fixture, KEEP, &[family("one")]).await.unwrap();
        update(&fixture, DELETE, &[family("one")]).await.unwrap();
        fixture.load([with("family", &json!({ "id": "three" }))]).await.unwrap();
        assert_eq!(totals(&update(&fixture, KEEP, &[family("three")]).await.unwrap()), UNCHANGED);
    }

    async fn an_export_of_tasks_at_the_highest_order_can_be_imported() {
        const MAX: i64 = (1 << 53) - 1;
        let fixture = Fixture::of("x").await;
        let task = |id: &str, order: i64| with("task", &json!({ "id": id, "order": order }));
        fixture.load([task("last", MAX), task("before", MAX - 1)]).await.unwrap();
        let one = || member("one");
        let column = || "column-one".parse().unwrap();
        let new = TaskChange::new().title("new").column(&column()).build_new().unwrap();
        let created = Operation::<Task>::create("new".parse().unwrap(), new);
        assert!(matches!(write(&fixture.storage, one(), created).await.unwrap(), Written::Created(_)));
        // Moves to the position of `task-one`, which makes room for each of them.
        for _ in 0..3 {
            for id in ["new", "task-one"] {
                let to = TaskMove::new(&column(), 0).build().unwrap();
                let moved = write(&fixture.storage, one(), super::family::update::<Task>(id, to)).await.unwrap();
                assert!(matches!(moved, Written::Updated { .. }));
            }
        }
        let all = exported(&fixture).await;
        assert!(all.iter().any(|record| record["id"] == "last" && record["order"] == MAX));
        assert!(all.iter().any(|record| record["id"] == "before" && record["order"] == MAX));
        let copy = loaded(&all).await;
        assert_eq!(exported(&copy).await, all);
    }

    async fn a_large_update_counts_across_batches() {
        let fixture = Fixture::of("x").await;
        let notes = |title: &str| -> Vec<Value> {
            let content = "long ".repeat(100);
            let note = |n| with("note", &json!({ "id": format!("n{n}"), "title": title, "content": content }));
            (0..5_000).map(note).collect()
        };
        assert_eq!(totals(&update(&fixture, KEEP, &notes("a")).await.unwrap()), [5_000, 0, 0, 0]);
        let mut changed = notes("a");
        changed.iter_mut().step_by(5).for_each(|note| note["title"] = json!("b"));
        assert_eq!(totals(&update(&fixture, KEEP, &changed).await.unwrap()), [0, 1_000, 4_000, 0]);
        let file = [&records("one", "x")[..], &changed[..2_000]].concat();
        assert_eq!(totals(&update(&fixture, DELETE, &file).await.unwrap()), [0, 0, 2_011, 3_000]);
    }
}

/// Creates a storage with these records.
async fn loaded(records: &[Value]) -> Fixture {
    let fixture = Fixture::empty().await;
    fixture.load(records.iter().cloned()).await.unwrap();
    fixture
}

/// Returns the family `one` and these records.
fn after_family(records: &[Value]) -> Vec<Value> {
    [&[family("one")], records].concat()
}

fn is_of(record: &Value, family: &str) -> bool {
    record["id"] == family || record["id"].as_str().is_some_and(|id| id.ends_with(&format!("-{family}")))
}
