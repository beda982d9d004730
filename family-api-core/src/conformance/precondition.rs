//! A write under a precondition: made where it names the version that the record is at, and else not.

use futures_util::future::join_all;

use crate::change::{NoteChange, TaskChange, TaskUpdate};
use crate::conformance::Subject;
use crate::conformance::fixture::{
    MemberView, ada, as_in, bob, change_note, change_task, delete_note_if, done, eve, move_to, seed_families,
    update_note, update_task,
};
use crate::resource::{Note, Task};
use crate::storage::Update;
use crate::{EntityTag, Precondition};

/// An `If-Match` of one line.
fn if_match(line: &str) -> Precondition {
    Precondition::if_match([line.as_bytes()])
}

fn retitled() -> TaskUpdate {
    TaskUpdate::Fields(TaskChange::new().title("T"))
}

/// Every kind of update of a task; the last one is of nothing.
fn updates() -> [TaskUpdate; 3] {
    [retitled(), move_to("doing", 7), TaskUpdate::Fields(TaskChange::new())]
}

/// A change of a note, and one of nothing.
fn changes() -> [NoteChange; 2] {
    [NoteChange::new().title("T"), NoteChange::new()]
}

/// The records as they are seen, and what names the versions that they were at before.
async fn seed_and_change(subject: &dyn Subject) -> (Task, Note, [Precondition; 2]) {
    seed_families(subject).await;
    let (seen, note) =
        (MemberView::of(ada(), subject).task("open").await, MemberView::of(ada(), subject).note("recipe").await);
    let stale = [as_in(&seen), as_in(&note)];
    done(change_task(subject, &bob(), "open", TaskChange::new().order(9)).await);
    done(change_note(subject, &bob(), "recipe", NoteChange::new().pin()).await);
    (MemberView::of(ada(), subject).task("open").await, MemberView::of(ada(), subject).note("recipe").await, stale)
}

pub(super) async fn an_update_of_a_task_under_the_tag_of_its_version_is_made(subject: &dyn Subject) {
    let (mut task, _, _) = seed_and_change(subject).await;
    for update in updates() {
        let updated = done(update_task(subject, &ada(), "open", update, &as_in(&task)).await);
        task = MemberView::of(ada(), subject).task("open").await;
        assert_eq!(updated, task);
    }
    assert_eq!((task.title.as_str(), task.column_id.as_str(), task.order), ("T", "doing", 7));
}

