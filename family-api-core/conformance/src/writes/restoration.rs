//! Restoring deleted records.

use family_api_core::Timestamp;
use family_api_core::jiff::SignedDuration;
use family_api_core::resource::{
    Column, Event, Note, NoteCategory, RecordKind, ShoppingItem, ShoppingList, Task, Verb,
};
use family_api_core::storage::{Member, Operation, Record, RecordWrite, RestorableEntry, RestorableQuery, Written};
use futures_util::future::join_all;
use serde_json::json;

use crate::Subject;
use crate::fixture::calls::{create, delete, new, record_write, restore, update, write_as};
use crate::fixture::{
    Call, Documents, MemberView, ada, assert_outcome, assert_same, bob, eve, existing, expect_done, id, note, now, seed,
};
use crate::writes::kinds::{TestRecord, for_each_kind, new_record, raised, supports};

const DELETE_AND_RESTORE: [Verb; 2] = [Verb::Delete, Verb::Restore];

pub(crate) async fn a_restored_record_equals_the_deleted_record(subject: &dyn Subject) {
    for_each_kind!(subject, DELETE_AND_RESTORE, returns_unchanged);
}

/// Restores a week later: the time of the restoration changes no field. Only the `sequence` changes.
async fn returns_unchanged<R: TestRecord>(subject: &dyn Subject) {
    let mut expected = lists::<R>(subject).await;
    let deleted = expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    let later = now().saturating_add(SignedDuration::from_hours(7 * 24));
    let restored = raised(subject, &deleted);
    assert_same(&expect_done(restore_at::<R>(subject, bob(), later).await), &restored);
    assert_same(&R::find(subject, ada(), R::VISIBLE).await.as_ref(), &Some(&restored));
    for record in expected.iter_mut().flatten().filter(|record| **record == deleted) {
        *record = restored.clone();
    }
    assert_same(&lists::<R>(subject).await, &expected);
}

/// Returns the records that each member lists.
async fn lists<R: TestRecord>(subject: &dyn Subject) -> Vec<Vec<R>> {
    join_all([ada(), bob(), eve()].map(async |member| R::list(&MemberView::of(member, subject)).await)).await
}

async fn restore_at<R: TestRecord>(subject: &dyn Subject, member: Member, now: Timestamp) -> Written<R> {
    let write = RecordWrite { now, ..record_write::<R>(Operation::Restore { id: id(R::VISIBLE) }) };
    write_as(subject, &member.into(), &write).await
}

pub(crate) async fn a_deleted_record_can_be_restored_for_30_days(subject: &dyn Subject) {
    for_each_kind!(subject, DELETE_AND_RESTORE, expires);
}

/// No purge deletes the record: the restoration itself checks the time.
async fn expires<R: TestRecord>(subject: &dyn Subject) {
    let deleted = expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    let end = now().saturating_add(SignedDuration::from_hours(30 * 24));
    assert_outcome(&restore_at::<R>(subject, ada(), end).await, &Written::NotFound);
    assert_same(&R::find(subject, ada(), R::VISIBLE).await, &None);
    let before = end.saturating_add(SignedDuration::from_millis(-1));
    assert_same(&expect_done(restore_at::<R>(subject, ada(), before).await), &raised(subject, &deleted));
}

pub(crate) async fn a_record_that_is_not_deleted_is_restored_unchanged(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for_each_kind!(subject, [Verb::Restore], is_returned);
    assert_same(&Documents::of_all_members(subject).await, &before);
}

async fn is_returned<R: TestRecord>(subject: &dyn Subject) {
    let stored = R::find(subject, ada(), R::VISIBLE).await.unwrap();
    assert_outcome(&restore::<R>(subject, &ada(), R::VISIBLE).await, &Written::Existing(stored));
}

