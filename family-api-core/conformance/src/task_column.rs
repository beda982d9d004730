//! Setting the column of a task appends the task to the column. A private board clears an assignee who is not its
//! owner.

use family_api_core::change::TaskChange;
use family_api_core::resource::Task;
use family_api_core::storage::{Record, TaskRecord, Written};
use serde_json::json;

use crate::Subject;
use crate::fixture::calls::update;
use crate::fixture::{
    Documents, MemberView, ada, assert_outcome, assert_same, bob, eve, expect_done, id, move_task, now, person, seed,
    task,
};

fn set_column(column: &str) -> TaskChange {
    TaskChange::new().column(&id(column))
}

pub(super) async fn setting_a_column_appends_after_invisible_and_done_tasks(subject: &dyn Subject) {
    let hidden = TaskRecord { is_private: true, creator_id: Some(id("bob")), ..task("hidden", "doing", 41) };
    let done_task = TaskRecord { completed_at: Some(now()), ..task("done-task", "doing", 40) };
    seed(subject, [task("seen", "doing", 3), done_task, hidden].map(Record::Task).into()).await;
    let moved = expect_done(update::<Task>(subject, &ada(), "open", set_column("doing")).await);
    assert_same(&(moved.column_id.as_str(), moved.order), &("doing", 42));
    assert_same(&MemberView::of(ada(), subject).task("open").await, &moved);
}

pub(super) async fn setting_a_column_appends_after_a_done_task(subject: &dyn Subject) {
    let done_task = TaskRecord { completed_at: Some(now()), ..task("done-task", "doing", 40) };
    seed(subject, vec![Record::Task(done_task)]).await;
    assert_same(&expect_done(update::<Task>(subject, &ada(), "open", set_column("doing")).await).order, &41);
}

pub(super) async fn a_task_that_enters_an_empty_column_gets_order_0(subject: &dyn Subject) {
    assert_same(&expect_done(update::<Task>(subject, &ada(), "left", set_column("doing")).await).order, &0);
}

pub(super) async fn setting_the_current_column_appends_after_the_other_tasks(subject: &dyn Subject) {
    assert_same(&expect_done(update::<Task>(subject, &ada(), "open", set_column("todo")).await).order, &6);
    assert_same(&expect_done(update::<Task>(subject, &ada(), "open", set_column("todo")).await).order, &6);
    assert_same(&expect_done(update::<Task>(subject, &bob(), "bob-plan", set_column("bob-col")).await).order, &0);
}

pub(super) async fn an_appended_task_can_exceed_the_maximum_order(subject: &dyn Subject) {
    seed(subject, vec![Record::Task(task("far", "doing", 1_000_000))]).await;
    assert_same(&expect_done(update::<Task>(subject, &ada(), "open", set_column("doing")).await).order, &1_000_001);
    assert_same(&MemberView::of(ada(), subject).task("open").await.order, &1_000_001);
}

pub(super) async fn an_order_given_with_a_column_is_used_unchanged(subject: &dyn Subject) {
    seed(subject, vec![Record::Task(task("there", "doing", 3))]).await;
    let change = set_column("doing").order(3);
    assert_same(&expect_done(update::<Task>(subject, &ada(), "open", change).await).order, &3);
    let orders = [("open".to_owned(), 3), ("there".to_owned(), 3)];
    assert_same(&MemberView::of(ada(), subject).task_orders("doing").await, &orders);
}

pub(super) async fn an_invisible_column_returns_not_found_and_changes_nothing(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for column in ["bob-col", "south-col", "nowhere", "no id", ""] {
        let change = json!({ "title": "moved", "columnId": column });
        assert_outcome(&update::<Task>(subject, &ada(), "open", change).await, &Written::NotFound);
        let with_order = json!({ "order": 0, "columnId": column });
        assert_outcome(&update::<Task>(subject, &ada(), "open", with_order).await, &Written::NotFound);
        assert_outcome(&move_task(subject, &ada(), "open", column, 0).await, &Written::NotFound);
    }
    assert_outcome(&update::<Task>(subject, &eve(), "south-task", set_column("todo")).await, &Written::NotFound);
    assert_same(&Documents::of_all_members(subject).await, &before);
}

pub(super) async fn a_column_on_a_private_board_clears_an_assignee_who_is_not_owner(subject: &dyn Subject) {
    let moved = expect_done(update::<Task>(subject, &ada(), "open", set_column("ada-col")).await);
    assert_same(&(&moved.assignee_id, &moved.assignee), &(&None, &None));
    assert_same(&moved.order, &3);
    assert_same(&MemberView::of(ada(), subject).task("open").await, &moved);
    assert!(MemberView::of(bob(), subject).tasks().await.iter().all(|task| task.id.as_str() != "open"));
}

pub(super) async fn a_column_on_a_private_board_keeps_the_board_owner_as_assignee(subject: &dyn Subject) {
    let moved = expect_done(update::<Task>(subject, &ada(), "done", set_column("ada-col")).await);
    assert_same(&(moved.assignee_id, moved.assignee), &(Some(id("ada")), person(subject, "ada").await));
}

pub(super) async fn one_change_can_set_a_private_board_and_assign_its_owner(subject: &dyn Subject) {
    let change = set_column("ada-col").assignee(&id("ada"));
    let moved = expect_done(update::<Task>(subject, &ada(), "open", change).await);
    assert_same(&(moved.column_id, moved.assignee_id), &(id("ada-col"), Some(id("ada"))));
}
