//! Tasks: visibility, filter, order, fields.

use family_api_core::resource::{Board, Priority, RecordKind, Task, TaskFilter};
use family_api_core::storage::{Record, TaskRecord};

use crate::Subject;
use crate::fixture::{
    MemberView, NOT_OF_THE_HOST, ada, assert_same, bob, days, eve, existing, id, minute, person, seed, task,
};
use crate::writes::kinds::kept;

fn task_ids(boards: Vec<Board>) -> Vec<String> {
    let tasks = boards.into_iter().flat_map(|board| board.columns).flat_map(|column| column.tasks);
    tasks.map(|task| task.id.to_string()).collect()
}

pub(super) async fn the_filter_selects_open_tasks_done_tasks_or_both(subject: &dyn Subject) {
    let view = MemberView::of(bob(), subject);
    let seen = async |filter| {
        let mut ids = task_ids(view.boards(filter).await);
        ids.sort_unstable();
        ids
    };
    let open = existing(subject, &["bob-only", "bob-plan", "ghost", "left", "open"]);
    assert_same(&seen(TaskFilter::Open).await, &open);
    assert_same(&seen(TaskFilter::Done).await, &["done"]);
    let all = existing(subject, &["bob-only", "bob-plan", "done", "ghost", "left", "open"]);
    assert_same(&seen(TaskFilter::All).await, &all);
}

pub(super) async fn a_private_task_is_visible_only_to_its_creator(subject: &dyn Subject) {
    let for_ada = TaskRecord {
        is_private: true,
        creator_id: Some(id("bob")),
        assignee_id: Some(id("ada")),
        ..task("for-ada", "doing", 0)
    };
    let without_creator =
        TaskRecord { is_private: true, assignee_id: Some(id("ada")), ..task("no-creator", "doing", 1) };
    seed(subject, [for_ada, without_creator].map(Record::Task).into()).await;
    let private = ["ada-only", "bob-only", "for-ada", "no-creator"];
    for (member, seen) in [(ada(), vec!["ada-only"]), (bob(), vec!["bob-only", "for-ada"])] {
        let tasks = task_ids(MemberView::of(member, subject).boards(TaskFilter::All).await);
        let mut tasks: Vec<_> = tasks.iter().filter(|name| private.contains(&name.as_str())).collect();
        tasks.sort_unstable();
        assert_same(&tasks, &seen);
    }
}

pub(super) async fn board_visibility_is_checked_before_task_visibility(subject: &dyn Subject) {
    let ada_sees = task_ids(MemberView::of(ada(), subject).boards(TaskFilter::All).await);
    assert!(ada_sees.contains(&"bob-on-adas".to_owned()));
    assert!(!ada_sees.contains(&"bob-only-on-adas".to_owned()));
    let bob_sees = task_ids(MemberView::of(bob(), subject).boards(TaskFilter::All).await);
    assert!(!bob_sees.iter().any(|name| name.ends_with("-on-adas")), "{bob_sees:?}");
}

pub(super) async fn tasks_of_another_family_are_not_visible(subject: &dyn Subject) {
    assert_same(&task_ids(MemberView::of(eve(), subject).boards(TaskFilter::All).await), &["south-task"]);
    assert!(!task_ids(MemberView::of(ada(), subject).boards(TaskFilter::All).await).contains(&"south-task".to_owned()));
}

pub(super) async fn a_found_task_equals_the_listed_task(subject: &dyn Subject) {
    for member in [ada(), bob(), eve()] {
        let listed = subject.storage().list_tasks(&member, TaskFilter::All).await.unwrap();
        let mut ids = ["nowhere", "OPEN", "0open", NOT_OF_THE_HOST].map(str::to_owned).to_vec();
        for other in [ada(), bob(), eve()] {
            ids.extend(task_ids(MemberView::of(other, subject).boards(TaskFilter::All).await));
        }
        for task in ids {
            let mut boards = listed.parse().unwrap();
            for board in &mut boards {
                for column in &mut board.columns {
                    column.tasks.retain(|other| other.id.as_str() == task);
                }
                board.columns.retain(|column| !column.tasks.is_empty());
            }
            boards.retain(|board| !board.columns.is_empty());
            let found = subject.storage().find_task(&member, &id(&task)).await.unwrap();
            assert_same(&found.parse().unwrap(), &boards);
            assert_eq!(found.revision(), listed.revision(), "{task}");
        }
    }
}