/// A host can store a record with the id of a deleted one. Here, a creation does it.
pub(crate) async fn a_restoration_replaces_no_record(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Create, Verb::Delete, Verb::Restore], keeps_the_newer_record);
    let keeps_private = subject.storage().capabilities().keeps_field(RecordKind::Task, "isPrivate");
    if keeps_private && supports::<Task>(subject, &[Verb::Create, Verb::Delete, Verb::Restore]) {
        expect_done(delete::<Task>(subject, &ada(), "done").await);
        let private = json!({ "title": "T", "isPrivate": true });
        expect_done(create::<Task>(subject, &bob(), "done", new::<Task>(None, &private)).await);
        let before = Documents::of_all_members(subject).await;
        assert_outcome(&restore::<Task>(subject, &ada(), "done").await, &Written::NotFound);
        assert_same(&Documents::of_all_members(subject).await, &before);
    }
}

async fn keeps_the_newer_record<R: TestRecord>(subject: &dyn Subject) {
    expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    let fields = new_record::<R>(subject);
    let newer = expect_done(create::<R>(subject, &bob(), R::VISIBLE, fields).await);
    let before = Documents::of_all_members(subject).await;
    assert_outcome(&restore::<R>(subject, &ada(), R::VISIBLE).await, &Written::Existing(newer));
    assert_same(&Documents::of_all_members(subject).await, &before);
}

/// In some databases, each table has its own numbers as ids.
pub(crate) async fn a_restoration_keeps_the_deleted_record_of_another_kind_with_this_id(subject: &dyn Subject) {
    seed(subject, vec![Record::Note(note("open", "north"))]).await;
    let deleted_task = expect_done(delete::<Task>(subject, &ada(), "open").await);
    let deleted_note = expect_done(delete::<Note>(subject, &ada(), "open").await);
    let restored_task = raised(subject, &deleted_task);
    assert_outcome(&restore::<Task>(subject, &ada(), "open").await, &Written::Restored(restored_task));
    assert_outcome(&restore::<Note>(subject, &ada(), "open").await, &Written::Restored(deleted_note));
}

pub(crate) async fn a_member_restores_only_records_that_they_could_see(subject: &dyn Subject) {
    for_each_kind!(subject, DELETE_AND_RESTORE, hides_deleted_records);
    if supports::<Task>(subject, &DELETE_AND_RESTORE) && !existing(subject, &["bob-only"]).is_empty() {
        expect_done(delete::<Task>(subject, &bob(), "bob-only").await);
        assert_outcome(&restore::<Task>(subject, &ada(), "bob-only").await, &Written::NotFound);
        expect_done(restore::<Task>(subject, &bob(), "bob-only").await);
    }
    if supports::<ShoppingItem>(subject, &DELETE_AND_RESTORE) && !existing(subject, &["gift"]).is_empty() {
        expect_done(delete::<ShoppingItem>(subject, &bob(), "gift").await);
        assert_outcome(&restore::<ShoppingItem>(subject, &ada(), "gift").await, &Written::NotFound);
        expect_done(restore::<ShoppingItem>(subject, &bob(), "gift").await);
    }
}

async fn hides_deleted_records<R: TestRecord>(subject: &dyn Subject) {
    for record in R::INVISIBLE {
        assert_outcome(&restore::<R>(subject, &ada(), record).await, &Written::NotFound);
    }
    expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    assert_outcome(&restore::<R>(subject, &eve(), R::VISIBLE).await, &Written::NotFound);
    assert_same(&R::find(subject, ada(), R::VISIBLE).await, &None);
    expect_done(restore::<R>(subject, &ada(), R::VISIBLE).await);
}

pub(crate) async fn concurrent_restorations_restore_a_record_once(subject: &dyn Subject) {
    for_each_kind!(subject, DELETE_AND_RESTORE, is_restored_once);
}

async fn is_restored_once<R: TestRecord>(subject: &dyn Subject) {
    let deleted = expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    let ada = ada();
    let outcomes = join_all((0..8).map(|_| restore::<R>(subject, &ada, R::VISIBLE))).await;
    let record = raised(subject, &deleted);
    let restored = outcomes.iter().filter(|outcome| **outcome == Written::Restored(record.clone())).count();
    let existing = outcomes.iter().filter(|outcome| **outcome == Written::Existing(record.clone())).count();
    assert_same(&(restored, existing), &(1, 7));
    let found = R::list(&MemberView::of(ada, subject)).await;
    assert_same(&found.iter().filter(|other| **other == record).count(), &1);
}