pub(super) async fn an_update_of_a_task_under_another_tag_fails_and_changes_nothing(subject: &dyn Subject) {
    let (task, note, [stale, _]) = seed_and_change(subject).await;
    let before = MemberView::of_everybody(subject).await;
    let weak = if_match(&format!("W/{}", EntityTag::of_record(&task).unwrap()));
    for precondition in [stale, as_in(&note), if_match(r#""another""#), if_match("damaged"), weak] {
        for update in updates() {
            let failed = update_task(subject, &ada(), "open", update, &precondition).await;
            assert_eq!(failed, Update::PreconditionFailed, "{precondition:?}");
        }
    }
    assert_eq!(MemberView::of_everybody(subject).await, before);
}

pub(super) async fn a_change_of_a_note_under_the_tag_of_its_version_is_made(subject: &dyn Subject) {
    let (_, mut note, _) = seed_and_change(subject).await;
    for change in changes() {
        let updated = done(update_note(subject, &ada(), "recipe", change, &as_in(&note)).await);
        note = MemberView::of(ada(), subject).note("recipe").await;
        assert_eq!(updated, note);
    }
    assert_eq!(note.title, "T");
}

pub(super) async fn a_change_of_a_note_under_another_tag_fails_and_changes_nothing(subject: &dyn Subject) {
    let (task, _, [_, stale]) = seed_and_change(subject).await;
    let before = MemberView::of_everybody(subject).await;
    for precondition in [stale, as_in(&task), if_match(r#""another""#), if_match("damaged")] {
        for change in changes() {
            let failed = update_note(subject, &ada(), "recipe", change, &precondition).await;
            assert_eq!(failed, Update::PreconditionFailed, "{precondition:?}");
        }
    }
    assert_eq!(MemberView::of_everybody(subject).await, before);
}

pub(super) async fn a_note_is_deleted_under_the_tag_of_its_version_and_no_other(subject: &dyn Subject) {
    let (_, note, [_, stale]) = seed_and_change(subject).await;
    let before = MemberView::of_everybody(subject).await;
    for precondition in [stale, if_match(r#""another""#)] {
        let failed = delete_note_if(subject, &ada(), "recipe", &precondition).await;
        assert_eq!(failed, Update::PreconditionFailed, "{precondition:?}");
    }
    assert_eq!(MemberView::of_everybody(subject).await, before);
    assert_eq!(delete_note_if(subject, &ada(), "recipe", &as_in(&note)).await, Update::Done(()));
    assert!(MemberView::of(ada(), subject).notes().await.iter().all(|note| note.id.as_str() != "recipe"));
}

pub(super) async fn one_tag_of_several_suffices_and_a_star_names_every_version(subject: &dyn Subject) {
    let (task, ..) = seed_and_change(subject).await;
    let several = format!(r#""another", {}"#, EntityTag::of_record(&task).unwrap());
    done(update_task(subject, &ada(), "open", retitled(), &if_match(&several)).await);
    for update in updates() {
        done(update_task(subject, &ada(), "open", update, &if_match("*")).await);
    }
    for change in changes() {
        done(update_note(subject, &ada(), "recipe", change, &if_match("*")).await);
    }
    assert_eq!(delete_note_if(subject, &ada(), "recipe", &if_match("*")).await, Update::Done(()));
}

pub(super) async fn the_tag_is_that_of_the_record_that_the_last_write_returned(subject: &dyn Subject) {
    seed_families(subject).await;
    let mut task = done(change_task(subject, &ada(), "done", TaskChange::new()).await);
    let mut note = done(change_note(subject, &ada(), "recipe", NoteChange::new()).await);
    for round in 0..3 {
        let change = TaskUpdate::Fields(TaskChange::new().title(round.to_string()));
        task = done(update_task(subject, &ada(), "done", change, &as_in(&task)).await);
        task = done(update_task(subject, &bob(), "done", move_to("doing", round), &as_in(&task)).await);
        let change = NoteChange::new().title(round.to_string());
        note = done(update_note(subject, &bob(), "recipe", change, &as_in(&note)).await);
    }
    assert_eq!(delete_note_if(subject, &bob(), "recipe", &as_in(&note)).await, Update::Done(()));
}

pub(super) async fn what_is_not_there_for_the_member_is_not_found_whatever_the_precondition(subject: &dyn Subject) {
    seed_families(subject).await;
    let foreign = MemberView::of(eve(), subject).task("south-task").await;
    let foreign_note = MemberView::of(eve(), subject).note("south-note").await;
    let before = MemberView::of_everybody(subject).await;
    for precondition in [if_match("*"), if_match(r#""another""#), as_in(&foreign), as_in(&foreign_note)] {
        for task in ["bob-only", "bob-plan", "south-task", "nowhere"] {
            for update in updates() {
                let update = update_task(subject, &ada(), task, update, &precondition).await;
                assert_eq!(update, Update::NotFound, "{task} {precondition:?}");
            }
        }
        for note in ["south-note", "nowhere"] {
            for change in changes() {
                let update = update_note(subject, &ada(), note, change, &precondition).await;
                assert_eq!(update, Update::NotFound, "{note} {precondition:?}");
            }
            let deleted = delete_note_if(subject, &ada(), note, &precondition).await;
            assert_eq!(deleted, Update::NotFound, "{note} {precondition:?}");
        }
    }
    assert_eq!(MemberView::of_everybody(subject).await, before);
}

pub(super) async fn a_precondition_is_asked_before_the_records_that_an_update_names_and_before_the_rules(
    subject: &dyn Subject,
) {
    seed_families(subject).await;
    let stale = if_match(r#""another""#);
    let updates = [
        TaskUpdate::Fields(TaskChange::new().assignee(&"nobody".parse().unwrap())),
        TaskUpdate::Fields(TaskChange::new().column(&"nowhere".parse().unwrap())),
        move_to("nowhere", 0),
        TaskUpdate::Fields(TaskChange::new().make_private()),
    ];
    for update in updates {
        let failed = update_task(subject, &bob(), "open", update.clone(), &stale).await;
        assert_eq!(failed, Update::PreconditionFailed, "{update:?}");
    }
    let change = NoteChange::new().category(&"nowhere".parse().unwrap());
    assert_eq!(update_note(subject, &ada(), "recipe", change, &stale).await, Update::PreconditionFailed);
}

pub(super) async fn of_many_updates_of_a_task_at_once_that_name_one_version_exactly_one_is_made(subject: &dyn Subject) {
    seed_families(subject).await;
    let (ada, bob) = (ada(), bob());
    let precondition = &as_in(&MemberView::of(ada.clone(), subject).task("open").await);
    let updates = (0..16).zip([&ada, &bob].into_iter().cycle()).map(|(n, member)| {
        let change = TaskUpdate::Fields(TaskChange::new().title(format!("T{n}")));
        let update = if n % 4 < 2 { change } else { move_to("doing", n) };
        update_task(subject, member, "open", update, precondition)
    });
    let task = only_one(join_all(updates).await);
    assert_eq!(MemberView::of(ada, subject).task("open").await, task);
}

pub(super) async fn of_many_changes_and_deletions_of_a_note_at_once_that_name_one_version_exactly_one_is_made(
    subject: &dyn Subject,
) {
    seed_families(subject).await;
    let (ada, bob) = (ada(), bob());
    let precondition = &as_in(&MemberView::of(ada.clone(), subject).note("recipe").await);
    let changes = (0..16).zip([&ada, &bob].into_iter().cycle()).map(|(n, member)| {
        update_note(subject, member, "recipe", NoteChange::new().title(format!("T{n}")), precondition)
    });
    let note = only_one(join_all(changes).await);
    assert_eq!(MemberView::of(ada.clone(), subject).note("recipe").await, note);

    let precondition = &as_in(&note);
    let deletions = (0..16).map(|_| delete_note_if(subject, &ada, "recipe", precondition));
    let deleted = join_all(deletions).await;
    assert_eq!(deleted.iter().filter(|deleted| **deleted == Update::Done(())).count(), 1, "{deleted:?}");
}

/// The record of the one write that was made; all others have failed.
fn only_one<T: std::fmt::Debug + PartialEq>(outcomes: Vec<Update<T>>) -> T {
    let (made, others): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(|update| matches!(update, Update::Done(_)));
    assert!(others.iter().all(|update| *update == Update::PreconditionFailed), "{others:?}");
    assert_eq!(made.len(), 1, "{made:?}");
    made.into_iter().map(done).next().unwrap()
}
