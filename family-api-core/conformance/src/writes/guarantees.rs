//! A write of any kind of record requires a credential that is still valid, and changes the revision.

use family_api_core::access::Refusal;
use family_api_core::key::KeyDigest;
use family_api_core::resource::{Revision, ShoppingItem, Verb};
use family_api_core::storage::{Author, Credential, KeyRecord, Operation, Record, Written};
use serde_json::json;

use crate::Subject;
use crate::fixture::calls::{create, delete, new, new_update, record_write, restore, update, write_as};
use crate::fixture::{MemberView, ada, bob, expect_done, id, key, now, seed_families_and};
use crate::writes::kinds::{TestRecord, for_each_kind, new_body, seed_containers, supports, update_body};

pub(crate) async fn no_record_is_written_with_a_revoked_key(subject: &dyn Subject) {
    let revoked = KeyRecord { revoked_at: Some(super::super::fixture::minute(1)), ..key("revoked", "ada") };
    seed_families_and(subject, vec![Record::Key(revoked)]).await;
    let before = MemberView::documents_of_all_members(subject).await;
    for_each_kind!(subject, [], refuses_a_revoked_key);
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

async fn refuses_a_revoked_key<R: TestRecord>(subject: &dyn Subject) {
    let author = Author { member: ada(), credential: Credential::Key(KeyDigest::of("revoked")) };
    let record: R::Id = id(R::VISIBLE);
    let operations = [
        Operation::<R>::create(id("created"), new::<R>(R::CONTAINER, &new_body::<R>(subject))),
        Operation::update(record.clone(), new_update::<R>(&json!({}))),
        Operation::delete(record.clone()),
        Operation::Restore { id: record },
    ];
    for operation in operations {
        let verb = operation.verb();
        if supports::<R>(subject, &[verb]) {
            let outcome = write_as(subject, &author, &record_write(operation)).await;
            assert_eq!(outcome, Written::Unauthorized(Refusal::Revoked), "{} {}", R::KIND.as_str(), verb.as_str());
        }
    }
}

async fn revision(subject: &dyn Subject) -> Option<Revision> {
    subject.storage().find_account(&id("bob")).await.unwrap().unwrap().membership.unwrap().revision
}

pub(crate) async fn each_write_of_any_record_changes_the_revision(subject: &dyn Subject) {
    seed_containers(subject).await;
    for_each_kind!(subject, [Verb::Create, Verb::Update, Verb::Delete], changes_the_revision);
}

async fn changes_the_revision<R: TestRecord>(subject: &dyn Subject) {
    let mut revisions = vec![revision(subject).await];
    expect_done(create::<R>(subject, &ada(), "created", new::<R>(R::CONTAINER, &new_body::<R>(subject))).await);
    revisions.push(revision(subject).await);
    expect_done(update::<R>(subject, &ada(), "created", &update_body::<R>(subject)).await);
    revisions.push(revision(subject).await);
    expect_done(delete::<R>(subject, &bob(), "created").await);
    revisions.push(revision(subject).await);
    if supports::<R>(subject, &[Verb::Restore]) {
        expect_done(restore::<R>(subject, &ada(), "created").await);
        revisions.push(revision(subject).await);
    }
    let count = revisions.len();
    revisions.sort_unstable_by_key(|revision| revision.map(Revision::get));
    revisions.dedup();
    assert!(revisions == [None] || revisions.len() == count, "{} {revisions:?}", R::KIND.as_str());
}

pub(crate) async fn refused_writes_of_records_keep_the_revision(subject: &dyn Subject) {
    seed_containers(subject).await;
    let before = revision(subject).await;
    for_each_kind!(subject, [Verb::Update, Verb::Delete], refuses_writes);
    assert_eq!(revision(subject).await, before);
}

async fn refuses_writes<R: TestRecord>(subject: &dyn Subject) {
    expect_done(update::<R>(subject, &ada(), R::VISIBLE, &json!({})).await);
    for record in R::INVISIBLE {
        assert_eq!(update::<R>(subject, &ada(), record, &update_body::<R>(subject)).await, Written::NotFound);
        assert_eq!(delete::<R>(subject, &ada(), record).await, Written::NotFound);
        if supports::<R>(subject, &[Verb::Restore]) {
            assert_eq!(restore::<R>(subject, &ada(), record).await, Written::NotFound);
        }
    }
}

pub(crate) async fn operations_outside_the_capabilities_fail(subject: &dyn Subject) {
    seed_containers(subject).await;
    let before = MemberView::documents_of_all_members(subject).await;
    for_each_kind!(subject, [], fails_without_the_capability);
    if !supports::<ShoppingItem>(subject, &[Verb::Delete]) {
        let deleted = subject.storage().delete_checked_items(&ada().into(), &id("groceries"), now()).await;
        assert!(!matches!(deleted, Ok(Written::Deleted(_))), "{deleted:?}");
    }
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

async fn fails_without_the_capability<R: TestRecord>(subject: &dyn Subject) {
    for operation in [
        Operation::<R>::create(id("created"), new::<R>(R::CONTAINER, &new_body::<R>(subject))),
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
