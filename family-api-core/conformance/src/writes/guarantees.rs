//! Writes that the storage refuses or does not support change nothing.

use family_api_core::resource::{Revision, ShoppingItem, Verb};
use family_api_core::storage::{Operation, Written};
use serde_json::json;

use crate::Subject;
use crate::fixture::calls::{delete, new_update, record_write, restore, update};
use crate::fixture::{Documents, ada, assert_outcome, assert_same, expect_done, id, now};
use crate::writes::kinds::{TestRecord, container, for_each_kind, new_record, supports, update_body};

/// Returns the revision of the family `north`.
pub(super) async fn revision(subject: &dyn Subject) -> Option<Revision> {
    subject.storage().find_account(&id("bob")).await.unwrap().unwrap().membership.unwrap().revision
}

pub(crate) async fn refused_writes_of_records_keep_the_revision(subject: &dyn Subject) {
    let before = revision(subject).await;
    for_each_kind!(subject, [], refuses_writes);
    assert_eq!(revision(subject).await, before);
}

pub(crate) async fn refuses_writes<R: TestRecord>(subject: &dyn Subject) {
    if supports::<R>(subject, &[Verb::Update]) {
        expect_done(update::<R>(subject, &ada(), R::VISIBLE, json!({})).await);
    }
    for record in R::INVISIBLE {
        if supports::<R>(subject, &[Verb::Update]) {
            let updated = update::<R>(subject, &ada(), record, update_body::<R>(subject)).await;
            assert_outcome(&updated, &Written::NotFound);
        }
        if supports::<R>(subject, &[Verb::Delete]) {
            assert_outcome(&delete::<R>(subject, &ada(), record).await, &Written::NotFound);
        }
        if supports::<R>(subject, &[Verb::Restore]) {
            assert_outcome(&restore::<R>(subject, &ada(), record).await, &Written::NotFound);
        }
    }
}

pub(crate) async fn operations_outside_the_capabilities_fail(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for_each_kind!(subject, [], fails_without_the_capability);
    if !supports::<ShoppingItem>(subject, &[Verb::Delete]) {
        let list = id(container::<ShoppingItem>(subject).unwrap());
        let deleted = subject.storage().delete_checked_items(&ada().into(), &list, now()).await;
        assert!(!matches!(deleted, Ok(Written::Deleted(_))), "{deleted:?}");
    }
    assert_same(&Documents::of_all_members(subject).await, &before);
}

async fn fails_without_the_capability<R: TestRecord>(subject: &dyn Subject) {
    for operation in [
        Operation::<R>::create(id("created"), new_record::<R>(subject)),
        Operation::update(id(R::VISIBLE), new_update::<R>(&update_body::<R>(subject))),
        Operation::delete(id(R::VISIBLE)),
        Operation::Restore { id: id(R::VISIBLE) },
    ] {
        let verb = operation.verb();
        if !supports::<R>(subject, &[verb]) {
            let written = R::write(subject.storage(), &ada().into(), &record_write(operation)).await;
            assert!(!written.as_ref().is_ok_and(Written::is_change), "{} {}", R::KIND.as_str(), verb.as_str());
        }
    }
}
