//! Moving a task to a given order in a column. If another task in the column has this order, 1 is added to the order of
//! that task and of the following tasks, at least as far as the first free order.

use family_api_core::resource::Task;
use family_api_core::storage::{Record, TaskRecord, Written};
use futures_util::future::join_all;

use crate::Subject;
use crate::fixture::{
    Documents, MemberView, ada, assert_outcome, assert_same, bob, days, eve, existing, expect_done, id, minute,
    move_task, now, seed, task,
};
use crate::writes::kinds::kept;

/// Returns the orders of the tasks that exist.
fn orders<const N: usize>(subject: &dyn Subject, orders: [(&str, i64); N]) -> Vec<(String, i64)> {
    let exists = |(name, _): &(&str, i64)| !existing(subject, &[*name]).is_empty();
    orders.into_iter().filter(exists).map(|(name, order)| (name.to_owned(), order)).collect()
}

/// Returns every task of `todo` with its order. Each task is visible to ada or bob.
async fn todo_orders(subject: &dyn Subject) -> Vec<(String, i64)> {
    let mut orders = MemberView::of(ada(), subject).task_orders("todo").await;
    orders.extend(MemberView::of(bob(), subject).task_orders("todo").await);
    orders.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
    orders.dedup();
    orders.retain(|(name, _)| !FILLERS.contains(&name.as_str()));
    orders
}

/// Tasks at the orders of the private tasks of `todo`.
const FILLERS: [&str; 2] = ["filler-1", "filler-2"];

/// Fills the column `todo` up where a storage without private tasks has none, so that no order is free.
async fn fill_todo(subject: &dyn Subject) {
    let fillers = ["ada-only", "bob-only"].into_iter().zip(FILLERS).zip(1..);
    let missing = fillers.filter(|((private, _), _)| existing(subject, &[*private]).is_empty());
    seed(subject, missing.map(|((_, filler), order)| Record::Task(task(filler, "todo", order))).collect()).await;
}

pub(super) async fn a_move_sets_column_and_order_and_returns_the_task(subject: &dyn Subject) {
    let before = MemberView::of(ada(), subject).task("open").await;
    let sequence = before.sequence + 1;
    let after = Task { column_id: id("doing"), order: 7, updated_at: now(), sequence, ..before };
    let after = kept(subject, after);
    assert_same(&expect_done(move_task(subject, &ada(), "open", "doing", 7).await), &after);
    assert_same(&MemberView::of(ada(), subject).task("open").await, &after);
}

pub(super) async fn a_move_to_a_taken_order_shifts_all_following_tasks(subject: &dyn Subject) {
    seed(subject, vec![Record::Task(task("there", "doing", 7))]).await;
    expect_done(move_task(subject, &ada(), "there", "todo", 3).await);
    let expected =
        [("open", 0), ("ada-only", 1), ("bob-only", 2), ("there", 3), ("done", 4), ("left", 5), ("ghost", 6)];
    assert_same(&todo_orders(subject).await, &orders(subject, expected));
}

pub(super) async fn an_order_of_an_invisible_task_counts_as_taken(subject: &dyn Subject) {
    expect_done(move_task(subject, &ada(), "ada-plan", "todo", 2).await);
    let expected =
        [("open", 0), ("ada-only", 1), ("ada-plan", 2), ("bob-only", 3), ("done", 4), ("left", 5), ("ghost", 6)];
    assert_same(&todo_orders(subject).await, &orders(subject, expected));
}

pub(super) async fn an_order_of_a_done_task_counts_as_taken(subject: &dyn Subject) {
    let column = [TaskRecord { completed_at: Some(minute(0)), ..task("d", "doing", 4) }, task("e", "doing", 5)];
    seed(subject, column.map(Record::Task).into()).await;
    expect_done(move_task(subject, &ada(), "open", "doing", 4).await);
    assert_same(
        &MemberView::of(ada(), subject).task_orders("doing").await,
        &orders(subject, [("open", 4), ("d", 5), ("e", 6)]),
    );
}

pub(super) async fn a_move_to_a_free_order_shifts_nothing(subject: &dyn Subject) {
    let column = [task("a", "doing", 1), task("b", "doing", 3), task("c", "doing", 4)];
    seed(subject, column.map(Record::Task).into()).await;
    expect_done(move_task(subject, &ada(), "open", "doing", 2).await);
    let expected = [("a", 1), ("open", 2), ("b", 3), ("c", 4)];
    assert_same(&MemberView::of(ada(), subject).task_orders("doing").await, &orders(subject, expected));
}