pub(crate) async fn a_record_is_not_restored_into_a_deleted_container(subject: &dyn Subject) {
    let moves_tasks = [Verb::Update, Verb::Delete, Verb::Restore];
    if supports::<Task>(subject, &moves_tasks) && supports::<Column>(subject, &[Verb::Delete]) {
        expect_done(update::<Task>(subject, &ada(), "open", &json!({ "columnId": "doing" })).await);
        expect_done(delete::<Task>(subject, &ada(), "open").await);
        expect_done(delete::<Column>(subject, &ada(), "doing").await);
        assert_outcome(&restore::<Task>(subject, &ada(), "open").await, &Written::NotFound);
    }
    let moves = [Verb::Update, Verb::Delete, Verb::Restore];
    if supports::<ShoppingItem>(subject, &moves) && supports::<ShoppingList>(subject, &[Verb::Delete]) {
        expect_done(update::<ShoppingItem>(subject, &ada(), "milk", &json!({ "listId": "spare-list" })).await);
        expect_done(delete::<ShoppingItem>(subject, &ada(), "milk").await);
        expect_done(delete::<ShoppingList>(subject, &ada(), "spare-list").await);
        assert_outcome(&restore::<ShoppingItem>(subject, &ada(), "milk").await, &Written::NotFound);
    }
}

pub(crate) async fn a_restored_note_loses_a_deleted_category(subject: &dyn Subject) {
    let deleted = expect_done(delete::<Note>(subject, &ada(), "recipe").await);
    expect_done(delete::<NoteCategory>(subject, &ada(), "food").await);
    let expected = Note { category_id: None, category: None, ..deleted };
    assert_same(&expect_done(restore::<Note>(subject, &ada(), "recipe").await), &expected);
    assert_same(&MemberView::of(bob(), subject).note("recipe").await, &expected);
}

fn everything() -> RestorableQuery {
    RestorableQuery { kind: None, since: Timestamp::MIN, after: None, limit: 100 }
}

#[track_caller]
fn list_restorable(
    subject: &dyn Subject,
    member: &Member,
    query: &RestorableQuery,
) -> impl Future<Output = Vec<RestorableEntry>> {
    let call = Call::new("list_restorable", &member.user);
    async move { call.result(subject.storage().list_restorable(member, query).await) }
}

/// Returns the ids of the deleted records that the member can restore, with their kinds.
async fn restorable_ids(subject: &dyn Subject, member: &Member) -> Vec<String> {
    let entries = list_restorable(subject, member, &everything()).await;
    entries.into_iter().map(|entry| entry.position().record).collect()
}

/// Deletes a record one minute later than the previous one.
async fn delete_later<R: TestRecord>(subject: &dyn Subject, minutes: &mut i64) -> Option<RecordKind> {
    if !supports::<R>(subject, &DELETE_AND_RESTORE) {
        return None;
    }
    *minutes += 1;
    let now = now().saturating_add(SignedDuration::from_mins(*minutes));
    let write = RecordWrite { now, ..record_write::<R>(Operation::delete(id(R::VISIBLE))) };
    expect_done(write_as(subject, &ada().into(), &write).await);
    Some(R::KIND)
}

pub(crate) async fn restorable_records_are_listed_in_pages_newest_first(subject: &dyn Subject) {
    assert_eq!(list_restorable(subject, &ada(), &everything()).await, []);
    let mut minutes = 0;
    let kinds = [
        delete_later::<Task>(subject, &mut minutes).await,
        delete_later::<Note>(subject, &mut minutes).await,
        delete_later::<Event>(subject, &mut minutes).await,
        delete_later::<ShoppingItem>(subject, &mut minutes).await,
    ];
    let kinds: Vec<RecordKind> = kinds.into_iter().flatten().rev().collect();
    let all = list_restorable(subject, &bob(), &everything()).await;
    assert_same(&all.iter().map(|entry| entry.kind).collect::<Vec<_>>(), &kinds);
    assert!(all.iter().all(|entry| !entry.title.is_empty()), "{all:?}");

    let mut pages = Vec::new();
    let mut query = RestorableQuery { limit: 1, ..everything() };
    while let Some(entry) = list_restorable(subject, &ada(), &query).await.pop() {
        query.after = Some(entry.position());
        pages.push(entry);
    }
    assert_eq!(pages, all);
    for entry in &all {
        let of_kind = RestorableQuery { kind: Some(entry.kind), ..everything() };
        assert_eq!(list_restorable(subject, &ada(), &of_kind).await, std::slice::from_ref(entry));
        let since = RestorableQuery { since: entry.deleted_at, ..everything() };
        let newer: Vec<_> = all.iter().filter(|other| other.deleted_at > entry.deleted_at).cloned().collect();
        assert_eq!(list_restorable(subject, &ada(), &since).await, newer);
    }
}

