//! Whom a task may be assigned to, and who may make it private.

use crate::change::{Field, TaskChange};
use crate::conformance::Subject;
use crate::conformance::fixture::{MemberView, ada, bob, change_task, done, faults, id, person, seed_families};
use crate::storage::Update;

fn assign(user: &str) -> TaskChange {
    TaskChange { assignee: Field::Set(user.into()), ..TaskChange::default() }
}

fn make_private() -> TaskChange {
    TaskChange { is_private: Some(true), ..TaskChange::default() }
}

pub(super) async fn a_member_of_the_family_can_be_assigned(subject: &dyn Subject) {
    seed_families(subject).await;
    let task = done(change_task(subject, &bob(), "left", assign("ada")).await);
    assert_eq!((&task.assignee_id, &task.assignee), (&Some(id("ada")), &person(subject, "ada").await));
    assert_eq!(MemberView::of(ada(), subject).task("left").await, task);
}

pub(super) async fn somebody_who_is_not_in_the_family_is_not_found_as_assignee_and_nothing_changes(
    subject: &dyn Subject,
) {
    seed_families(subject).await;
    let before = MemberView::of_everybody(subject).await;
    for user in ["eve", "dee", "cid", "gone", "nobody", "no id"] {
        let change = TaskChange { title: Some("assigned".to_owned()), completed: Some(true), ..assign(user) };
        assert_eq!(change_task(subject, &ada(), "open", change).await, Update::NotFound, "{user}");
    }
    assert_eq!(MemberView::of_everybody(subject).await, before);
}

pub(super) async fn a_private_task_can_be_assigned_to_its_creator_or_nobody(subject: &dyn Subject) {
    seed_families(subject).await;
    let before = MemberView::of_everybody(subject).await;
    let change = TaskChange { title: Some("assigned".to_owned()), ..assign("bob") };
    assert_eq!(faults(change_task(subject, &ada(), "ada-only", change).await), ["/assigneeId"]);
    assert_eq!(MemberView::of_everybody(subject).await, before);
    let nobody = TaskChange { assignee: Field::Clear, ..TaskChange::default() };
    assert_eq!(done(change_task(subject, &ada(), "ada-only", nobody).await).assignee_id, None);
    let creator = done(change_task(subject, &ada(), "ada-only", assign("ada")).await);
    assert_eq!(creator.assignee_id, Some(id("ada")));
}

pub(super) async fn a_task_on_a_private_board_can_be_assigned_to_the_boards_owner_or_nobody(subject: &dyn Subject) {
    seed_families(subject).await;
    let before = MemberView::of_everybody(subject).await;
    assert_eq!(faults(change_task(subject, &ada(), "ada-plan", assign("bob")).await), ["/assigneeId"]);
    let landing = TaskChange { column: Some("ada-col".into()), ..assign("bob") };
    assert_eq!(faults(change_task(subject, &ada(), "open", landing).await), ["/assigneeId"]);
    assert_eq!(MemberView::of_everybody(subject).await, before);
    let leaving = TaskChange { column: Some("todo".into()), ..assign("bob") };
    assert_eq!(done(change_task(subject, &ada(), "ada-plan", leaving).await).assignee_id, Some(id("bob")));
    assert_eq!(done(change_task(subject, &ada(), "bob-on-adas", assign("ada")).await).assignee_id, Some(id("ada")));
}

pub(super) async fn a_task_is_made_private_by_its_creator_who_becomes_its_assignee(subject: &dyn Subject) {
    seed_families(subject).await;
    let task = done(change_task(subject, &ada(), "open", make_private()).await);
    assert!(task.is_private);
    assert_eq!((&task.assignee_id, &task.assignee), (&Some(id("ada")), &person(subject, "ada").await));
    assert_eq!(MemberView::of(ada(), subject).task("open").await, task);
    assert!(MemberView::of(bob(), subject).tasks().await.iter().all(|task| task.id.as_str() != "open"));
}

pub(super) async fn null_as_assignee_beside_private_counts_as_left_out(subject: &dyn Subject) {
    seed_families(subject).await;
    let change = TaskChange { assignee: Field::Clear, ..make_private() };
    assert_eq!(done(change_task(subject, &ada(), "open", change).await).assignee_id, Some(id("ada")));
}

pub(super) async fn nobody_but_its_creator_makes_a_task_private(subject: &dyn Subject) {
    seed_families(subject).await;
    let before = MemberView::of_everybody(subject).await;
    for task in ["open", "left", "ghost"] {
        let change = TaskChange { title: Some("mine".to_owned()), ..make_private() };
        assert_eq!(faults(change_task(subject, &bob(), task, change).await), ["/isPrivate"], "{task}");
    }
    assert_eq!(MemberView::of_everybody(subject).await, before);
}

pub(super) async fn a_task_that_is_made_private_takes_no_other_assignee(subject: &dyn Subject) {
    seed_families(subject).await;
    let before = MemberView::of_everybody(subject).await;
    let other = TaskChange { assignee: Field::Set("bob".into()), ..make_private() };
    assert_eq!(faults(change_task(subject, &ada(), "open", other.clone()).await), ["/assigneeId"]);
    let mut both = faults(change_task(subject, &ada(), "left", other).await);
    both.sort();
    assert_eq!(both, ["/assigneeId", "/isPrivate"]);
    assert_eq!(MemberView::of_everybody(subject).await, before);
}

pub(super) async fn a_task_that_its_creator_opens_to_the_family_is_seen_by_everybody(subject: &dyn Subject) {
    seed_families(subject).await;
    let change = TaskChange { is_private: Some(false), ..assign("bob") };
    let task = done(change_task(subject, &ada(), "ada-only", change).await);
    assert_eq!((task.is_private, &task.assignee_id), (false, &Some(id("bob"))));
    assert_eq!(MemberView::of(bob(), subject).task("ada-only").await, task);
}
