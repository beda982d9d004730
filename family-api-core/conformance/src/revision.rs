//! The revision of a family changes with every visible change. A storage without revisions passes.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

use family_api_core::Timestamp;
use family_api_core::bytes::Bytes;
use family_api_core::calendar::{EventRange, StatsPeriods, Zone};
use family_api_core::change::{NoteChange, TaskChange};
use family_api_core::resource::{Document, Note, Revision, Task, TaskFilter};
use family_api_core::storage::{Account, Member, Record, Written};
use futures_util::future::join_all;

use crate::Subject;
use crate::fixture::calls::{delete, update};
use crate::fixture::{
    ada, bob, eve, expect_done, family, id, minute, move_task, new_key, seed_families, seed_families_and, user,
};
use crate::keys::{find, insert};

fn revision(account: Option<Account>) -> Option<Revision> {
    account.unwrap().membership.unwrap().revision
}

/// Asserts that a write updates the revision in the accounts of both members and in the account of a key.
async fn assert_changes_revision<T: Debug>(subject: &dyn Subject, write: impl Future<Output = Written<T>>) {
    let before = account_revisions(subject).await;
    expect_done(write.await);
    let after = account_revisions(subject).await;
    assert!(before.iter().all(|revision| *revision == before[0]), "{before:?}");
    assert!(after.iter().all(|revision| *revision == after[0]), "{after:?}");
    assert!(before[0].is_none() || before[0] != after[0], "the revision is still {before:?}");
}

async fn account_revisions(subject: &dyn Subject) -> [Option<Revision>; 3] {
    [
        revision(find(subject, "k1").await.unwrap().account),
        revision(subject.storage().find_account(&ada().user).await.unwrap()),
        revision(subject.storage().find_account(&bob().user).await.unwrap()),
    ]
}

async fn seed(subject: &dyn Subject) {
    seed_families(subject).await;
    insert(subject, &new_key("k1", "ada")).await;
}

pub(super) async fn changing_a_task_changes_the_revision(subject: &dyn Subject) {
    seed(subject).await;
    let change = TaskChange::new().title("T");
    assert_changes_revision(subject, update::<Task>(subject, &ada(), "open", change)).await;
}

pub(super) async fn moving_a_task_changes_the_revision(subject: &dyn Subject) {
    seed(subject).await;
    assert_changes_revision(subject, move_task(subject, &ada(), "open", "todo", 3)).await;
}

pub(super) async fn changing_a_note_changes_the_revision(subject: &dyn Subject) {
    seed(subject).await;
    let change = NoteChange::new().pin();
    assert_changes_revision(subject, update::<Note>(subject, &ada(), "recipe", change)).await;
}

pub(super) async fn deleting_a_note_changes_the_revision(subject: &dyn Subject) {
    seed(subject).await;
    assert_changes_revision(subject, delete::<Note>(subject, &ada(), "recipe")).await;
}

pub(super) async fn every_change_produces_a_distinct_revision(subject: &dyn Subject) {
    seed(subject).await;
    let mut revisions = vec![];
    for n in 0..5 {
        let change = TaskChange::new().order(n);
        expect_done(update::<Task>(subject, &ada(), "open", change).await);
        revisions.extend(revision(subject.storage().find_account(&id("bob")).await.unwrap()));
    }
    let distinct: HashSet<_> = revisions.iter().collect();
    assert_eq!(distinct.len(), revisions.len());
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
    seed_families_and(subject, empty).await;
    let members = [ada(), bob(), eve(), Member { user: id("fay"), family: id("east") }];
    for order in 0..3 {
        for member in &members {
            let account = revision(subject.storage().find_account(&member.user).await.unwrap());
            for revision in document_revisions(subject, member).await.into_iter().flatten() {
                assert_eq!(Some(revision), account, "for {}", member.user);
            }
        }
        expect_done(update::<Task>(subject, &ada(), "open", TaskChange::new().order(order)).await);
    }
}

pub(super) async fn a_note_change_changes_the_revision_of_every_document(subject: &dyn Subject) {
    seed_families(subject).await;
    let before = document_revisions(subject, &bob()).await;
    expect_done(update::<Note>(subject, &ada(), "recipe", NoteChange::new().pin()).await);
    let after = document_revisions(subject, &bob()).await;
    for (before, after) in before.into_iter().zip(after) {
        assert!(before.is_none() || before != after, "the revision is still {before:?}");
    }
}

pub(super) async fn documents_with_the_same_revision_are_identical(subject: &dyn Subject) {
    seed_families(subject).await;
    let ada = &ada();
    let writes_and_reads = (0..6).map(|order| async move {
        expect_done(update::<Task>(subject, ada, "open", TaskChange::new().order(order)).await);
        subject.storage().list_tasks(ada, TaskFilter::All).await.unwrap()
    });
    let mut first_json: HashMap<Revision, Bytes> = HashMap::new();
    for (revision, json) in join_all(writes_and_reads).await.into_iter().filter_map(revision_and_json) {
        let first = first_json.entry(revision).or_insert_with(|| json.clone());
        assert_eq!(*first, json, "two different documents have the revision {revision:?}");
    }
}

fn revision_and_json<T>(document: Document<T>) -> Option<(Revision, Bytes)> {
    Some((document.revision()?, document.into_bytes()))
}
