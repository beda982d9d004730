//! The removal of a user takes along what only this user sees.

use family_api_core::resource::{Note, ShoppingItem, Task};
use family_api_core::storage::{Administration, Operation, Update};
use serde_json::{Value, json};

use crate::family::{AT, Fixture, delete, member, records, write};

/// Returns a private item of the user `user-one` on a list that the family `one` sees.
fn private_item() -> Value {
    let mut item = records("one", "x").remove(9);
    item["id"] = json!("cake");
    item["isPrivate"] = json!(true);
    item
}

tests! {
    async fn a_removed_user_takes_along_deleted_private_records() {
        let fixture = Fixture::of("x").await;
        let (storage, user) = (&fixture.storage, member("one").user);
        fixture.load([private_item()]).await.unwrap();
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
        assert_eq!(write(storage, member("one"), restoration).await.unwrap(), Update::NotFound);
    }
}
