//! Writes with a precondition. They succeed only if an entity tag matches the current version of the record.

use family_api_core::EntityTag;
use family_api_core::Precondition;
use family_api_core::change::{NoteChange, NoteUpdate, TaskChange, TaskUpdate};
use family_api_core::resource::{Note, Task};
use family_api_core::storage::Written;
use futures_util::future::join_all;

use crate::Subject;
use crate::fixture::calls::{update, update_if};
use crate::fixture::{MemberView, ada, assert_done, bob, delete_note_if, eve, expect_done, if_unchanged, move_to};

/// Parses one `If-Match` header line.
fn if_match(line: &str) -> Precondition {
    Precondition::if_match([line.as_bytes()])
}

fn title_change() -> TaskUpdate {
    TaskChange::new().title("T").build().unwrap()
}

/// Returns a title change, a move and an empty change.
fn updates() -> [TaskUpdate; 3] {
    [title_change(), move_to("doing", 7), TaskChange::new().build().unwrap()]
}

/// Returns a title change and an empty change.
fn changes() -> [NoteUpdate; 2] {
    [NoteChange::new().title("T"), NoteChange::new()].map(|change| change.build().unwrap())
}

/// Seeds and changes a task and a note. Returns both after the change, and for each a precondition with the entity tag
/// from before the change.
async fn seed_and_change(subject: &dyn Subject) -> (Task, Note, [Precondition; 2]) {
    let (task, note) =
        (MemberView::of(ada(), subject).task("open").await, MemberView::of(ada(), subject).note("recipe").await);
    let stale = [if_unchanged(&task), if_unchanged(&note)];
    expect_done(update::<Task>(subject, &bob(), "open", TaskChange::new().order(9)).await);
    expect_done(update::<Note>(subject, &bob(), "recipe", NoteChange::new().pin()).await);
    (MemberView::of(ada(), subject).task("open").await, MemberView::of(ada(), subject).note("recipe").await, stale)
}

pub(super) async fn a_task_update_with_a_matching_entity_tag_succeeds(subject: &dyn Subject) {
    let (mut task, _, _) = seed_and_change(subject).await;
    for update in updates() {
        let updated = assert_done(update_if::<Task>(subject, &ada(), "open", update, &if_unchanged(&task)).await);
        task = MemberView::of(ada(), subject).task("open").await;
        assert_eq!(updated, task);
    }
    assert_eq!((task.title.as_str(), task.column_id.as_str(), task.order), ("T", "doing", 7));
}

