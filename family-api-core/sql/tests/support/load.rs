//! Loads are atomic and report the invalid record.

use family_api_core::resource::TaskFilter;
use family_api_core::storage::{
    BulkLoad, CredentialStorage, LoadError, LoadFault, Password, PasswordHash, ReadStorage, Record, StorageError,
};
use family_api_testing::with;
use serde_json::{Value, json};

use crate::family::{Fixture, member, record_of, records};

const COUNT_ALL_ROWS: &str = "
    SELECT (SELECT count(*) FROM families) + (SELECT count(*) FROM users) + (SELECT count(*) FROM passwords)
         + (SELECT count(*) FROM integration_keys) + (SELECT count(*) FROM note_categories)
         + (SELECT count(*) FROM notes) + (SELECT count(*) FROM boards) + (SELECT count(*) FROM columns)
         + (SELECT count(*) FROM tasks) + (SELECT count(*) FROM events) + (SELECT count(*) FROM shopping_lists)
         + (SELECT count(*) FROM shopping_items)";

const LARGE_LOAD: u64 = 20_000;

tests! {
    async fn a_dropped_load_stores_nothing_and_releases_the_writer() {
        let fixture = Fixture::empty().await;
        let mut load = fixture.storage.begin_load().await.unwrap();
        for record in records("one", "x") {
            load.insert(record_of(&record)).await.unwrap();
        }
        drop(load);
        assert_eq!(fixture.count(COUNT_ALL_ROWS).await, 0);
        fixture.load(records("one", "x")).await.unwrap();
        assert_eq!(fixture.count(COUNT_ALL_ROWS).await, 11);
    }

    async fn a_load_is_not_visible_before_its_commit() {
        let fixture = Fixture::of("x").await;
        let mut load = fixture.storage.begin_load().await.unwrap();
        let mut task = records("one", "x").remove(6);
        task["id"] = json!("later");
        load.insert(record_of(&task)).await.unwrap();
        assert_eq!(tasks(&fixture).await, 1);
        load.commit().await.unwrap();
        assert_eq!(tasks(&fixture).await, 2);
    }
}

