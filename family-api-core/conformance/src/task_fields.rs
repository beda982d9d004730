//! Changing fields of a task: given fields are set, omitted fields are kept.

use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::change::TaskChange;
use family_api_core::jiff::SignedDuration;
use family_api_core::jiff::civil::date;
use family_api_core::resource::{Priority, RecordKind, Task};
use family_api_core::storage::{Operation, RecordWrite, Written};
use futures_util::future::join_all;
use serde_json::json;

use crate::Subject;
use crate::fixture::calls::{record_write, update, write_as};
use crate::fixture::{
    Documents, MemberView, ada, assert_outcome, assert_same, bob, eve, existing, expect_done, id, minute, now, person,
    seconds,
};
use crate::writes::kinds::{kept, kept_body};

/// A change and its expected effect on the task.
type ChangeCase = (TaskChange, fn(&mut Task));

pub(super) async fn a_task_change_sets_every_given_field(subject: &dyn Subject) {
    let before = MemberView::of(ada(), subject).task("left").await;
    let change = TaskChange::new()
        .title(" Wäsche 🧺 ")
        .description("")
        .priority(Priority::Low)
        .complete()
        .column(&id("doing"))
        .order(12)
        .assignee(&id("bob"))
        .due_date(seconds(7))
        .labels(["a\"b", "😀", "a\"b"])
        .make_shared();
    let moves = subject.storage().capabilities().keeps_field(RecordKind::Task, "columnId");
    let after = Task {
        title: "Wäsche 🧺".to_owned(),
        description: Some(String::new()),
        priority: Priority::Low,
        completed: true,
        completed_at: Some(now()),
        column_id: if moves { id("doing") } else { before.column_id.clone() },
        order: 12,
        assignee_id: Some(id("bob")),
        assignee: person(subject, "bob").await,
        due_date: Some(seconds(7)),
        labels: vec!["a\"b".to_owned(), "😀".to_owned(), "a\"b".to_owned()],
        updated_at: now(),
        sequence: before.sequence + 1,
        ..before
    };
    let (change, after) = (kept_body::<Task>(subject, change), kept(subject, after));
    assert_same(&expect_done(update::<Task>(subject, &ada(), "left", change).await), &after);
    assert_same(&MemberView::of(bob(), subject).task("left").await, &after);
}

pub(super) async fn a_task_change_keeps_omitted_fields(subject: &dyn Subject) {
    let keep = TaskChange::new;
    let changes: [ChangeCase; 6] = [
        (keep().title("T"), |task| "T".clone_into(&mut task.title)),
        (keep().description("D"), |task| {
            task.description = Some("D".to_owned());
        }),
        (keep().priority(Priority::High), |task| task.priority = Priority::High),
        (keep().order(99), |task| task.order = 99),
        (keep().labels::<&str>([]), |task| task.labels = vec![]),
        (keep().make_shared(), |_| ()),
    ];
    let mut expected = MemberView::of(ada(), subject).task("open").await;
    expected.updated_at = now();
    for (change, apply) in changes {
        let change = kept_body::<Task>(subject, change);
        if change == json!({}) {
            continue;
        }
        let before = expected.clone();
        apply(&mut expected);
        expected.sequence += u32::from(expected != before);
        expected = kept(subject, expected);
        assert_same(&expect_done(update::<Task>(subject, &ada(), "open", change).await), &expected);
        assert_same(&MemberView::of(ada(), subject).task("open").await, &expected);
    }
}

pub(super) async fn null_clears_description_due_date_and_assignee(subject: &dyn Subject) {
    let before = MemberView::of(ada(), subject).task("open").await;
    let change = TaskChange::new().clear_description().clear_due_date().clear_recurrence().clear_assignee();
    let after = Task {
        description: None,
        due_date: None,
        recurrence: None,
        assignee_id: None,
        assignee: None,
        updated_at: now(),
        sequence: before.sequence + 1,
        ..before
    };
    let (change, after) = (kept_body::<Task>(subject, change), kept(subject, after));
    if change == json!({}) {
        return;
    }
    assert_same(&expect_done(update::<Task>(subject, &ada(), "open", change).await), &after);
    assert_same(&MemberView::of(ada(), subject).task("open").await, &after);
}

