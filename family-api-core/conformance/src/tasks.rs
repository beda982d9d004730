//! Tasks: visibility, filter, order, fields.

use family_api_core::resource::{Board, Priority, Task, TaskFilter};
use family_api_core::storage::{Record, TaskRecord};

use crate::Subject;
use crate::fixture::{MemberView, ada, bob, days, eve, id, minute, person, task};

fn task_ids(boards: Vec<Board>) -> Vec<String> {
    let tasks = boards.into_iter().flat_map(|board| board.columns).flat_map(|column| column.tasks);
    tasks.map(|task| task.id.to_string()).collect()
}

pub(super) async fn the_filter_selects_open_tasks_done_tasks_or_both(subject: &dyn Subject) {
    let view = MemberView::of(bob(), subject);
    let open = ["open", "bob-only", "left", "ghost", "bob-plan"];
    assert_eq!(task_ids(view.boards(TaskFilter::Open).await), open);
    assert_eq!(task_ids(view.boards(TaskFilter::Done).await), ["done"]);
    let all = ["open", "bob-only", "done", "left", "ghost", "bob-plan"];
    assert_eq!(task_ids(view.boards(TaskFilter::All).await), all);
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
    subject.seed([for_ada, without_creator].map(Record::Task).into()).await;
    let private = ["ada-only", "bob-only", "for-ada", "no-creator"];
    for (member, seen) in [(ada(), vec!["ada-only"]), (bob(), vec!["bob-only", "for-ada"])] {
        let tasks = task_ids(MemberView::of(member, subject).boards(TaskFilter::All).await);
        let tasks: Vec<_> = tasks.iter().filter(|name| private.contains(&name.as_str())).collect();
        assert_eq!(tasks, seen);
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
    assert_eq!(task_ids(MemberView::of(eve(), subject).boards(TaskFilter::All).await), ["south-task"]);
    assert!(!task_ids(MemberView::of(ada(), subject).boards(TaskFilter::All).await).contains(&"south-task".to_owned()));
}

pub(super) async fn a_found_task_equals_the_listed_task(subject: &dyn Subject) {
    for member in [ada(), bob(), eve()] {
        let listed = subject.storage().list_tasks(&member, TaskFilter::All).await.unwrap();
        let mut ids = vec!["nowhere".to_owned(), "OPEN".to_owned()];
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
            assert_eq!((found.parse().unwrap(), found.revision()), (boards, listed.revision()), "{task}");
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
    subject.seed(tasks.map(Record::Task).into()).await;
    let orders = MemberView::of(ada(), subject).task_orders("doing").await;
    let order: Vec<_> = orders.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(order, ["minus", "-", "0", "B", "_", "b", "c", "ten", "far"]);
    assert_eq!(orders.last().unwrap().1, (1 << 53) - 1);
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
        completed: false,
        completed_at: None,
        order: 0,
        labels: vec!["kitchen".to_owned(), "Ünïcode 😀".to_owned(), "kitchen".to_owned()],
        is_private: false,
        assignee_id: Some(id("bob")),
        assignee: person(subject, "bob").await,
        creator_id: Some(id("ada")),
        creator: person(subject, "ada").await,
        created_at: days(-100),
        updated_at: days(-90),
    };
    assert_eq!(view.task("open").await, open);
    let done = view.task("done").await;
    assert_eq!((done.completed, done.completed_at), (true, Some(minute(-5))));
    assert_eq!((done.description, done.due_date, done.labels), (None, None, vec![]));
    assert_eq!(done.priority, Priority::Medium);
    assert!(view.task("ada-only").await.is_private);
}

pub(super) async fn a_task_has_ids_but_no_names_of_people_who_left_the_family(subject: &dyn Subject) {
    let view = MemberView::of(ada(), subject);
    let left = view.task("left").await;
    assert_eq!((left.creator_id, left.creator), (Some(id("cid")), None));
    assert_eq!((left.assignee_id, left.assignee), (Some(id("dee")), None));
    let ghost = view.task("ghost").await;
    assert_eq!((ghost.creator_id, ghost.creator), (Some(id("gone")), None));
    assert_eq!((ghost.assignee_id, ghost.assignee), (None, None));
}