pub(super) async fn a_task_update_with_another_entity_tag_fails(subject: &dyn Subject) {
    let (task, note, [stale, _]) = seed_and_change(subject).await;
    let before = MemberView::documents_of_all_members(subject).await;
    let weak = if_match(&format!("W/{}", EntityTag::of_record(&task).unwrap()));
    for precondition in [stale, if_unchanged(&note), if_match(r#""another""#), if_match("damaged"), weak] {
        for update in updates() {
            let failed = update_if::<Task>(subject, &ada(), "open", update, &precondition).await;
            assert_eq!(failed, Written::PreconditionFailed, "{precondition:?}");
        }
    }
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

pub(super) async fn a_note_change_with_a_matching_entity_tag_succeeds(subject: &dyn Subject) {
    let (_, mut note, _) = seed_and_change(subject).await;
    for change in changes() {
        let updated = assert_done(update_if::<Note>(subject, &ada(), "recipe", change, &if_unchanged(&note)).await);
        note = MemberView::of(ada(), subject).note("recipe").await;
        assert_eq!(updated, note);
    }
    assert_eq!(note.title, "T");
}

pub(super) async fn a_note_change_with_another_entity_tag_fails(subject: &dyn Subject) {
    let (task, _, [_, stale]) = seed_and_change(subject).await;
    let before = MemberView::documents_of_all_members(subject).await;
    for precondition in [stale, if_unchanged(&task), if_match(r#""another""#), if_match("damaged")] {
        for change in changes() {
            let failed = update_if::<Note>(subject, &ada(), "recipe", change, &precondition).await;
            assert_eq!(failed, Written::PreconditionFailed, "{precondition:?}");
        }
    }
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

pub(super) async fn a_note_deletion_requires_a_matching_entity_tag(subject: &dyn Subject) {
    let (_, note, [_, stale]) = seed_and_change(subject).await;
    let before = MemberView::documents_of_all_members(subject).await;
    for precondition in [stale, if_match(r#""another""#)] {
        let failed = delete_note_if(subject, &ada(), "recipe", &precondition).await;
        assert_eq!(failed, Written::PreconditionFailed, "{precondition:?}");
    }
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
    assert_eq!(delete_note_if(subject, &ada(), "recipe", &if_unchanged(&note)).await, Written::Deleted(()));
    assert!(MemberView::of(ada(), subject).notes().await.iter().all(|note| note.id.as_str() != "recipe"));
}

pub(super) async fn if_match_accepts_one_of_several_tags_and_a_star(subject: &dyn Subject) {
    let (task, ..) = seed_and_change(subject).await;
    let several = format!(r#""another", {}"#, EntityTag::of_record(&task).unwrap());
    assert_done(update_if::<Task>(subject, &ada(), "open", title_change(), &if_match(&several)).await);
    for update in updates() {
        assert_done(update_if::<Task>(subject, &ada(), "open", update, &if_match("*")).await);
    }
    for change in changes() {
        assert_done(update_if::<Note>(subject, &ada(), "recipe", change, &if_match("*")).await);
    }
    assert_eq!(delete_note_if(subject, &ada(), "recipe", &if_match("*")).await, Written::Deleted(()));
}

pub(super) async fn the_returned_record_has_the_entity_tag_for_the_next_write(subject: &dyn Subject) {
    let mut task = expect_done(update::<Task>(subject, &ada(), "done", TaskChange::new()).await);
    let mut note = expect_done(update::<Note>(subject, &ada(), "recipe", NoteChange::new()).await);
    for round in 0..3 {
        let change = TaskChange::new().title(round.to_string()).build().unwrap();
        task = assert_done(update_if::<Task>(subject, &ada(), "done", change, &if_unchanged(&task)).await);
        task = assert_done(
            update_if::<Task>(subject, &bob(), "done", move_to("doing", round), &if_unchanged(&task)).await,
        );
        let change = NoteChange::new().title(round.to_string()).build().unwrap();
        note = assert_done(update_if::<Note>(subject, &bob(), "recipe", change, &if_unchanged(&note)).await);
    }
    assert_eq!(delete_note_if(subject, &bob(), "recipe", &if_unchanged(&note)).await, Written::Deleted(()));
}

pub(super) async fn invisible_records_return_not_found_for_any_precondition(subject: &dyn Subject) {
    let foreign = MemberView::of(eve(), subject).task("south-task").await;
    let foreign_note = MemberView::of(eve(), subject).note("south-note").await;
    let before = MemberView::documents_of_all_members(subject).await;
    for precondition in [if_match("*"), if_match(r#""another""#), if_unchanged(&foreign), if_unchanged(&foreign_note)] {
        for task in ["bob-only", "bob-plan", "south-task", "nowhere"] {
            for update in updates() {
                let update = update_if::<Task>(subject, &ada(), task, update, &precondition).await;
                assert_eq!(update, Written::NotFound, "{task} {precondition:?}");
            }
        }
        for note in ["south-note", "nowhere"] {
            for change in changes() {
                let update = update_if::<Note>(subject, &ada(), note, change, &precondition).await;
                assert_eq!(update, Written::NotFound, "{note} {precondition:?}");
            }
            let deleted = delete_note_if(subject, &ada(), note, &precondition).await;
            assert_eq!(deleted, Written::NotFound, "{note} {precondition:?}");
        }
    }
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

pub(super) async fn the_precondition_is_checked_before_references_and_rules(subject: &dyn Subject) {
    let stale = if_match(r#""another""#);
    let updates = [
        TaskChange::new().assignee(&"nobody".parse().unwrap()).build().unwrap(),
        TaskChange::new().column(&"nowhere".parse().unwrap()).build().unwrap(),
        move_to("nowhere", 0),
        TaskChange::new().make_private().build().unwrap(),
    ];
    for update in updates {
        let failed = update_if::<Task>(subject, &bob(), "open", update.clone(), &stale).await;
        assert_eq!(failed, Written::PreconditionFailed, "{update:?}");
    }
    let change = NoteChange::new().category(&"nowhere".parse().unwrap()).build().unwrap();
    assert_eq!(update_if::<Note>(subject, &ada(), "recipe", change, &stale).await, Written::PreconditionFailed);
}

pub(super) async fn one_of_many_concurrent_task_updates_with_one_tag_succeeds(subject: &dyn Subject) {
    let (ada, bob) = (ada(), bob());
    let precondition = &if_unchanged(&MemberView::of(ada.clone(), subject).task("open").await);
    let updates = (0..16).zip([&ada, &bob].into_iter().cycle()).map(|(n, member)| {
        let change = TaskChange::new().title(format!("T{n}")).build().unwrap();
        let update = if n % 4 < 2 { change } else { move_to("doing", n) };
        update_if::<Task>(subject, member, "open", update, precondition)
    });
    let task = the_only_success(join_all(updates).await);
    assert_eq!(MemberView::of(ada, subject).task("open").await, task);
}

pub(super) async fn one_of_many_concurrent_note_writes_with_one_tag_succeeds(subject: &dyn Subject) {
    let (ada, bob) = (ada(), bob());
    let precondition = &if_unchanged(&MemberView::of(ada.clone(), subject).note("recipe").await);
    let changes = (0..16).zip([&ada, &bob].into_iter().cycle()).map(|(n, member)| {
        let change = NoteChange::new().title(format!("T{n}")).build().unwrap();
        update_if::<Note>(subject, member, "recipe", change, precondition)
    });
    let note = the_only_success(join_all(changes).await);
    assert_eq!(MemberView::of(ada.clone(), subject).note("recipe").await, note);

    let precondition = &if_unchanged(&note);
    let deletions = (0..16).map(|_| delete_note_if(subject, &ada, "recipe", precondition));
    let deleted = join_all(deletions).await;
    assert_eq!(deleted.iter().filter(|deleted| **deleted == Written::Deleted(())).count(), 1, "{deleted:?}");
}

/// Asserts that exactly one write succeeded, and that the precondition of every other write failed. Returns the record
/// of the successful write.
fn the_only_success<T: std::fmt::Debug + PartialEq>(outcomes: Vec<Written<T>>) -> T {
    let (succeeded, others): (Vec<_>, Vec<_>) =
        outcomes.into_iter().partition(|update| matches!(update, Written::Updated { .. }));
    assert!(others.iter().all(|update| *update == Written::PreconditionFailed), "{others:?}");
    assert_eq!(succeeded.len(), 1, "{succeeded:?}");
    succeeded.into_iter().map(expect_done).next().unwrap()
}