pub(super) async fn a_due_day_starts_in_the_time_zone_of_the_caller(subject: &dyn Subject) {
    let day = date(2026, 9, 6);
    for (zone, start) in [("Asia/Kolkata", "2026-09-05T18:30:00Z"), ("America/Santiago", "2026-09-06T04:00:00Z")] {
        let change = TaskChange::new().due_date(day);
        let zone: Zone = zone.parse().unwrap();
        let start: Timestamp = start.parse().unwrap();
        let operation = Operation::update(id("open"), change.build().unwrap());
        let write = RecordWrite { zone, ..record_write::<Task>(operation) };
        assert_same(&expect_done(write_as(subject, &ada().into(), &write).await).due_date, &Some(start));
        assert_same(&MemberView::of(ada(), subject).task("open").await.due_date, &Some(start));
    }
}

pub(super) async fn completed_at_is_kept_until_the_task_is_reopened(subject: &dyn Subject) {
    let (complete, reopen) = (TaskChange::new().complete(), TaskChange::new().reopen());
    let again = expect_done(update::<Task>(subject, &ada(), "done", complete.clone()).await);
    assert_same(&(again.completed, again.completed_at), &(true, Some(minute(-5))));
    let reopened = expect_done(update::<Task>(subject, &ada(), "done", reopen).await);
    assert_same(&(reopened.completed, reopened.completed_at), &(false, None));
    assert_same(&MemberView::of(ada(), subject).task("done").await, &reopened);
    let closed = expect_done(update::<Task>(subject, &ada(), "done", complete).await);
    assert_same(&(closed.completed, closed.completed_at), &(true, Some(now())));
    assert_same(&MemberView::of(ada(), subject).task("done").await, &closed);
}

pub(super) async fn a_completed_task_that_recurs_is_due_again(subject: &dyn Subject) {
    let twice = TaskChange::new().due_date(seconds(-60)).recurrence("FREQ=DAILY;COUNT=2");
    let before = expect_done(update::<Task>(subject, &ada(), "open", twice).await);
    let (start, _) = before.recurrence.as_deref().unwrap_or_default().split_once('\n').unwrap_or_default();
    assert!(start.starts_with("DTSTART;TZID="), "{start}");
    assert_same(&MemberView::of(ada(), subject).task("open").await, &before);
    let again = expect_done(update::<Task>(subject, &ada(), "open", TaskChange::new().complete()).await);
    let day = SignedDuration::from_hours(24);
    let due_date = before.due_date.map(|due| due.saturating_add(day));
    let sequence = before.sequence + 1;
    let expected = Task { due_date, last_completed_at: Some(now()), updated_at: now(), sequence, ..before };
    let expected = kept(subject, expected);
    assert_same(&again, &expected);
    assert_same(&MemberView::of(ada(), subject).task("open").await, &expected);
    let done = expect_done(update::<Task>(subject, &ada(), "open", TaskChange::new().complete()).await);
    let sequence = expected.sequence + 1;
    let expected = kept(subject, Task { completed: true, completed_at: Some(now()), sequence, ..expected });
    assert_same(&done, &expected);
    assert_same(&MemberView::of(ada(), subject).task("open").await, &expected);
}

pub(super) async fn an_empty_task_change_changes_nothing_and_returns_the_task(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    let done_task = MemberView::of(ada(), subject).task("done").await;
    let updated = update::<Task>(subject, &ada(), "done", TaskChange::new()).await;
    assert_same(&expect_done(updated), &done_task);
    assert_same(&Documents::of_all_members(subject).await, &before);
}

pub(super) async fn setting_a_field_to_another_value_updates_updated_at(subject: &dyn Subject) {
    let before = MemberView::of(ada(), subject).task("open").await;
    let change = TaskChange::new().title("Another");
    let (title, sequence) = ("Another".to_owned(), before.sequence + 1);
    let after = kept(subject, Task { title, updated_at: now(), sequence, ..before });
    assert_same(&expect_done(update::<Task>(subject, &ada(), "open", change).await), &after);
    assert_same(&MemberView::of(ada(), subject).task("open").await, &after);
}

