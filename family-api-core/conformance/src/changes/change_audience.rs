//! A member learns only of records that they see, or have seen.

use family_api_core::resource::{Board, Column, ShoppingItem, ShoppingList, Task, Verb};
use family_api_core::storage::{Member, Operation};
use serde_json::{Value, json};

use crate::Subject;
use crate::changes::{Follower, Learned, changed, current_revision, deleted, nothing};
use crate::fixture::calls::{create, delete, new, new_update, restore, run, update};
use crate::fixture::{ada, assert_same, bob, eve, expect_done, id, move_task};
use crate::writes::kinds::{TestRecord, for_first_kind, new_record, rename};

/// Ada's followers: herself, and bob, who learns nothing.
struct Private<'a> {
    subject: &'a dyn Subject,
    ada: Follower<'a>,
    bob: Follower<'a>,
}

impl Private<'_> {
    async fn create<R: TestRecord>(&mut self, name: &str, container: Option<&str>, body: Value) {
        expect_done(create::<R>(self.subject, &ada(), name, new::<R>(container, &body)).await);
        assert_same(&self.ada.learn().await, &changed::<R>(&[name]));
        assert_same(&self.bob.learn().await, &nothing());
    }

    async fn change<R: TestRecord>(&mut self, name: &str) {
        expect_done(update::<R>(self.subject, &ada(), name, rename::<R>("Changed")).await);
        assert_same(&self.ada.learn().await, &changed::<R>(&[name]));
        assert_same(&self.bob.learn().await, &nothing());
    }

    async fn delete<R: TestRecord>(&mut self, name: &str) {
        expect_done(delete::<R>(self.subject, &ada(), name).await);
        assert_same(&self.ada.learn().await, &deleted::<R>(&[name]));
        assert_same(&self.bob.learn().await, &nothing());
    }

    async fn restore<R: TestRecord>(&mut self, name: &str) {
        expect_done(restore::<R>(self.subject, &ada(), name).await);
        assert_same(&self.ada.learn().await, &changed::<R>(&[name]));
        assert_same(&self.bob.learn().await, &nothing());
    }
}

pub(crate) async fn changes_of_private_records_are_not_listed_for_others(subject: &dyn Subject) {
    let followers = async || Private {
        subject,
        ada: Follower::new(subject, ada()).await,
        bob: Follower::new(subject, bob()).await,
    };
    let mut first = followers().await;
    let mut private = followers().await;
    private.create::<Task>("new-task", None, json!({ "title": "t", "columnId": "todo", "isPrivate": true })).await;
    private.create::<ShoppingItem>("new-item", Some("adas-list"), json!({ "name": "i" })).await;
    private.create::<Board>("new-board", None, json!({ "name": "b", "isPrivate": true })).await;
    private.create::<Column>("new-column", Some("new-board"), json!({ "name": "c" })).await;
    private.create::<ShoppingList>("new-list", None, json!({ "name": "l", "isPrivate": true })).await;
    for task in ["ada-only", "ada-plan", "new-task"] {
        private.change::<Task>(task).await;
        private.delete::<Task>(task).await;
        private.restore::<Task>(task).await;
    }
    for item in ["surprise", "sock", "new-item"] {
        private.change::<ShoppingItem>(item).await;
        private.delete::<ShoppingItem>(item).await;
        private.restore::<ShoppingItem>(item).await;
    }
    private.change::<Board>("adas").await;
    private.change::<Column>("ada-col").await;
    private.change::<ShoppingList>("adas-list").await;
    private.delete::<Column>("new-column").await;
    private.delete::<Board>("new-board").await;
    private.delete::<ShoppingList>("new-list").await;
    assert_same(&first.bob.learn().await, &nothing());
    assert!(first.ada.learn().await != nothing());
}