tests! {
    /// With random ids, each statement changes more index pages than the database keeps in memory for a rollback.
    async fn a_large_load_with_ids_in_random_order_succeeds() {
        let fixture = Fixture::of("x").await;
        let id = |number: u64| format!("{:016x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).repeat(4);
        let note = record_with("note", &json!({ "content": "x".repeat(100) }));
        let notes = (0..LARGE_LOAD).map(|number| {
            let mut note = note.clone();
            note["id"] = json!(id(number));
            note
        });
        fixture.load(notes).await.unwrap();
        assert_eq!(fixture.count("SELECT count(*) FROM notes").await, i64::try_from(LARGE_LOAD).unwrap() + 2);
    }
}

async fn tasks(fixture: &Fixture) -> usize {
    let document = fixture.storage.list_tasks(&member("one"), TaskFilter::All).await.unwrap();
    document.parse().unwrap()[0].columns[0].tasks.len()
}

/// Returns a record of the family `one` with changes.
fn record_with(kind: &str, changes: &Value) -> Value {
    let record = records("one", "x").into_iter().find(|record| record["type"] == kind).unwrap();
    with(record, changes.clone())
}

/// Returns a new record for the family `one`.
fn new_record(kind: &str) -> Value {
    match kind {
        "user" => record_with(kind, &json!({ "id": "new", "email": "new@example.org" })),
        "key" => record_with(kind, &json!({ "id": "new", "tokenHash": "33".repeat(32) })),
        _ => record_with(kind, &json!({ "id": "new" })),
    }
}

/// Loads the family `three` and then this record, which must be refused. Returns the fault.
async fn load_fault(fixture: &Fixture, record: Value) -> LoadFault {
    let mut beginning = records("three", "x");
    beginning.retain(|record| record["type"] != "key");
    let number = u64::try_from(beginning.len()).unwrap() + 1;
    let of_record = record["id"].as_str().unwrap().to_owned();
    match fixture.load(beginning.into_iter().chain([record])).await {
        Err(LoadError::Refused { number: at, id, fault }) if at == number && id == of_record => fault,
        other => panic!("{other:?}"),
    }
}

tests! {
    async fn an_id_that_exists_in_the_family_is_refused() {
        let fixture = Fixture::of("x").await;
        let before = fixture.count(COUNT_ALL_ROWS).await;
        for kind in Record::KINDS {
            let mut record = new_record(kind);
            record["id"] = record_with(kind, &json!({}))["id"].clone();
            assert_eq!(load_fault(&fixture, record).await, LoadFault::exists("id"), "{kind}");
        }
        assert_eq!(fixture.count(COUNT_ALL_ROWS).await, before);
    }

    async fn ids_of_users_and_keys_are_unique_among_all_families() {
        let fixture = Fixture::of("x").await;
        for (kind, field, value) in [("user", "familyId", "three"), ("key", "userId", "user-three")] {
            let mut record = new_record(kind);
            record["id"] = record_with(kind, &json!({}))["id"].clone();
            record[field] = json!(value);
            assert_eq!(load_fault(&fixture, record).await, LoadFault::exists("id"), "{kind}");
        }
    }

    async fn other_ids_can_exist_in_two_families() {
        let fixture = Fixture::of("x").await;
        let before = fixture.count(COUNT_ALL_ROWS).await;
        let mut same_ids = records("one", "x");
        same_ids.retain(|record| !["family", "user", "key"].contains(&record["type"].as_str().unwrap()));
        for record in &mut same_ids {
            record["familyId"] = json!("three");
        }
        let mut beginning = records("three", "x");
        beginning.truncate(2);
        fixture.load(beginning.into_iter().chain(same_ids)).await.unwrap();
        assert_eq!(fixture.count(COUNT_ALL_ROWS).await, before + 10);
    }

    async fn an_existing_email_or_token_is_refused() {
        let fixture = Fixture::of("x").await;
        let user = record_with("user", &json!({ "id": "new" }));
        assert_eq!(load_fault(&fixture, user).await, LoadFault::exists("email"));
        let key = record_with("key", &json!({ "id": "new" }));
        assert_eq!(load_fault(&fixture, key).await, LoadFault::exists("tokenHash"));
    }

    async fn a_missing_parent_is_refused() {
        let fixture = Fixture::of("x").await;
        let unknown = [
            ("user", "familyId"),
            ("key", "userId"),
            ("noteCategory", "familyId"),
            ("noteCategory", "parentId"),
            ("board", "familyId"),
            ("column", "familyId"),
            ("column", "boardId"),
            ("task", "familyId"),
            ("task", "columnId"),
            ("event", "familyId"),
            ("shoppingList", "familyId"),
            ("shoppingItem", "familyId"),
            ("shoppingItem", "listId"),
            ("note", "familyId"),
            ("note", "categoryId"),
        ];
        for (kind, field) in unknown {
            let mut record = new_record(kind);
            record[field] = json!("nobody");
            assert_eq!(load_fault(&fixture, record).await, LoadFault::no_parent(field), "{kind}");
        }
        let foreign = record_with("note", &json!({ "id": "new", "categoryId": "noteCategory-two" }));
        assert_eq!(load_fault(&fixture, foreign).await, LoadFault::no_parent("categoryId"));
        let itself = record_with("noteCategory", &json!({ "id": "new", "parentId": "new" }));
        assert_eq!(load_fault(&fixture, itself).await, LoadFault::no_parent("parentId"));
    }

    async fn a_refused_load_cannot_be_committed() {
        let fixture = Fixture::of("x").await;
        let before = fixture.count(COUNT_ALL_ROWS).await;
        let long = "more than one batch ".repeat(100_000);
        let mut load = fixture.storage.begin_load().await.unwrap();
        load.insert(record_of(&new_record("note"))).await.unwrap();
        load.insert(record_of(&record_with("note", &json!({ "content": long })))).await.unwrap();
        load.insert(record_of(&record_with("note", &json!({ "id": "later", "content": long })))).await.unwrap();
        let refused = load.insert(record_of(&new_record("event"))).await;
        assert!(matches!(refused, Err(LoadError::Refused { number: 2, .. })), "{refused:?}");
        assert!(matches!(load.commit().await, Err(LoadError::Storage(StorageError::Backend(_)))));
        assert_eq!(fixture.count(COUNT_ALL_ROWS).await, before);
    }

    async fn records_can_name_deleted_users_and_users_need_no_family() {
        let fixture = Fixture::of("x").await;
        let records = [
            record_with("task", &json!({ "id": "t", "assigneeId": "gone", "creatorId": "gone", "isPrivate": false })),
            record_with("user", &json!({ "id": "u", "familyId": null, "email": "u@example.org" })),
            record_with("noteCategory", &json!({ "id": "c", "parentId": "noteCategory-one" })),
        ];
        fixture.load(records).await.unwrap();
        let boards = fixture.storage.list_tasks(&member("one"), TaskFilter::All).await.unwrap().parse().unwrap();
        let task = boards[0].columns[0].tasks.iter().find(|task| task.id.as_str() == "t").unwrap();
        assert_eq!(task.assignee_id.as_ref().unwrap().as_str(), "gone");
        assert_eq!((&task.assignee, &task.creator), (&None, &None));
    }

    async fn a_password_is_stored_as_its_hash() {
        let fixture = Fixture::of("x").await;
        let record = record_with("user", &json!({ "id": "u", "email": "u@example.org", "password": "plain-canary" }));
        let Record::User(mut user) = record_of(&record) else { panic!("no user") };
        user.password = Password::Hashed(PasswordHash::new("$argon2id$hash".to_owned()));
        let mut load = fixture.storage.begin_load().await.unwrap();
        load.insert(Record::User(user)).await.unwrap();
        load.commit().await.unwrap();
        let (id, hash) = fixture.storage.find_password("u@example.org").await.unwrap().unwrap();
        assert_eq!((id.as_str(), hash.unwrap().expose()), ("u", "$argon2id$hash"));
        assert_eq!(fixture.storage.find_password("one@example.org").await.unwrap().unwrap().1, None);
    }

    async fn the_error_has_the_number_of_the_invalid_record() {
        let fixture = Fixture::of("x").await;
        let notes = |bad: usize| {
            (1..=900).map(move |number| match number {
                _ if number == bad => record_with("note", &json!({ "id": "bad", "categoryId": "nothing" })),
                _ => record_with("note", &json!({ "id": format!("n{number}"), "content": "long ".repeat(700) })),
            })
        };
        for bad in [1, 2, 500, 900] {
            match fixture.load(notes(bad)).await {
                Err(LoadError::Refused { number, fault, .. }) => {
                    assert_eq!((number, fault), (bad.try_into().unwrap(), LoadFault::no_parent("categoryId")));
                }
                other => panic!("{other:?}"),
            }
        }
        fixture.load(notes(0)).await.unwrap();
        assert_eq!(fixture.count("SELECT count(*) FROM notes WHERE family_id = 'one'").await, 901);
    }

    async fn a_duplicate_id_far_from_the_first_record_is_reported() {
        let fixture = Fixture::of("x").await;
        let last = 9_000;
        let items = (1..=last).map(|number| match number {
            _ if number == last => record_with("shoppingItem", &json!({ "id": "n1" })),
            _ => record_with("shoppingItem", &json!({ "id": format!("n{number}") })),
        });
        match fixture.load(items).await {
            Err(LoadError::Refused { number, fault, .. }) => assert_eq!((number, fault), (last, LoadFault::exists("id"))),
            other => panic!("{other:?}"),
        }
    }

    async fn a_category_directly_after_its_parent_is_accepted() {
        let fixture = Fixture::of("x").await;
        let parent = record_with("noteCategory", &json!({ "id": "parent" }));
        let child = record_with("noteCategory", &json!({ "id": "child", "parentId": "parent" }));
        let refused = fixture.load([child.clone(), parent.clone()]).await;
        assert!(matches!(refused, Err(LoadError::Refused { number: 1, .. })), "{refused:?}");
        fixture.load([parent, child]).await.unwrap();
    }

    async fn a_loaded_text_is_stored_unchanged() {
        let text = "\u{1}\u{1f}\u{7f}\u{2028}\"\\/ \\u0041 {}[] null é 𝕏 👩‍👩‍👧".repeat(1_000);
        let fixture = Fixture::of(&text).await;
        let notes = fixture.storage.list_notes(&member("one")).await.unwrap().parse().unwrap();
        assert!(notes[0].content == text && notes[0].tags == [text.as_str(), ""]);
    }
}
