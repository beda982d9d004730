//! Loads of several batches. The conformance suite checks what a load accepts.

use family_api_core::storage::{BulkLoad, LoadError, LoadFault, StorageError};
use serde_json::json;

use crate::family::{Fixture, record_of, record_with};

const COUNT_NOTES: &str = "SELECT count(*) FROM notes";

const LARGE_LOAD: u64 = 20_000;

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
        assert_eq!(fixture.count(COUNT_NOTES).await, i64::try_from(LARGE_LOAD).unwrap() + 2);
    }

    async fn a_refused_load_cannot_be_committed() {
        let fixture = Fixture::of("x").await;
        let before = fixture.count(COUNT_NOTES).await;
        let long = "more than one batch ".repeat(100_000);
        let mut load = fixture.storage.begin_load().await.unwrap();
        load.insert(record_of(&record_with("note", &json!({ "id": "new" })))).await.unwrap();
        load.insert(record_of(&record_with("note", &json!({ "content": long })))).await.unwrap();
        load.insert(record_of(&record_with("note", &json!({ "id": "later", "content": long })))).await.unwrap();
        let refused = load.insert(record_of(&record_with("event", &json!({ "id": "new" })))).await;
        assert!(matches!(refused, Err(LoadError::Refused { number: 2, .. })), "{refused:?}");
        assert!(matches!(load.commit().await, Err(LoadError::Storage(StorageError::Backend(_)))));
        assert_eq!(fixture.count(COUNT_NOTES).await, before);
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
}
