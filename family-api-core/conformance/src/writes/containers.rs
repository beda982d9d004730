//! Boards, columns, lists and categories can be deleted only if nothing is in them.

use family_api_core::resource::{
    Board, Column, Note, NoteCategory, RecordKind, ShoppingItem, ShoppingList, Task, Verb,
};
use family_api_core::storage::Written;
use futures_util::future::{join, join_all};
use serde_json::{Value, json};

use crate::Subject;
use crate::fixture::calls::{create, delete, new, restore};
use crate::fixture::{Documents, ada, assert_done, assert_outcome, assert_same, bob, existing, expect_done};
use crate::writes::kinds::{TestRecord, supports};

pub(crate) async fn a_container_with_records_cannot_be_deleted(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    // `adas-list` has an item that ada does not see, and `home` has only a subcategory.
    refuses::<Board>(subject, &["shared", "adas"]).await;
    refuses::<Column>(subject, &["todo", "ada-col"]).await;
    refuses::<ShoppingList>(subject, &["groceries", "adas-list"]).await;
    refuses::<NoteCategory>(subject, &["food", "home"]).await;
    assert_same(&Documents::of_all_members(subject).await, &before);
}

async fn refuses<R: TestRecord>(subject: &dyn Subject, containers: &[&str]) {
    for container in existing(subject, containers).into_iter().filter(|_| supports::<R>(subject, &[Verb::Delete])) {
        assert_outcome(&delete::<R>(subject, &ada(), container).await, &Written::NotEmpty);
    }
}

pub(crate) async fn a_record_that_the_caller_does_not_see_counts(subject: &dyn Subject) {
    if supports::<Task>(subject, &[Verb::Delete]) && supports::<Column>(subject, &[Verb::Delete]) {
        for task in ["ada-plan", "bob-on-adas"] {
            let deleted = delete::<Task>(subject, &ada(), task).await;
            assert!(matches!(deleted, Written::Deleted(_)), "{task}: {deleted:?}");
        }
        // Only `bob-only-on-adas` is left.
        assert_outcome(&delete::<Column>(subject, &ada(), "ada-col").await, &Written::NotEmpty);
    }
    if supports::<ShoppingItem>(subject, &[Verb::Delete]) && supports::<ShoppingList>(subject, &[Verb::Delete]) {
        expect_done(delete::<ShoppingItem>(subject, &ada(), "sock").await);
        // Only `lost`, a private item of bob, is left.
        assert_outcome(&delete::<ShoppingList>(subject, &ada(), "adas-list").await, &Written::NotEmpty);
    }
}

pub(crate) async fn deleted_records_do_not_count(subject: &dyn Subject) {
    if supports::<Task>(subject, &[Verb::Delete]) && supports::<Column>(subject, &[Verb::Delete]) {
        expect_done(delete::<Task>(subject, &bob(), "bob-plan").await);
        assert_done(delete::<Column>(subject, &bob(), "bob-col").await);
    }
    if supports::<ShoppingItem>(subject, &[Verb::Delete]) && supports::<ShoppingList>(subject, &[Verb::Delete]) {
        expect_done(delete::<ShoppingItem>(subject, &bob(), "bob-item").await);
        assert_done(delete::<ShoppingList>(subject, &bob(), "bobs-list").await);
    }
}

pub(crate) async fn concurrent_writes_leave_no_record_without_a_container(subject: &dyn Subject) {
    let task = json!({ "title": "T", "columnId": Column::VISIBLE });
    races_with_a_deletion::<Column, Task>(subject, None, &task).await;
    let name = json!({ "name": "N" });
    races_with_a_deletion::<ShoppingList, ShoppingItem>(subject, Some(ShoppingList::VISIBLE), &name).await;
    races_with_a_deletion::<Board, Column>(subject, Some(Board::VISIBLE), &name).await;
    let note = json!({ "title": "T", "categoryId": NoteCategory::VISIBLE });
    races_with_a_deletion::<NoteCategory, Note>(subject, None, &note).await;
}

/// Deletes the container `C::VISIBLE` while records are created and restored in it.
async fn races_with_a_deletion<C: TestRecord, R: TestRecord>(
    subject: &dyn Subject,
    container: Option<&str>,
    body: &Value,
) {
    if !supports::<C>(subject, &[Verb::Delete]) || !supports::<R>(subject, &[Verb::Create, Verb::Delete]) {
        return;
    }
    let ids: Vec<String> = (0..4).map(|n| format!("racing-{n}")).collect();
    // A note whose category is deleted can be restored without it.
    let restores = supports::<R>(subject, &[Verb::Restore]) && R::KIND != RecordKind::Note;
    let add = async |id: &String| {
        if restores && id == "racing-0" {
            restore::<R>(subject, &ada(), id).await
        } else {
            create::<R>(subject, &ada(), id, new::<R>(container, body)).await
        }
    };
    for deletion_is_first in [false, true] {
        expect_done(create::<R>(subject, &ada(), "racing-0", new::<R>(container, body)).await);
        expect_done(delete::<R>(subject, &ada(), "racing-0").await);
        let additions = join_all(ids.iter().map(&add));
        let bob = bob();
        let deletion = delete::<C>(subject, &bob, C::VISIBLE);
        let (added, deleted) = if deletion_is_first {
            let (deleted, added) = join(deletion, additions).await;
            (added, deleted)
        } else {
            join(additions, deletion).await
        };
        let is_added = Written::is_change;
        match deleted {
            Written::Deleted(_) => return assert!(!added.iter().any(is_added), "{added:?}"),
            Written::NotEmpty => assert!(added.iter().any(is_added), "{added:?}"),
            other => panic!("{other:?}"),
        }
        for (id, _) in ids.iter().zip(&added).filter(|(_, outcome)| is_added(outcome)) {
            expect_done(delete::<R>(subject, &ada(), id).await);
        }
    }
}
