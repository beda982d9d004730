//! Task statistics: which tasks are counted, and in which period.

use family_api_core::Timestamp;
use family_api_core::calendar::StatsPeriods;
use family_api_core::jiff::SignedDuration;
use family_api_core::resource::{RecordKind, TaskStats};
use family_api_core::storage::{BoardRecord, Member, Record, TaskRecord};

use crate::Subject;
use crate::fixture::{Call, ada, assert_same, board, bob, column, days, eve, family, id, minute, seed, task, user};

fn periods() -> StatsPeriods {
    StatsPeriods { today: days(0)..days(1), week: days(-4)..days(3) }
}

#[track_caller]
fn stats(subject: &dyn Subject, member: &Member) -> impl Future<Output = TaskStats> {
    let call = Call::new("find_task_stats", &member.user);
    async move { call.result(subject.storage().find_task_stats(member, &periods()).await).parse().unwrap() }
}

fn only_open(my_open: u64) -> TaskStats {
    TaskStats { my_open, done_today: 0, done_week: 0, done_total: 0 }
}

fn done(at: Timestamp, record: TaskRecord) -> TaskRecord {
    TaskRecord { completed_at: Some(at), ..record }
}

fn just_before(at: Timestamp) -> Timestamp {
    at.saturating_add(SignedDuration::from_millis(-1))
}

pub(super) async fn stats_count_assigned_tasks_and_own_unassigned_tasks(subject: &dyn Subject) {
    let people = |creator: Option<&str>, assignee: Option<&str>, record| TaskRecord {
        creator_id: creator.map(id),
        assignee_id: assignee.map(id),
        ..record
    };
    let tasks = [
        people(Some("eve"), Some("dee"), task("t1", "south-col", 1)),
        people(Some("dee"), Some("eve"), task("t2", "south-col", 2)),
        people(Some("eve"), None, task("t3", "south-col", 3)),
        people(Some("dee"), None, task("t4", "south-col", 4)),
        people(None, Some("eve"), task("t5", "south-col", 5)),
        people(None, None, task("t6", "south-col", 6)),
        people(Some("eve"), Some("gone"), task("t7", "south-col", 7)),
        people(Some("gone"), Some("eve"), task("t8", "south-col", 8)),
    ];
    seed(subject, tasks.map(Record::Task).into()).await;
    let own_unassigned = u64::from(subject.storage().capabilities().keeps_field(RecordKind::Task, "creatorId"));
    // Counts `south-task`, t2, t5, t8, and t3, which eve has created.
    assert_same(&stats(subject, &eve()).await, &only_open(4 + own_unassigned));
    let dee = Member { user: id("dee"), family: id("south") };
    // Counts t1, and t4, which dee has created, but no tasks of `north`, the former family of dee.
    assert_same(&stats(subject, &dee).await, &only_open(1 + own_unassigned));
}

pub(super) async fn stats_do_not_count_invisible_tasks(subject: &dyn Subject) {
    // `ada-only` and `ada-plan` are open. `done` was completed before noon, when the period `today` starts.
    assert_same(&stats(subject, &ada()).await, &TaskStats { done_week: 1, done_total: 1, ..only_open(2) });
    // Counts `open`, `bob-only` and `bob-plan`, but no tasks on the private board of ada.
    assert_same(&stats(subject, &bob()).await, &only_open(3));
}

pub(super) async fn stats_do_not_count_private_tasks_of_other_members(subject: &dyn Subject) {
    let record = TaskRecord {
        is_private: true,
        creator_id: Some(id("dee")),
        assignee_id: Some(id("eve")),
        ..task("t1", "south-col", 1)
    };
    let on_private = TaskRecord { assignee_id: Some(id("eve")), ..task("t2", "south-dee-col", 0) };
    let board = BoardRecord { is_private: true, owner_user_id: Some(id("dee")), ..board("south-dees", "south") };
    let records = vec![
        Record::Task(record),
        Record::Board(board),
        Record::Column(column("south-dee-col", "south-dees")),
        Record::Task(on_private),
    ];
    seed(subject, records).await;
    assert_same(&stats(subject, &eve()).await, &only_open(1));
}

pub(super) async fn a_stats_period_includes_its_start_and_excludes_its_end(subject: &dyn Subject) {
    let instants = [
        just_before(days(-4)),
        days(-4),
        just_before(days(0)),
        days(0),
        just_before(days(1)),
        days(1),
        just_before(days(3)),
        days(3),
    ];
    let tasks = (0..).zip(instants).map(|(order, at)| {
        let name = format!("t{order}");
        Record::Task(TaskRecord { assignee_id: Some(id("fay")), ..done(at, task(&name, "east-col", order)) })
    });
    let around = [
        Record::Family(family("east")),
        Record::User(user("fay", Some("east"))),
        Record::Board(board("east-board", "east")),
        Record::Column(column("east-col", "east-board")),
    ];
    seed(subject, around.into_iter().chain(tasks).collect()).await;
    let fay = Member { user: id("fay"), family: id("east") };
    let expected = TaskStats { my_open: 0, done_today: 2, done_week: 6, done_total: 8 };
    assert_same(&stats(subject, &fay).await, &expected);
}

pub(super) async fn stats_count_only_completed_tasks_as_done(subject: &dyn Subject) {
    let tasks = [
        done(minute(1), task("t1", "south-col", 1)),
        done(minute(2), task("t2", "south-col", 2)),
        task("t3", "south-col", 3),
    ];
    let mine = tasks.map(|record| Record::Task(TaskRecord { assignee_id: Some(id("eve")), ..record }));
    seed(subject, mine.into()).await;
    let expected = TaskStats { my_open: 2, done_today: 2, done_week: 2, done_total: 2 };
    assert_same(&stats(subject, &eve()).await, &expected);
}
