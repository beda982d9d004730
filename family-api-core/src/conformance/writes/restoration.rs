//! Restoring deleted records.

use futures_util::future::join_all;
use jiff::SignedDuration;
use serde_json::json;

use crate::conformance::Subject;
use crate::conformance::fixture::calls::{create, delete, new, record_write, restore, update, write_as};
use crate::conformance::fixture::{MemberView, ada, bob, eve, expect_done, id, now};
use crate::conformance::writes::kinds::{TestRecord, for_each_kind, new_body, seed, supports};
use crate::resource::{Column, Note, NoteCategory, ShoppingItem, ShoppingList, Task, Verb};
use crate::storage::{Member, Operation, RecordWrite, Update};
use crate::timestamp::Timestamp;

const DELETE_AND_RESTORE: [Verb; 2] = [Verb::Delete, Verb::Restore];

pub(in crate::conformance) async fn a_restored_record_equals_the_deleted_record(subject: &dyn Subject) {
    seed(subject).await;
    let before = MemberView::documents_of_all_members(subject).await;
    for_each_kind!(subject, DELETE_AND_RESTORE, returns_unchanged);
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

/// Restores a week later: the time of the restoration changes no field.
async fn returns_unchanged<R: TestRecord>(subject: &dyn Subject) {
    let deleted = expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    let later = now().saturating_add(SignedDuration::from_hours(7 * 24));
    assert_eq!(expect_done(restore_at::<R>(subject, bob(), later).await), deleted);
    assert_eq!(R::find(subject, ada(), R::VISIBLE).await, Some(deleted));
}

async fn restore_at<R: TestRecord>(subject: &dyn Subject, member: Member, now: Timestamp) -> Update<R> {
    let write = RecordWrite { now, ..record_write::<R>(Operation::Restore { id: id(R::VISIBLE) }) };
    write_as(subject, &member.into(), &write).await
}

pub(in crate::conformance) async fn a_deleted_record_can_be_restored_for_30_days(subject: &dyn Subject) {
    seed(subject).await;
    for_each_kind!(subject, DELETE_AND_RESTORE, expires);
}

/// No purge deletes the record: the restoration itself checks the time.
async fn expires<R: TestRecord>(subject: &dyn Subject) {
    let deleted = expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    let end = now().saturating_add(SignedDuration::from_hours(30 * 24));
    assert_eq!(restore_at::<R>(subject, ada(), end).await, Update::NotFound, "{}", R::VISIBLE);
    assert_eq!(R::find(subject, ada(), R::VISIBLE).await, None);
    let before = end.saturating_add(SignedDuration::from_millis(-1));
    assert_eq!(expect_done(restore_at::<R>(subject, ada(), before).await), deleted);
}

pub(in crate::conformance) async fn a_record_that_is_not_deleted_is_restored_unchanged(subject: &dyn Subject) {
    seed(subject).await;
    let before = MemberView::documents_of_all_members(subject).await;
    for_each_kind!(subject, [Verb::Restore], is_returned);
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

async fn is_returned<R: TestRecord>(subject: &dyn Subject) {
    let stored = R::find(subject, ada(), R::VISIBLE).await.unwrap();
    assert_eq!(restore::<R>(subject, &ada(), R::VISIBLE).await, Update::Existing(stored));
}

/// A host can store a record with the id of a deleted one. Here, a creation does it.
pub(in crate::conformance) async fn a_restoration_replaces_no_record(subject: &dyn Subject) {
    seed(subject).await;
    for_each_kind!(subject, [Verb::Create, Verb::Delete, Verb::Restore], keeps_the_newer_record);
    if supports::<Task>(subject, &[Verb::Create, Verb::Delete, Verb::Restore]) {
        expect_done(delete::<Task>(subject, &ada(), "done").await);
        let private = json!({ "title": "T", "columnId": "todo", "isPrivate": true });
        expect_done(create::<Task>(subject, &bob(), "done", new::<Task>(None, &private)).await);
        let before = MemberView::documents_of_all_members(subject).await;
        assert_eq!(restore::<Task>(subject, &ada(), "done").await, Update::NotFound);
        assert_eq!(MemberView::documents_of_all_members(subject).await, before);
    }
}

async fn keeps_the_newer_record<R: TestRecord>(subject: &dyn Subject) {
    expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    let fields = new::<R>(R::CONTAINER, &new_body::<R>(subject));
    let newer = expect_done(create::<R>(subject, &bob(), R::VISIBLE, fields).await);
    let before = MemberView::documents_of_all_members(subject).await;
    assert_eq!(restore::<R>(subject, &ada(), R::VISIBLE).await, Update::Existing(newer));
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

pub(in crate::conformance) async fn a_member_restores_only_records_that_they_could_see(subject: &dyn Subject) {
    seed(subject).await;
    for_each_kind!(subject, DELETE_AND_RESTORE, hides_deleted_records);
    if supports::<Task>(subject, &DELETE_AND_RESTORE) {
        expect_done(delete::<Task>(subject, &bob(), "bob-only").await);
        assert_eq!(restore::<Task>(subject, &ada(), "bob-only").await, Update::NotFound);
        expect_done(restore::<Task>(subject, &bob(), "bob-only").await);
    }
    if supports::<ShoppingItem>(subject, &DELETE_AND_RESTORE) {
        expect_done(delete::<ShoppingItem>(subject, &bob(), "gift").await);
        assert_eq!(restore::<ShoppingItem>(subject, &ada(), "gift").await, Update::NotFound);
        expect_done(restore::<ShoppingItem>(subject, &bob(), "gift").await);
    }
}

async fn hides_deleted_records<R: TestRecord>(subject: &dyn Subject) {
    for record in R::INVISIBLE {
        assert_eq!(restore::<R>(subject, &ada(), record).await, Update::NotFound, "{record}");
    }
    expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    assert_eq!(restore::<R>(subject, &eve(), R::VISIBLE).await, Update::NotFound);
    assert_eq!(R::find(subject, ada(), R::VISIBLE).await, None);
    expect_done(restore::<R>(subject, &ada(), R::VISIBLE).await);
}

pub(in crate::conformance) async fn concurrent_restorations_restore_a_record_once(subject: &dyn Subject) {
    seed(subject).await;
    for_each_kind!(subject, DELETE_AND_RESTORE, is_restored_once);
}

async fn is_restored_once<R: TestRecord>(subject: &dyn Subject) {
    let deleted = expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    let ada = ada();
    for outcome in join_all((0..8).map(|_| restore::<R>(subject, &ada, R::VISIBLE))).await {
        assert_eq!(expect_done(outcome), deleted);
    }
    let found = R::list(&MemberView::of(ada, subject)).await;
    assert_eq!(found.iter().filter(|record| **record == deleted).count(), 1);
}

pub(in crate::conformance) async fn a_record_is_not_restored_into_a_deleted_container(subject: &dyn Subject) {
    seed(subject).await;
    if supports::<Task>(subject, &DELETE_AND_RESTORE) && supports::<Column>(subject, &[Verb::Delete]) {
        expect_done(update::<Task>(subject, &ada(), "open", &json!({ "columnId": "doing" })).await);
        expect_done(delete::<Task>(subject, &ada(), "open").await);
        expect_done(delete::<Column>(subject, &ada(), "doing").await);
        assert_eq!(restore::<Task>(subject, &ada(), "open").await, Update::NotFound);
    }
    let moves = [Verb::Update, Verb::Delete, Verb::Restore];
    if supports::<ShoppingItem>(subject, &moves) && supports::<ShoppingList>(subject, &[Verb::Delete]) {
        expect_done(update::<ShoppingItem>(subject, &ada(), "milk", &json!({ "listId": "spare-list" })).await);
        expect_done(delete::<ShoppingItem>(subject, &ada(), "milk").await);
        expect_done(delete::<ShoppingList>(subject, &ada(), "spare-list").await);
        assert_eq!(restore::<ShoppingItem>(subject, &ada(), "milk").await, Update::NotFound);
    }
}

pub(in crate::conformance) async fn a_restored_note_loses_a_deleted_category(subject: &dyn Subject) {
    seed(subject).await;
    if !supports::<Note>(subject, &DELETE_AND_RESTORE) || !supports::<NoteCategory>(subject, &[Verb::Delete]) {
        return;
    }
    let deleted = expect_done(delete::<Note>(subject, &ada(), "recipe").await);
    expect_done(delete::<NoteCategory>(subject, &ada(), "food").await);
    let expected = Note { category_id: None, category: None, ..deleted };
    assert_eq!(expect_done(restore::<Note>(subject, &ada(), "recipe").await), expected);
    assert_eq!(MemberView::of(bob(), subject).note("recipe").await, expected);
}
