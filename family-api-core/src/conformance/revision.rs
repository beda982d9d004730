//! The family's revision: another one after every change that a member could see. A storage that keeps none passes.

use crate::change::{NoteChange, TaskChange};
use crate::conformance::Subject;
use crate::conformance::fixture::{
    ada, bob, change_note, change_task, delete_note, done, id, move_task, new_key, seed_families,
};
use crate::conformance::keys::{find, insert};
use crate::resource::Revision;
use crate::storage::Account;

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