pub(super) async fn setting_an_order_shifts_no_other_task(subject: &dyn Subject) {
    let change = TaskChange::new().order(5);
    assert_same(&expect_done(update::<Task>(subject, &ada(), "open", change).await).order, &5);
    let names = existing(subject, &["ada-only", "done", "left", "ghost", "open"]);
    let order = |name| if name == "open" { 5 } else { order_in_todo(name) };
    let orders: Vec<_> = names.into_iter().map(|name| (name.to_owned(), order(name))).collect();
    let todo = MemberView::of(ada(), subject).task("open").await.column_id;
    assert_same(&MemberView::of(ada(), subject).task_orders(todo.as_str()).await, &orders);
}

/// Returns the order of a task that ada sees, as it was seeded.
fn order_in_todo(name: &str) -> i64 {
    [("ada-only", 1), ("done", 3), ("left", 4), ("ghost", 5)].into_iter().find(|(other, _)| *other == name).unwrap().1
}

pub(super) async fn a_task_change_changes_no_other_task(subject: &dyn Subject) {
    let others = |tasks: Vec<Task>| tasks.into_iter().filter(|task| task.id.as_str() != "open").collect::<Vec<_>>();
    let before = others(MemberView::of(ada(), subject).tasks().await);
    let counts_before =
        [MemberView::of(bob(), subject).notes().await.len(), MemberView::of(eve(), subject).tasks().await.len()];
    let change = TaskChange::new().title("T").complete();
    assert!(matches!(update::<Task>(subject, &ada(), "open", change).await, Written::Updated { .. }));
    assert_same(&others(MemberView::of(ada(), subject).tasks().await), &before);
    let counts_after =
        [MemberView::of(bob(), subject).notes().await.len(), MemberView::of(eve(), subject).tasks().await.len()];
    assert_same(&counts_after, &counts_before);
}

pub(super) async fn changing_an_invisible_task_returns_not_found(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for task in ["bob-only", "bob-plan", "bob-only-on-adas", "south-task", "nowhere", "OPEN"] {
        for change in [TaskChange::new(), TaskChange::new().title("mine")] {
            assert_outcome(&update::<Task>(subject, &ada(), task, change).await, &Written::NotFound);
        }
    }
    // bob is the creator and the assignee, but the board is private to ada.
    let change = TaskChange::new().title("mine");
    assert_outcome(&update::<Task>(subject, &bob(), "bob-on-adas", change).await, &Written::NotFound);
    assert_same(&Documents::of_all_members(subject).await, &before);
}

pub(super) async fn concurrent_changes_to_different_task_fields_are_all_kept(subject: &dyn Subject) {
    let (ada, bob) = (ada(), bob());
    let changes = [
        TaskChange::new().title("T"),
        TaskChange::new().description("D"),
        TaskChange::new().priority(Priority::Low),
        TaskChange::new().labels(["l"]),
        TaskChange::new().order(77),
    ];
    let before = MemberView::of(ada.clone(), subject).task("open").await;
    let changes = changes.map(|change| kept_body::<Task>(subject, change));
    let count: u32 = changes.iter().map(|change| u32::from(*change != json!({}))).sum();
    let changes = changes.into_iter().zip([&ada, &bob].into_iter().cycle());
    join_all(
        changes
            .map(|(change, member)| async move { expect_done(update::<Task>(subject, member, "open", change).await) }),
    )
    .await;
    let task = MemberView::of(ada, subject).task("open").await;
    let expected = Task {
        title: "T".to_owned(),
        description: Some("D".to_owned()),
        priority: Priority::Low,
        labels: vec!["l".to_owned()],
        order: 77,
        updated_at: now(),
        sequence: before.sequence + count,
        ..before
    };
    assert_same(&task, &kept(subject, expected));
}