pub(super) async fn shifted_tasks_change_only_their_order(subject: &dyn Subject) {
    fill_todo(subject).await;
    seed(subject, vec![Record::Task(task("there", "doing", 7))]).await;
    let before = MemberView::of(bob(), subject).tasks().await;
    expect_done(move_task(subject, &bob(), "there", "todo", 0).await);
    let after = MemberView::of(bob(), subject).tasks().await;
    for task in before.into_iter().filter(|task| task.column_id.as_str() == "todo") {
        let shifted = after.iter().find(|other| other.id == task.id).unwrap();
        assert_same(shifted, &Task { order: task.order + 1, ..task });
    }
    let tasks = MemberView::of(ada(), subject).tasks().await;
    let ada_only = tasks.into_iter().find(|task| task.id.as_str() == "ada-only");
    let expected = existing(subject, &["ada-only"]).first().map(|_| (2, days(-100)));
    assert_same(&ada_only.map(|task| (task.order, task.updated_at)), &expected);
}

pub(super) async fn a_move_to_the_current_order_shifts_nothing(subject: &dyn Subject) {
    let before = todo_orders(subject).await;
    expect_done(move_task(subject, &ada(), "left", "todo", 4).await);
    assert_same(&todo_orders(subject).await, &before);
}

pub(super) async fn a_task_can_move_within_its_column(subject: &dyn Subject) {
    fill_todo(subject).await;
    expect_done(move_task(subject, &ada(), "ghost", "todo", 0).await);
    let expected = [("ghost", 0), ("open", 1), ("ada-only", 2), ("bob-only", 3), ("done", 4), ("left", 5)];
    assert_same(&todo_orders(subject).await, &orders(subject, expected));
    expect_done(move_task(subject, &ada(), "ghost", "todo", 4).await);
    let expected = [("open", 1), ("ada-only", 2), ("bob-only", 3), ("ghost", 4), ("done", 5), ("left", 6)];
    assert_same(&todo_orders(subject).await, &orders(subject, expected));
}

pub(super) async fn a_shifted_task_can_exceed_the_maximum_order(subject: &dyn Subject) {
    seed(subject, vec![Record::Task(task("far", "doing", 1_000_000))]).await;
    expect_done(move_task(subject, &ada(), "open", "doing", 1_000_000).await);
    let expected = [("open", 1_000_000), ("far", 1_000_001)];
    assert_same(&MemberView::of(ada(), subject).task_orders("doing").await, &orders(subject, expected));
}

pub(super) async fn a_move_does_not_change_other_columns(subject: &dyn Subject) {
    seed(subject, vec![Record::Task(task("there", "doing", 0))]).await;
    let others_before = [
        MemberView::of(bob(), subject).task_orders("bob-col").await,
        MemberView::of(eve(), subject).task_orders("south-col").await,
    ];
    expect_done(move_task(subject, &ada(), "open", "doing", 0).await);
    let expected = [("ada-only", 1), ("bob-only", 2), ("done", 3), ("left", 4), ("ghost", 5)];
    assert_same(&todo_orders(subject).await, &orders(subject, expected));
    let others_after = [
        MemberView::of(bob(), subject).task_orders("bob-col").await,
        MemberView::of(eve(), subject).task_orders("south-col").await,
    ];
    assert_same(&others_after, &others_before);
}

pub(super) async fn a_move_to_a_private_board_clears_the_assignee(subject: &dyn Subject) {
    let moved = expect_done(move_task(subject, &ada(), "open", "ada-col", 0).await);
    assert_same(&(&moved.assignee_id, &moved.assignee, moved.order), &(&None, &None, 0));
    assert_same(&MemberView::of(ada(), subject).task("open").await, &moved);
    let expected = [("open", 0), ("ada-plan", 1), ("bob-on-adas", 2)];
    assert_same(&MemberView::of(ada(), subject).task_orders("ada-col").await, &orders(subject, expected));
}

pub(super) async fn moving_an_invisible_task_returns_not_found(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for task in ["bob-only", "bob-plan", "bob-only-on-adas", "south-task", "nowhere"] {
        assert_outcome(&move_task(subject, &ada(), task, "todo", 0).await, &Written::NotFound);
    }
    assert_outcome(&move_task(subject, &bob(), "bob-on-adas", "todo", 0).await, &Written::NotFound);
    assert_same(&Documents::of_all_members(subject).await, &before);
}

pub(super) async fn concurrent_moves_to_one_order_end_with_distinct_orders(subject: &dyn Subject) {
    let names: Vec<String> = (0..12).map(|n| format!("t{n}")).collect();
    let tasks = (0..).zip(&names).map(|(order, name)| Record::Task(task(name, "todo", 10 + order)));
    seed(subject, tasks.collect()).await;
    let (ada, bob) = (ada(), bob());
    let moves = names.iter().zip([&ada, &bob].into_iter().cycle());
    join_all(
        moves.map(|(name, member)| async move { expect_done(move_task(subject, member, name, "doing", 0).await) }),
    )
    .await;
    let mut orders: Vec<_> =
        MemberView::of(ada, subject).task_orders("doing").await.into_iter().map(|(_, order)| order).collect();
    orders.sort_unstable();
    assert_same(&orders, &(0..12).collect::<Vec<_>>());
}