/// Asserts what ada and bob learn of the last write.
async fn assert_learned<R: TestRecord>([ada, bob]: &mut [Follower<'_>; 2], name: &str, is_seen_by_bob: bool) {
    assert_same(&ada.learn().await, &changed::<R>(&[name]));
    let expected = if is_seen_by_bob { changed::<R>(&[name]) } else { deleted::<R>(&[name]) };
    assert_same(&bob.learn().await, &expected);
}

pub(crate) async fn a_task_that_a_member_sees_no_more_is_deleted_for_them(subject: &dyn Subject) {
    let mut followers = [Follower::new(subject, ada()).await, Follower::new(subject, bob()).await];
    for (column, is_seen_by_bob) in [("ada-col", false), ("doing", true)] {
        expect_done(move_task(subject, &ada(), "open", column, 7).await);
        assert_learned::<Task>(&mut followers, "open", is_seen_by_bob).await;
    }
    for is_private in [true, false] {
        expect_done(update::<Task>(subject, &ada(), "open", json!({ "isPrivate": is_private })).await);
        assert_learned::<Task>(&mut followers, "open", !is_private).await;
    }
}

pub(crate) async fn an_item_that_a_member_sees_no_more_is_deleted_for_them(subject: &dyn Subject) {
    let mut followers = [Follower::new(subject, ada()).await, Follower::new(subject, bob()).await];
    for (list, is_seen_by_bob) in [("adas-list", false), ("groceries", true)] {
        expect_done(update::<ShoppingItem>(subject, &ada(), "milk", json!({ "listId": list })).await);
        assert_learned::<ShoppingItem>(&mut followers, "milk", is_seen_by_bob).await;
    }
}

pub(crate) async fn several_changes_of_a_record_are_one_for_each_member(subject: &dyn Subject) {
    let set_private = async |is_private: bool| {
        expect_done(update::<Task>(subject, &ada(), "open", json!({ "isPrivate": is_private })).await);
    };
    let mut bob_before = [Follower::new(subject, bob()).await, Follower::new(subject, bob()).await];
    let mut ada_before = Follower::new(subject, ada()).await;
    set_private(true).await;
    let mut bob_without = Follower::new(subject, bob()).await;
    expect_done(update::<Task>(subject, &ada(), "open", rename::<Task>("Changed")).await);
    assert_same(&bob_before[0].learn().await, &deleted::<Task>(&["open"]));
    assert_same(&bob_without.learn().await, &nothing());
    set_private(false).await;
    assert_same(&bob_before[1].learn().await, &changed::<Task>(&["open"]));
    assert_same(&bob_without.learn().await, &changed::<Task>(&["open"]));
    assert_same(&ada_before.learn().await, &changed::<Task>(&["open"]));
}

/// A member can have read a record after the revision from which they follow the changes.
pub(crate) async fn a_record_that_was_created_and_deleted_is_deleted(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Create, Verb::Delete], names_a_short_life);
}

async fn names_a_short_life<R: TestRecord>(subject: &dyn Subject) {
    let mut before = Follower::new(subject, bob()).await;
    expect_done(create::<R>(subject, &ada(), "created", new_record::<R>(subject)).await);
    let mut between = Follower::new(subject, bob()).await;
    expect_done(delete::<R>(subject, &ada(), "created").await);
    assert_same(&before.learn().await, &deleted::<R>(&["created"]));
    assert_same(&between.learn().await, &deleted::<R>(&["created"]));
}

/// So can a private record that others saw only for a while.
pub(crate) async fn a_task_that_was_visible_for_a_while_is_deleted(subject: &dyn Subject) {
    let set_private = async |is_private: bool| {
        expect_done(update::<Task>(subject, &ada(), "open", json!({ "isPrivate": is_private })).await);
    };
    set_private(true).await;
    let mut bob = Follower::new(subject, bob()).await;
    set_private(false).await;
    set_private(true).await;
    assert_same(&bob.learn().await, &deleted::<Task>(&["open"]));
}

/// The first batch has the restored record, which is newer than the deletion to which the batch goes.
pub(crate) async fn a_record_that_a_batch_has_too_early_is_deleted_later(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Delete, Verb::Restore], deletes_what_was_restored);
}

async fn deletes_what_was_restored<R: TestRecord>(subject: &dyn Subject) {
    let mut bob = Follower::new(subject, bob()).await;
    expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    expect_done(restore::<R>(subject, &ada(), R::VISIBLE).await);
    assert_same(&Learned::from(&bob.follow(1).await), &changed::<R>(&[R::VISIBLE]));
    expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    assert_same(&bob.learn().await, &deleted::<R>(&[R::VISIBLE]));
}

pub(crate) async fn a_user_who_left_the_family_lists_no_changes(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Update], lists_no_changes_for_others);
}

async fn lists_no_changes_for_others<R: TestRecord>(subject: &dyn Subject) {
    let before = current_revision(subject, &bob()).await;
    expect_done(update::<R>(subject, &ada(), R::VISIBLE, rename::<R>("Changed")).await);
    for since in [before, current_revision(subject, &bob()).await] {
        for user in ["cid", "dee", "gone", "eve"] {
            let member = Member { user: id(user), family: id("north") };
            let follower = Follower { subject, member, since };
            assert!(follower.is_expired().await, "{user} lists the changes of another family");
        }
    }
}

pub(crate) async fn changes_of_another_family_are_not_listed(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Update], lists_only_changes_of_the_family);
}

async fn lists_only_changes_of_the_family<R: TestRecord>(subject: &dyn Subject) {
    let mut followers = [Follower::new(subject, ada()).await, Follower::new(subject, eve()).await];
    let south = *R::INVISIBLE.iter().find(|name| name.starts_with("south-")).unwrap();
    let change = new_update::<R>(&rename::<R>("Changed"));
    expect_done(run(subject, &eve(), Operation::<R>::update(id(south), change)).await);
    assert_same(&followers[0].learn().await, &nothing());
    assert_same(&followers[1].learn().await, &changed::<R>(&[south]));
}
