//! The family's revision: another one after every change that a member could see. A storage that keeps none passes.

use std::collections::HashMap;

use bytes::Bytes;
use futures_util::future::join_all;

use crate::calendar::{EventRange, StatsPeriods, Zone};
use crate::change::{NoteChange, TaskChange};
use crate::conformance::Subject;
use crate::conformance::fixture::{
    ada, bob, change_note, change_task, delete_note, done, eve, family, id, minute, move_task, new_key, seed_families,
    seed_families_and, user,
};
use crate::conformance::keys::{find, insert};
use crate::resource::{Document, Revision, TaskFilter};
use crate::storage::{Account, Member, Record};

fn revision(account: Option<Account>) -> Option<Revision> {
    account.unwrap().membership.unwrap().revision
}

/// Holds that a change shows, to both members and with the account as with the key.
async fn shows(subject: &dyn Subject, change: impl Future<Output = ()>) {
    let before = seen(subject).await;
    change.await;
    let after = seen(subject).await;
    assert!(before.iter().all(|revision| *revision == before[0]), "{before:?}");
    assert!(after.iter().all(|revision| *revision == after[0]), "{after:?}");
    assert!(before[0].is_none() || before[0] != after[0], "the revision is still {before:?}");
}

async fn seen(subject: &dyn Subject) -> [Option<Revision>; 3] {
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

pub(super) async fn a_changed_task_changes_the_revision(subject: &dyn Subject) {
    seed(subject).await;
    let change = TaskChange { title: Some("T".to_owned()), ..TaskChange::default() };
    shows(subject, async { drop(done(change_task(subject, &ada(), "open", change).await)) }).await;
}

pub(super) async fn a_moved_task_changes_the_revision(subject: &dyn Subject) {
    seed(subject).await;
    shows(subject, async { drop(done(move_task(subject, &ada(), "open", "todo", 3).await)) }).await;
}

pub(super) async fn a_changed_note_changes_the_revision(subject: &dyn Subject) {
    seed(subject).await;
    let change = NoteChange { pinned: Some(true), ..NoteChange::default() };
    shows(subject, async { drop(done(change_note(subject, &ada(), "recipe", change).await)) }).await;
}

pub(super) async fn a_deleted_note_changes_the_revision(subject: &dyn Subject) {
    seed(subject).await;
    shows(subject, async { assert!(delete_note(subject, &ada(), "recipe").await) }).await;
}

pub(super) async fn each_of_several_changes_has_a_revision_of_its_own(subject: &dyn Subject) {
    seed(subject).await;
    let mut revisions = vec![];
    for n in 0..5 {
        let change = TaskChange { order: Some(n), ..TaskChange::default() };
        done(change_task(subject, &ada(), "open", change).await);
        revisions.extend(revision(subject.storage().find_account(&id("bob")).await.unwrap()));
    }
    let distinct: std::collections::HashSet<_> = revisions.iter().collect();
    assert_eq!(distinct.len(), revisions.len());
}

/// What each of the five documents tells.
async fn told(subject: &dyn Subject, member: &Member) -> [Option<Revision>; 5] {
    let (storage, periods) = (subject.storage(), StatsPeriods::at(minute(0), &Zone::utc()));
    [
        storage.list_tasks(member, TaskFilter::Open).await.unwrap().revision(),
        storage.list_events(member, &EventRange::default()).await.unwrap().revision(),
        storage.list_shopping(member).await.unwrap().revision(),
        storage.list_notes(member).await.unwrap().revision(),
        storage.find_task_stats(member, &periods).await.unwrap().revision(),
    ]
}

pub(super) async fn a_document_that_tells_a_revision_tells_the_accounts(subject: &dyn Subject) {
    let empty = vec![Record::Family(family("east")), Record::User(user("fay", Some("east")))];
    seed_families_and(subject, empty).await;
    let members = [ada(), bob(), eve(), Member { user: id("fay"), family: id("east") }];
    for order in 0..3 {
        for member in &members {
            let account = revision(subject.storage().find_account(&member.user).await.unwrap());
            for revision in told(subject, member).await.into_iter().flatten() {
                assert_eq!(Some(revision), account, "for {}", member.user);
            }
        }
        done(change_task(subject, &ada(), "open", TaskChange::new().order(order)).await);
    }
}

pub(super) async fn a_change_changes_the_revision_that_documents_tell(subject: &dyn Subject) {
    seed_families(subject).await;
    let before = told(subject, &bob()).await;
    done(change_note(subject, &ada(), "recipe", NoteChange::new().pin()).await);
    let after = told(subject, &bob()).await;
    for (before, after) in before.into_iter().zip(after) {
        assert!(before.is_none() || before != after, "the revision is still {before:?}");
    }
}

pub(super) async fn documents_that_tell_one_revision_are_the_same_whatever_is_written_meanwhile(subject: &dyn Subject) {
    seed_families(subject).await;
    let ada = &ada();
    let writes_and_reads = (0..6).map(|order| async move {
        done(change_task(subject, ada, "open", TaskChange::new().order(order)).await);
        subject.storage().list_tasks(ada, TaskFilter::All).await.unwrap()
    });
    let mut seen: HashMap<Revision, Bytes> = HashMap::new();
    for (revision, json) in join_all(writes_and_reads).await.into_iter().filter_map(dated) {
        let first = seen.entry(revision).or_insert_with(|| json.clone());
        assert_eq!(*first, json, "{revision:?} is that of two documents");
    }
}

fn dated<T>(document: Document<T>) -> Option<(Revision, Bytes)> {
    Some((document.revision()?, document.into_bytes()))
}
