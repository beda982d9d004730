//! Boards, columns, lists and categories can be deleted only if nothing is in them.

use crate::conformance::Subject;
use crate::conformance::fixture::calls::delete;
use crate::conformance::fixture::{MemberView, ada, bob, expect_done};
use crate::conformance::writes::kinds::{TestRecord, seed, supports};
use crate::resource::{Board, Column, NoteCategory, ShoppingItem, ShoppingList, Task, Verb};
use crate::storage::Update;

pub(in crate::conformance) async fn a_container_with_records_cannot_be_deleted(subject: &dyn Subject) {
    seed(subject).await;
    let before = MemberView::documents_of_all_members(subject).await;
    // `adas-list` has an item that ada does not see, and `home` has only a subcategory.
    refuses::<Board>(subject, &["shared", "adas"]).await;
    refuses::<Column>(subject, &["todo", "ada-col"]).await;
    refuses::<ShoppingList>(subject, &["groceries", "adas-list"]).await;
    refuses::<NoteCategory>(subject, &["food", "home"]).await;
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

async fn refuses<R: TestRecord>(subject: &dyn Subject, containers: &[&str]) {
    for container in containers.iter().filter(|_| supports::<R>(subject, &[Verb::Delete])) {
        assert_eq!(delete::<R>(subject, &ada(), container).await, Update::NotEmpty, "{container}");
    }
}

pub(in crate::conformance) async fn a_record_that_the_caller_does_not_see_counts(subject: &dyn Subject) {
    seed(subject).await;
    if supports::<Task>(subject, &[Verb::Delete]) && supports::<Column>(subject, &[Verb::Delete]) {
        for task in ["ada-plan", "bob-on-adas"] {
            let deleted = delete::<Task>(subject, &ada(), task).await;
            assert!(matches!(deleted, Update::Done(_)), "{task}: {deleted:?}");
        }
        // Only `bob-only-on-adas` is left.
        assert_eq!(delete::<Column>(subject, &ada(), "ada-col").await, Update::NotEmpty);
    }
    if supports::<ShoppingItem>(subject, &[Verb::Delete]) && supports::<ShoppingList>(subject, &[Verb::Delete]) {
        expect_done(delete::<ShoppingItem>(subject, &ada(), "sock").await);
        // Only `lost`, a private item of bob, is left.
        assert_eq!(delete::<ShoppingList>(subject, &ada(), "adas-list").await, Update::NotEmpty);
    }
}

pub(in crate::conformance) async fn deleted_records_do_not_count(subject: &dyn Subject) {
    seed(subject).await;
    if supports::<Task>(subject, &[Verb::Delete]) && supports::<Column>(subject, &[Verb::Delete]) {
        expect_done(delete::<Task>(subject, &bob(), "bob-plan").await);
        expect_done(delete::<Column>(subject, &bob(), "bob-col").await);
    }
    if supports::<ShoppingItem>(subject, &[Verb::Delete]) && supports::<ShoppingList>(subject, &[Verb::Delete]) {
        expect_done(delete::<ShoppingItem>(subject, &bob(), "bob-item").await);
        expect_done(delete::<ShoppingList>(subject, &bob(), "bobs-list").await);
    }
}