pub(super) async fn tasks_are_sorted_by_order_then_id(subject: &dyn Subject) {
    let tasks = [
        task("b", "doing", 9),
        TaskRecord { created_at: days(-900), ..task("c", "doing", 9) },
        task("B", "doing", 9),
        task("_", "doing", 9),
        task("-", "doing", 9),
        task("0", "doing", 9),
        task("ten", "doing", 10),
        task("minus", "doing", -1),
        task("far", "doing", (1 << 53) - 1),
    ];
    let names = tasks.each_ref().map(|task| task.id.to_string());
    seed(subject, tasks.map(Record::Task).into()).await;
    let doing = if subject.storage().capabilities().keeps_kind(RecordKind::Board) { "doing" } else { "tasks" };
    let mut orders = MemberView::of(ada(), subject).task_orders(doing).await;
    orders.retain(|(name, _)| names.contains(name));
    let order: Vec<_> = orders.iter().map(|(name, _)| name.as_str()).collect();
    if subject.storage().capabilities().keeps_field(RecordKind::Task, "order") {
        assert_same(&order, &["minus", "-", "0", "B", "_", "b", "c", "ten", "far"]);
        assert_same(&orders.last().unwrap().1, &((1 << 53) - 1));
    } else {
        assert_same(&order, &["-", "0", "B", "_", "b", "c", "far", "minus", "ten"]);
    }
}

pub(super) async fn every_field_of_a_task_is_returned(subject: &dyn Subject) {
    let view = MemberView::of(ada(), subject);
    let open = Task {
        id: id("open"),
        column_id: id("todo"),
        title: "Buy 🥛".to_owned(),
        description: Some("two litres".to_owned()),
        priority: Priority::Urgent,
        due_date: Some(days(3)),
        recurrence: Some("DTSTART;TZID=Europe/Madrid:20261123T130000\nRRULE:FREQ=WEEKLY".to_owned()),
        completed: false,
        completed_at: None,
        last_completed_at: Some(days(-4)),
        order: 0,
        labels: vec!["kitchen".to_owned(), "Ünïcode 😀".to_owned(), "kitchen".to_owned()],
        is_private: false,
        assignee_id: Some(id("bob")),
        assignee: person(subject, "bob").await,
        creator_id: Some(id("ada")),
        creator: person(subject, "ada").await,
        created_at: days(-100),
        updated_at: days(-90),
        sequence: 4,
    };
    assert_same(&view.task("open").await, &kept(subject, open.clone()));
    let bare = Task {
        description: None,
        priority: Priority::Medium,
        due_date: None,
        recurrence: None,
        last_completed_at: None,
        labels: vec![],
        updated_at: days(-100),
        sequence: 0,
        ..open
    };
    let (ada, bob) = (bare.creator_id.clone(), bare.assignee_id.clone());
    let done = Task {
        id: id("done"),
        title: "done".to_owned(),
        completed: true,
        completed_at: Some(minute(-5)),
        order: 3,
        assignee_id: ada.clone(),
        assignee: bare.creator.clone(),
        creator_id: bob,
        creator: bare.assignee.clone(),
        ..bare.clone()
    };
    assert_same(&view.task("done").await, &kept(subject, done));
    if !existing(subject, &["ada-only"]).is_empty() {
        let private = Task {
            id: id("ada-only"),
            title: "ada-only".to_owned(),
            order: 1,
            is_private: true,
            assignee_id: ada,
            assignee: bare.creator.clone(),
            ..bare
        };
        assert_same(&view.task("ada-only").await, &kept(subject, private));
    }
}

pub(super) async fn a_task_has_ids_but_no_names_of_people_who_left_the_family(subject: &dyn Subject) {
    let view = MemberView::of(ada(), subject);
    let keeps = |field: &str| subject.storage().capabilities().keeps_field(RecordKind::Task, field);
    let (creates, assigns) = (keeps("creatorId"), keeps("assigneeId"));
    let left = view.task("left").await;
    assert_same(&(left.creator_id, left.creator), &(creates.then(|| id("cid")), None));
    assert_same(&(left.assignee_id, left.assignee), &(assigns.then(|| id("dee")), None));
    let ghost = view.task("ghost").await;
    assert_same(&(ghost.creator_id, ghost.creator), &(creates.then(|| id("gone")), None));
    assert_same(&(ghost.assignee_id, ghost.assignee), &(None, None));
}
