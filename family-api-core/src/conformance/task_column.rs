//! A task that goes to another column: its end, and whose board it is on.

use crate::change::{Field, TaskChange};
use crate::conformance::Subject;
use crate::conformance::fixture::{
    MemberView, ada, bob, change_task, done, eve, id, move_task, now, person, seed_families, seed_families_and, task,
};
use crate::storage::{Record, TaskRecord, Update};

fn to(column: &str) -> TaskChange {
    TaskChange { column: Some(column.into()), ..TaskChange::default() }
}

pub(super) async fn a_task_goes_behind_the_highest_of_all_others_seen_or_not_open_or_done(subject: &dyn Subject) {
    let hidden = TaskRecord { is_private: true, creator_id: Some(id("bob")), ..task("hidden", "doing", 41) };
    let done_one = TaskRecord { completed_at: Some(now()), ..task("done-one", "doing", 40) };
    seed_families_and(subject, [task("seen", "doing", 3), done_one, hidden].map(Record::Task).into()).await;
    let moved = done(change_task(subject, &ada(), "open", to("doing")).await);
    assert_eq!((moved.column_id.as_str(), moved.order), ("doing", 42));
    assert_eq!(MemberView::of(ada(), subject).task("open").await, moved);
}

pub(super) async fn a_task_goes_behind_a_done_one(subject: &dyn Subject) {
    let done_one = TaskRecord { completed_at: Some(now()), ..task("done-one", "doing", 40) };
    seed_families_and(subject, vec![Record::Task(done_one)]).await;
    assert_eq!(done(change_task(subject, &ada(), "open", to("doing")).await).order, 41);
}

pub(super) async fn a_task_that_goes_to_an_empty_column_is_its_first(subject: &dyn Subject) {
    seed_families(subject).await;
    assert_eq!(done(change_task(subject, &ada(), "left", to("doing")).await).order, 0);
}

pub(super) async fn a_task_that_goes_to_its_own_column_goes_behind_the_others(subject: &dyn Subject) {
    seed_families(subject).await;
    assert_eq!(done(change_task(subject, &ada(), "open", to("todo")).await).order, 6);
    assert_eq!(done(change_task(subject, &ada(), "open", to("todo")).await).order, 6);
    assert_eq!(done(change_task(subject, &bob(), "bob-plan", to("bob-col")).await).order, 0);
}

pub(super) async fn the_end_of_a_column_may_pass_the_limit_of_an_order(subject: &dyn Subject) {
    seed_families_and(subject, vec![Record::Task(task("far", "doing", 1_000_000))]).await;
    assert_eq!(done(change_task(subject, &ada(), "open", to("doing")).await).order, 1_000_001);
    assert_eq!(MemberView::of(ada(), subject).task("open").await.order, 1_000_001);
}

pub(super) async fn an_order_beside_the_column_is_taken_as_given(subject: &dyn Subject) {
    seed_families_and(subject, vec![Record::Task(task("there", "doing", 3))]).await;
    let change = TaskChange { order: Some(3), ..to("doing") };
    assert_eq!(done(change_task(subject, &ada(), "open", change).await).order, 3);
    let places = [("open".to_owned(), 3), ("there".to_owned(), 3)];
    assert_eq!(MemberView::of(ada(), subject).places("doing").await, places);
}

pub(super) async fn a_column_that_is_not_there_for_the_member_is_not_found_and_nothing_changes(subject: &dyn Subject) {
    seed_families(subject).await;
    let before = MemberView::of_everybody(subject).await;
    for column in ["bob-col", "south-col", "nowhere", "no id", ""] {
        let change = TaskChange { title: Some("moved".to_owned()), ..to(column) };
        assert_eq!(change_task(subject, &ada(), "open", change).await, Update::NotFound, "{column}");
        let with_order = TaskChange { order: Some(0), ..to(column) };
        assert_eq!(change_task(subject, &ada(), "open", with_order).await, Update::NotFound, "{column}");
        assert_eq!(move_task(subject, &ada(), "open", column, 0).await, Update::NotFound, "{column}");
    }
    assert_eq!(change_task(subject, &eve(), "south-task", to("todo")).await, Update::NotFound);
    assert_eq!(MemberView::of_everybody(subject).await, before);
}

pub(super) async fn a_task_that_lands_on_a_private_board_loses_an_assignee_who_is_not_its_owner(subject: &dyn Subject) {
    seed_families(subject).await;
    let moved = done(change_task(subject, &ada(), "open", to("ada-col")).await);
    assert_eq!((&moved.assignee_id, &moved.assignee), (&None, &None));
    assert_eq!(moved.order, 3);
    assert_eq!(MemberView::of(ada(), subject).task("open").await, moved);
    assert!(MemberView::of(bob(), subject).tasks().await.iter().all(|task| task.id.as_str() != "open"));
}

pub(super) async fn a_task_that_lands_on_a_private_board_keeps_its_owner_as_assignee(subject: &dyn Subject) {
    seed_families(subject).await;
    let moved = done(change_task(subject, &ada(), "done", to("ada-col")).await);
    assert_eq!((moved.assignee_id, moved.assignee), (Some(id("ada")), person(subject, "ada").await));
}

pub(super) async fn a_task_may_land_on_a_private_board_and_be_assigned_to_its_owner_at_once(subject: &dyn Subject) {
    seed_families(subject).await;
    let change = TaskChange { assignee: Field::Set("ada".into()), ..to("ada-col") };
    let moved = done(change_task(subject, &ada(), "open", change).await);
    assert_eq!((moved.column_id, moved.assignee_id), (id("ada-col"), Some(id("ada"))));
}
