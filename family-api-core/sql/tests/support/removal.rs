//! The removal of a user takes along what only this user sees.

use family_api_core::resource::{Column, Note, ShoppingItem, Task};
use family_api_core::storage::{Administration, Operation, Written};
use serde_json::{Value, json};

use crate::family::{AT, Fixture, delete, member, record_with, records, write};

/// Returns tasks and items that are not private themselves, on boards and lists of the family `one`.
pub(crate) fn of_private_and_shared_containers() -> Vec<Value> {
    vec![
        record_with("board", &json!({ "id": "shared", "isPrivate": false, "ownerUserId": null })),
        record_with("column", &json!({ "id": "shared-column", "boardId": "shared" })),
        record_with("column", &json!({ "id": "deleted-column" })),
        record_with("task", &json!({ "id": "on-private", "isPrivate": false })),
        record_with("task", &json!({ "id": "on-deleted", "isPrivate": false, "columnId": "deleted-column" })),
        record_with("task", &json!({ "id": "on-shared", "isPrivate": false, "columnId": "shared-column" })),
        record_with("shoppingList", &json!({ "id": "private-list", "isPrivate": true, "ownerUserId": "user-one" })),
        record_with("shoppingItem", &json!({ "id": "of-private", "listId": "private-list" })),
        record_with("shoppingItem", &json!({ "id": "of-shared" })),
    ]
}

tests! {
    async fn a_removed_user_takes_along_deleted_private_records() {
        let fixture = Fixture::of("x").await;
        let (storage, user) = (&fixture.storage, member("one").user);
        fixture.load([record_with("shoppingItem", &json!({ "id": "cake", "isPrivate": true }))]).await.unwrap();
        write(storage, member("one"), delete::<ShoppingItem>("cake")).await.unwrap();
        write(storage, member("one"), delete::<Task>("task-one")).await.unwrap();
        write(storage, member("one"), delete::<Note>("note-one")).await.unwrap();
        write(storage, member("two"), delete::<Task>("task-two")).await.unwrap();
        storage.move_user(&user, Some(&"two".parse().unwrap()), AT.parse().unwrap()).await.unwrap();
        let counts = storage.count_user(&user).await.unwrap();
        let deleted = storage.delete_user(&user).await.unwrap().unwrap();
        assert_eq!(counts, deleted);
        let count = deleted.iter().find(|count| count.kind == "deletedRecord").unwrap();
        assert_eq!(count.count, 2);
        assert_eq!(fixture.count("SELECT count(*) FROM deleted_records").await, 2);
        assert_eq!(fixture.count("SELECT count(*) FROM deleted_records WHERE id IN ('note-one', 'task-two')").await, 2);

        // Another user gets the id.
        fixture.load([records("one", "y").remove(1)]).await.unwrap();
        let restoration = Operation::<ShoppingItem>::Restore { id: "cake".parse().unwrap() };
        assert_eq!(write(storage, member("one"), restoration).await.unwrap(), Written::NotFound);
    }

    async fn a_removed_user_takes_along_what_was_deleted_from_private_boards_and_lists() {
        let fixture = Fixture::of("x").await;
        let (storage, user) = (&fixture.storage, member("one").user);
        fixture.load(of_private_and_shared_containers()).await.unwrap();
        for task in ["on-private", "on-shared", "on-deleted"] {
            write(storage, member("one"), delete::<Task>(task)).await.unwrap();
        }
        for item in ["of-private", "of-shared"] {
            write(storage, member("one"), delete::<ShoppingItem>(item)).await.unwrap();
        }
        // The board of the column is private. Nothing shows this after its deletion.
        write(storage, member("one"), delete::<Column>("deleted-column")).await.unwrap();
        let counts = storage.count_user(&user).await.unwrap();
        let deleted = storage.delete_user(&user).await.unwrap().unwrap();
        assert_eq!(counts, deleted);
        assert_eq!(deleted.iter().find(|count| count.kind == "deletedRecord").unwrap().count, 3);
        let kept = "SELECT count(*) FROM deleted_records WHERE id IN ('on-shared', 'of-shared')";
        assert_eq!((fixture.count("SELECT count(*) FROM deleted_records").await, fixture.count(kept).await), (2, 2));
    }
}