pub(crate) async fn a_restored_record_is_no_longer_listed(subject: &dyn Subject) {
    for_each_kind!(subject, DELETE_AND_RESTORE, is_listed_until_restored);
}

async fn is_listed_until_restored<R: TestRecord>(subject: &dyn Subject) {
    expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    let record = format!("{} {}", R::KIND.as_str(), R::VISIBLE);
    assert_same(&restorable_ids(subject, &bob()).await, &[record]);
    expect_done(restore::<R>(subject, &bob(), R::VISIBLE).await);
    assert!(restorable_ids(subject, &bob()).await.is_empty());
}

pub(crate) async fn a_member_lists_only_deleted_records_that_they_could_see(subject: &dyn Subject) {
    for_each_kind!(subject, DELETE_AND_RESTORE, is_not_listed_in_other_families);
    let mut hidden = Vec::new();
    if supports::<Task>(subject, &DELETE_AND_RESTORE) && !existing(subject, &["bob-only"]).is_empty() {
        expect_done(delete::<Task>(subject, &bob(), "bob-only").await);
        hidden.push("task bob-only".to_owned());
    }
    if supports::<ShoppingItem>(subject, &DELETE_AND_RESTORE) && !existing(subject, &["gift"]).is_empty() {
        expect_done(delete::<ShoppingItem>(subject, &bob(), "gift").await);
        hidden.push("shopping_item gift".to_owned());
    }
    assert!(restorable_ids(subject, &ada()).await.is_empty());
    assert_same(&restorable_ids(subject, &bob()).await, &hidden);
}

async fn is_not_listed_in_other_families<R: TestRecord>(subject: &dyn Subject) {
    expect_done(delete::<R>(subject, &ada(), R::VISIBLE).await);
    assert!(restorable_ids(subject, &eve()).await.is_empty());
    let left = Member { user: id("cid"), family: id("north") };
    assert_same(&restorable_ids(subject, &left).await, &Vec::<String>::new());
    expect_done(restore::<R>(subject, &ada(), R::VISIBLE).await);
}

pub(crate) async fn records_of_a_deleted_container_are_not_listed(subject: &dyn Subject) {
    let moves_tasks = [Verb::Update, Verb::Delete, Verb::Restore];
    if supports::<Task>(subject, &moves_tasks) && supports::<Column>(subject, &[Verb::Delete]) {
        expect_done(update::<Task>(subject, &ada(), "open", &json!({ "columnId": "doing" })).await);
        expect_done(delete::<Task>(subject, &ada(), "open").await);
        assert_same(&restorable_ids(subject, &ada()).await, &["task open"]);
        expect_done(delete::<Column>(subject, &ada(), "doing").await);
        assert!(restorable_ids(subject, &ada()).await.is_empty());
    }
    let moves = [Verb::Update, Verb::Delete, Verb::Restore];
    if supports::<ShoppingItem>(subject, &moves) && supports::<ShoppingList>(subject, &[Verb::Delete]) {
        expect_done(update::<ShoppingItem>(subject, &ada(), "milk", &json!({ "listId": "spare-list" })).await);
        expect_done(delete::<ShoppingItem>(subject, &ada(), "milk").await);
        assert_same(&restorable_ids(subject, &ada()).await, &["shopping_item milk"]);
        expect_done(delete::<ShoppingList>(subject, &ada(), "spare-list").await);
        assert!(restorable_ids(subject, &ada()).await.is_empty());
    }
}
