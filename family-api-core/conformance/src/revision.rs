//! The revision of a family changes with every visible change. A storage without revisions passes.

use std::collections::{HashMap, HashSet};

use family_api_core::Timestamp;
use family_api_core::bytes::Bytes;
use family_api_core::calendar::{EventRange, StatsPeriods, Zone};
use family_api_core::resource::{Document, ResourceKind, Revision, TaskFilter, Verb};
use family_api_core::storage::{Account, Member, Operation, Record, StorageError, Written};
use futures_util::future::join_all;

use crate::Subject;
use crate::fixture::calls::{new_update, record_write, update, write_as};
use crate::fixture::{ada, assert_same, bob, eve, expect_done, family, id, minute, move_task, new_key, seed, user};
use crate::keys::{find, insert};
use crate::writes::kinds::{TestRecord, for_each_kind, for_first_kind, new_record, rename, seed_containers, supports};

fn revision(account: Option<Account>) -> Option<Revision> {
    account.unwrap().membership.unwrap().revision
}

/// Asserts that the revision differs from the one before, in the accounts of both members and in the account of a key.
async fn assert_changed(subject: &dyn Subject, before: &[Option<Revision>; 3], write: &str) {
    let after = account_revisions(subject).await;
    assert!(before.iter().all(|revision| *revision == before[0]), "{before:?}");
    assert!(after.iter().all(|revision| *revision == after[0]), "{after:?}");
    assert!(before[0].is_none() || before[0] != after[0], "the revision is still {before:?} after {write}");
}

async fn account_revisions(subject: &dyn Subject) -> [Option<Revision>; 3] {
    [
        revision(find(subject, "k1").await.unwrap().account),
        revision(subject.storage().find_account(&ada().user).await.unwrap()),
        revision(subject.storage().find_account(&bob().user).await.unwrap()),
    ]
}

/// Seeds the families with spare containers, and a key of ada.
pub(super) async fn seed_key(subject: &dyn Subject) {
    seed_containers(subject).await;
    insert(subject, &new_key("k1", "ada")).await;
}

pub(super) async fn each_write_of_any_record_changes_the_revision(subject: &dyn Subject) {
    for_each_kind!(subject, [], changes_the_revision);
}

/// Makes each supported write. The record of the deletion is the created one, or one without content.
async fn changes_the_revision<R: TestRecord>(subject: &dyn Subject) {
    let creates = supports::<R>(subject, &[Verb::Create]);
    let record: R::Id = id(if creates { "created" } else { R::VISIBLE });
    let renamed = new_update::<R>(&rename::<R>("Renamed"));
    for operation in [
        Operation::<R>::create(record.clone(), new_record::<R>(subject)),
        Operation::update(record.clone(), renamed),
        Operation::delete(record.clone()),
        Operation::Restore { id: record },
    ] {
        let verb = operation.verb();
        if !supports::<R>(subject, &[verb]) {
            continue;
        }
        let before = account_revisions(subject).await;
        let written = write_as(subject, &ada().into(), &record_write(operation)).await;
        // A record that was not deleted is not restored.
        if !matches!(written, Written::Existing(_)) {
            expect_done(written);
            assert_changed(subject, &before, &format!("{} of a {}", verb.as_str(), R::KIND.as_str())).await;
        }
    }
}

pub(super) async fn moving_a_task_changes_the_revision(subject: &dyn Subject) {
    let before = account_revisions(subject).await;
    expect_done(move_task(subject, &ada(), "open", "todo", 3).await);
    assert_changed(subject, &before, "a move").await;
}

pub(super) async fn every_change_produces_a_distinct_revision(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Update], has_distinct_revisions);
}

async fn has_distinct_revisions<R: TestRecord>(subject: &dyn Subject) {
    let mut revisions = vec![];
    for n in 0..5 {
        expect_done(update::<R>(subject, &ada(), R::VISIBLE, rename::<R>(&n.to_string())).await);
        revisions.extend(revision(subject.storage().find_account(&id("bob")).await.unwrap()));
    }
    let distinct: HashSet<_> = revisions.iter().collect();
    assert_same(&distinct.len(), &revisions.len());
}

