//! Setting the column of a task: it is appended to the column, and a private board clears other assignees.

use crate::change::{Field, TaskChange};
use crate::conformance::Subject;
use crate::conformance::fixture::{
    MemberView, ada, bob, change_task, eve, expect_done, id, move_task, now, person, seed_families, seed_families_and,
    task,
};
use crate::storage::{Record, TaskRecord, Update};

fn to(column: &str) -> TaskChange {
    TaskChange { column: Some(column.into()), ..TaskChange::default() }
}

pub(super) async fn setting_a_column_appends_after_invisible_and_done_tasks(subject: &dyn Subject) {
    let hidden = TaskRecord { is_private: true, creator_id: Some(id("bob")), ..task("hidden", "doing", 41) };
    let done_one = TaskRecord { completed_at: Some(now()), ..task("done-one", "doing", 40) };
    seed_families_and(subject, [task("seen", "doing", 3), done_one, hidden].map(Record::Task).into()).await;
    let moved = expect_done(change_task(subject, &ada(), "open", to("doing")).await);
    assert_eq!((moved.column_id.as_str(), moved.order), ("doing", 42));
    assert_eq!(MemberView::of(ada(), subject).task("open").await, moved);
}

pub(super) async fn setting_a_column_appends_after_a_done_task(subject: &dyn Subject) {
    let done_one = TaskRecord { completed_at: Some(now()), ..task("done-one", "doing", 40) };
    seed_families_and(subject, vec![Record::Task(done_one)]).await;
    assert_eq!(expect_done(change_task(subject, &ada(), "open", to("doing")).await).order, 41);
}

pub(super) async fn a_task_that_enters_an_empty_column_gets_order_0(subject: &dyn Subject) {
    seed_families(subject).await;
    assert_eq!(expect_done(change_task(subject, &ada(), "left", to("doing")).await).order, 0);
}

pub(super) async fn setting_the_current_column_appends_after_the_other_tasks(subject: &dyn Subject) {
    seed_families(subject).await;
    assert_eq!(expect_done(change_task(subject, &ada(), "open", to("todo")).await).order, 6);
    assert_eq!(expect_done(change_task(subject, &ada(), "open", to("todo")).await).order, 6);
    assert_eq!(expect_done(change_task(subject, &bob(), "bob-plan", to("bob-col")).await).order, 0);
}

pub(super) async fn appending_may_exceed_the_maximum_order(subject: &dyn Subject) {
    seed_families_and(subject, vec![Record::Task(task("far", "doing", 1_000_000))]).await;
    assert_eq!(expect_done(change_task(subject, &ada(), "open", to("doing")).await).order, 1_000_001);
    assert_eq!(MemberView::of(ada(), subject).task("open").await.order, 1_000_001);
}

pub(super) async fn an_order_given_with_a_column_is_used_unchanged(subject: &dyn Subject) {
    seed_families_and(subject, vec![Record::Task(task("there", "doing", 3))]).await;
    let change = TaskChange { order: Some(3), ..to("doing") };
    assert_eq!(expect_done(change_task(subject, &ada(), "open", change).await).order, 3);
    let places = [("open".to_owned(), 3), ("there".to_owned(), 3)];
    assert_eq!(MemberView::of(ada(), subject).task_orders("doing").await, places);
}

pub(super) async fn an_invisible_column_returns_not_found_and_changes_nothing(subject: &dyn Subject) {
    seed_families(subject).await;
    let before = MemberView::of_all_members(subject).await;
    for column in ["bob-col", "south-col", "nowhere", "no id", ""] {
        let change = TaskChange { title: Some("moved".to_owned()), ..to(column) };
        assert_eq!(change_task(subject, &ada(), "open", change).await, Update::NotFound, "{column}");
        let with_order = TaskChange { order: Some(0), ..to(column) };
        assert_eq!(change_task(subject, &ada(), "open", with_order).await, Update::NotFound, "{column}");
        assert_eq!(move_task(subject, &ada(), "open", column, 0).await, Update::NotFound, "{column}");
    }
    assert_eq!(change_task(subject, &eve(), "south-task", to("todo")).await, Update::NotFound);
    assert_eq!(MemberView::of_all_members(subject).await, before);
}

pub(super) async fn setting_a_private_column_clears_an_assignee_who_is_not_owner(subject: &dyn Subject) {
    seed_families(subject).await;
    let moved = expect_done(change_task(subject, &ada(), "open", to("ada-col")).await);
    assert_eq!((&moved.assignee_id, &moved.assignee), (&None, &None));
    assert_eq!(moved.order, 3);
    assert_eq!(MemberView::of(ada(), subject).task("open").await, moved);
    assert!(MemberView::of(bob(), subject).tasks().await.iter().all(|task| task.id.as_str() != "open"));
}

pub(super) async fn setting_a_private_column_keeps_its_owner_as_assignee(subject: &dyn Subject) {
    seed_families(subject).await;
    let moved = expect_done(change_task(subject, &ada(), "done", to("ada-col")).await);
    assert_eq!((moved.assignee_id, moved.assignee), (Some(id("ada")), person(subject, "ada").await));
}

pub(super) async fn one_change_can_set_a_private_column_and_its_owner_as_assignee(subject: &dyn Subject) {
    seed_families(subject).await;
    let change = TaskChange { assignee: Field::Set("ada".into()), ..to("ada-col") };
    let moved = expect_done(change_task(subject, &ada(), "open", change).await);
    assert_eq!((moved.column_id, moved.assignee_id), (id("ada-col"), Some(id("ada"))));
}
