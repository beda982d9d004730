//! Permitted assignees of a task, and making a task private.

use family_api_core::change::TaskChange;
use family_api_core::resource::Task;
use family_api_core::storage::Written;
use serde_json::json;

use crate::Subject;
use crate::fixture::calls::update;
use crate::fixture::{Documents, MemberView, ada, assert_outcome, assert_same, bob, expect_done, faults, id, person};

fn assign(user: &str) -> TaskChange {
    TaskChange::new().assignee(&id(user))
}

fn make_private() -> TaskChange {
    TaskChange::new().make_private()
}

pub(super) async fn a_task_can_be_assigned_to_a_family_member(subject: &dyn Subject) {
    let task = expect_done(update::<Task>(subject, &bob(), "left", assign("ada")).await);
    assert_same(&(&task.assignee_id, &task.assignee), &(&Some(id("ada")), &person(subject, "ada").await));
    assert_same(&MemberView::of(ada(), subject).task("left").await, &task);
}

pub(super) async fn assigning_a_non_member_returns_not_found_and_changes_nothing(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for user in ["eve", "dee", "cid", "gone", "nobody", "no id"] {
        let change = json!({ "title": "assigned", "completed": true, "assigneeId": user });
        assert_outcome(&update::<Task>(subject, &ada(), "open", change).await, &Written::NotFound);
    }
    assert_same(&Documents::of_all_members(subject).await, &before);
}

pub(super) async fn a_private_task_can_only_be_assigned_to_its_creator(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    let change = assign("bob").title("assigned");
    assert_same(&faults(update::<Task>(subject, &ada(), "ada-only", change).await), &["/assigneeId"]);
    assert_same(&Documents::of_all_members(subject).await, &before);
    let unassign = TaskChange::new().clear_assignee();
    assert_same(&expect_done(update::<Task>(subject, &ada(), "ada-only", unassign).await).assignee_id, &None);
    let creator = expect_done(update::<Task>(subject, &ada(), "ada-only", assign("ada")).await);
    assert_same(&creator.assignee_id, &Some(id("ada")));
}

pub(super) async fn tasks_on_a_private_board_can_only_be_assigned_to_its_owner(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    assert_same(&faults(update::<Task>(subject, &ada(), "ada-plan", assign("bob")).await), &["/assigneeId"]);
    let moved_to_private_board = assign("bob").column(&id("ada-col"));
    assert_same(&faults(update::<Task>(subject, &ada(), "open", moved_to_private_board).await), &["/assigneeId"]);
    assert_same(&Documents::of_all_members(subject).await, &before);
    let moved_to_shared_board = assign("bob").column(&id("todo"));
    assert_same(
        &expect_done(update::<Task>(subject, &ada(), "ada-plan", moved_to_shared_board).await).assignee_id,
        &Some(id("bob")),
    );
    assert_same(
        &expect_done(update::<Task>(subject, &ada(), "bob-on-adas", assign("ada")).await).assignee_id,
        &Some(id("ada")),
    );
}

pub(super) async fn making_a_task_private_assigns_it_to_its_creator(subject: &dyn Subject) {
    let task = expect_done(update::<Task>(subject, &ada(), "open", make_private()).await);
    assert!(task.is_private);
    assert_same(&(&task.assignee_id, &task.assignee), &(&Some(id("ada")), &person(subject, "ada").await));
    assert_same(&MemberView::of(ada(), subject).task("open").await, &task);
    assert!(MemberView::of(bob(), subject).tasks().await.iter().all(|task| task.id.as_str() != "open"));
}

pub(super) async fn a_null_assignee_is_ignored_when_a_task_is_made_private(subject: &dyn Subject) {
    let change = make_private().clear_assignee();
    assert_same(&expect_done(update::<Task>(subject, &ada(), "open", change).await).assignee_id, &Some(id("ada")));
}

pub(super) async fn only_the_creator_can_make_a_task_private(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for task in ["open", "left", "ghost"] {
        let change = make_private().title("mine");
        assert_same(&faults(update::<Task>(subject, &bob(), task, change).await), &["/isPrivate"]);
    }
    assert_same(&Documents::of_all_members(subject).await, &before);
}

pub(super) async fn making_a_task_private_rejects_another_assignee(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    let other = make_private().assignee(&id("bob"));
    assert_same(&faults(update::<Task>(subject, &ada(), "open", other.clone()).await), &["/assigneeId"]);
    let mut both = faults(update::<Task>(subject, &ada(), "left", other).await);
    both.sort();
    assert_same(&both, &["/assigneeId", "/isPrivate"]);
    assert_same(&Documents::of_all_members(subject).await, &before);
}

pub(super) async fn a_task_made_public_becomes_visible_to_the_family(subject: &dyn Subject) {
    let change = assign("bob").make_shared();
    let task = expect_done(update::<Task>(subject, &ada(), "ada-only", change).await);
    assert_same(&(task.is_private, &task.assignee_id), &(false, &Some(id("bob"))));
    assert_same(&MemberView::of(bob(), subject).task("ada-only").await, &task);
}