/// Returns the revision of each document.
async fn document_revisions(subject: &dyn Subject, member: &Member) -> [Option<Revision>; 7] {
    let (storage, periods) = (subject.storage(), StatsPeriods::at(minute(0), &Zone::utc()));
    [
        storage.list_tasks(member, TaskFilter::Open).await.unwrap().revision(),
        storage.list_events(member, &EventRange::default()).await.unwrap().revision(),
        storage.list_overlapping_events(member, &(Timestamp::MIN..Timestamp::MAX)).await.unwrap().revision(),
        storage.list_members(member).await.unwrap().revision(),
        storage.list_shopping(member).await.unwrap().revision(),
        storage.list_notes(member).await.unwrap().revision(),
        storage.find_task_stats(member, &periods).await.unwrap().revision(),
    ]
}

pub(super) async fn a_document_and_the_account_have_the_same_revision(subject: &dyn Subject) {
    let empty = vec![Record::Family(family("east")), Record::User(user("fay", Some("east")))];
    seed(subject, empty).await;
    assert_equal_revisions(subject).await;
    for_each_kind!(subject, [Verb::Update], keeps_revisions_equal);
}

async fn keeps_revisions_equal<R: TestRecord>(subject: &dyn Subject) {
    expect_done(update::<R>(subject, &ada(), R::VISIBLE, rename::<R>("Renamed")).await);
    assert_equal_revisions(subject).await;
}

async fn assert_equal_revisions(subject: &dyn Subject) {
    for member in [ada(), bob(), eve(), Member { user: id("fay"), family: id("east") }] {
        let account = revision(subject.storage().find_account(&member.user).await.unwrap());
        for revision in document_revisions(subject, &member).await.into_iter().flatten() {
            assert_eq!(Some(revision), account, "for {}", member.user);
        }
    }
}

pub(super) async fn a_write_changes_the_revision_of_every_document(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Update], changes_every_document);
}

async fn changes_every_document<R: TestRecord>(subject: &dyn Subject) {
    let before = document_revisions(subject, &bob()).await;
    expect_done(update::<R>(subject, &ada(), R::VISIBLE, rename::<R>("Renamed")).await);
    let after = document_revisions(subject, &bob()).await;
    for (before, after) in before.into_iter().zip(after) {
        assert!(before.is_none() || before != after, "the revision is still {before:?}");
    }
}

pub(super) async fn documents_with_the_same_revision_are_identical(subject: &dyn Subject) {
    for_first_kind!(subject, [Verb::Update], has_one_document_of_each_revision);
}

async fn has_one_document_of_each_revision<R: TestRecord>(subject: &dyn Subject) {
    let ada = &ada();
    let writes_and_reads = (0..6).map(|n| async move {
        expect_done(update::<R>(subject, ada, R::VISIBLE, rename::<R>(&n.to_string())).await);
        document(subject, ada, R::KIND.resource()).await
    });
    let mut first_json: HashMap<Revision, Bytes> = HashMap::new();
    for (revision, json) in join_all(writes_and_reads).await {
        let Some(revision) = revision else { continue };
        let first = first_json.entry(revision).or_insert_with(|| json.clone());
        assert_eq!(*first, json, "two different documents have the revision {revision:?}");
    }
}

async fn document(subject: &dyn Subject, member: &Member, resource: ResourceKind) -> (Option<Revision>, Bytes) {
    let storage = subject.storage();
    match resource {
        ResourceKind::Events => revision_and_json(storage.list_events(member, &EventRange::default()).await),
        ResourceKind::Shopping => revision_and_json(storage.list_shopping(member).await),
        ResourceKind::Notes => revision_and_json(storage.list_notes(member).await),
        ResourceKind::Tasks | ResourceKind::TaskStats => {
            revision_and_json(storage.list_tasks(member, TaskFilter::All).await)
        }
    }
}

fn revision_and_json<T>(document: Result<Document<T>, StorageError>) -> (Option<Revision>, Bytes) {
    let document = document.unwrap();
    (document.revision(), document.into_bytes())
}
