//! The rules that depend on the stored task.

use crate::calendar::Zone;
use crate::change::{
    BoardOwner, Destination, Editable, TaskChange, TaskFacts, TaskMove, TaskUpdate, TaskWrite, Verdict, WriteContext,
};
use crate::resource::{Priority, Task};
use crate::timestamp::Timestamp;
use crate::validation::{Field, Reference};

use super::{at, now, person};

/// Returns a task on a shared board, created by Ada and assigned to Bob.
fn task() -> Task {
    Task {
        id: "t".parse().unwrap(),
        column_id: "from".parse().unwrap(),
        title: "t".to_owned(),
        description: Some("d".to_owned()),
        priority: Priority::Low,
        due_date: None,
        recurrence: None,
        completed: false,
        completed_at: None,
        last_completed_at: None,
        order: 4,
        labels: vec![],
        is_private: false,
        assignee_id: Some("bob".parse().unwrap()),
        assignee: Some(person("bob")),
        creator_id: Some("ada".parse().unwrap()),
        creator: Some(person("ada")),
        created_at: at("2026-01-01T00:00:00Z"),
        updated_at: at("2026-01-01T00:00:00Z"),
        sequence: 7,
    }
}

fn facts(task: Task) -> TaskFacts {
    TaskFacts { task, board: BoardOwner::Family, destination: None, assignee: None }
}

fn destination(board: BoardOwner) -> Destination {
    Destination { column: "to".parse().unwrap(), board, end: 9 }
}

fn board_of_ada() -> BoardOwner {
    BoardOwner::User("ada".parse().unwrap())
}

/// Checks an update by Ada, whose time zone is UTC.
fn decide(update: TaskUpdate, facts: TaskFacts) -> Verdict<TaskWrite> {
    let context = WriteContext { user: &"ada".parse().unwrap(), zone: &Zone::utc(), now: now() };
    Task::decide(update, facts, &context)
}

fn written(update: TaskUpdate, facts: TaskFacts) -> TaskWrite {
    match decide(update, facts) {
        Verdict::Write(write) => write,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_empty_change_keeps_the_task_and_its_updated_at() {
    let expected = TaskWrite { task: task(), makes_room: false };
    assert_eq!(decide(TaskChange::default().build().unwrap(), facts(task())), Verdict::Write(expected));
}

#[test]
fn a_missing_record_is_not_found_before_any_rule_is_checked() {
    let refused = || TaskChange { is_private: Some(true), ..TaskChange::default() };
    let of_bob = || facts(Task { creator_id: Some("bob".parse().unwrap()), ..task() });
    assert!(matches!(decide(refused().build().unwrap(), of_bob()), Verdict::Refused(_)));
    for column in [Reference::from("to"), Reference::Invalid] {
        let change = TaskChange { column: Some(column.clone()), ..refused() };
        assert_eq!(decide(change.build().unwrap(), of_bob()), Verdict::NotFound);
        let to = TaskMove { column, order: 0 };
        assert_eq!(decide(to.build().unwrap(), of_bob()), Verdict::NotFound);
    }
}

#[test]
fn an_assignee_outside_of_the_family_is_a_fault_beside_others() {
    let of_bob = Task { creator_id: Some("bob".parse().unwrap()), ..task() };
    for user in [Reference::from("eve"), Reference::Invalid] {
        let change = TaskChange { assignee: Field::Set(user), is_private: Some(true), ..TaskChange::default() };
        let Verdict::Refused(faults) = decide(change.build().unwrap(), facts(of_bob.clone())) else { panic!() };
        let pointers: Vec<_> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(pointers, ["/assigneeId", "/isPrivate"]);
        assert_eq!(faults[0].detail, "is not the id of a member of the family");
        let moved = TaskChange { column: Some("to".into()), ..change };
        assert_eq!(decide(moved.build().unwrap(), facts(task())), Verdict::NotFound);
    }
}

#[test]
fn a_move_takes_the_exact_position_and_makes_room() {
    let update = TaskMove { column: "to".into(), order: 3 }.build().unwrap();
    let on_board = |board| TaskFacts { destination: Some(destination(board)), ..facts(task()) };
    let moved = Task { column_id: "to".parse().unwrap(), order: 3, updated_at: now(), sequence: 8, ..task() };
    let expected = TaskWrite { task: moved.clone(), makes_room: true };
    assert_eq!(written(update.clone(), on_board(BoardOwner::Family)), expected);
    let unassigned = Task { assignee_id: None, assignee: None, ..moved };
    assert_eq!(written(update, on_board(board_of_ada())), TaskWrite { task: unassigned, makes_room: true });
}

#[test]
fn without_an_order_a_task_goes_to_the_end_of_the_column() {
    let to = |order| {
        let change = TaskChange { column: Some("to".into()), order, ..TaskChange::default() };
        let facts = TaskFacts { destination: Some(destination(BoardOwner::Family)), ..facts(task()) };
        let write = written(change.build().unwrap(), facts);
        (write.task.column_id.to_string(), write.task.order, write.makes_room)
    };
    assert_eq!(to(None), ("to".to_owned(), 9, false));
    assert_eq!(to(Some(2)), ("to".to_owned(), 2, false));
}

#[test]
fn only_the_first_completion_sets_completed_at() {
    let complete = |completed, completed_at: Option<Timestamp>| {
        let change = TaskChange { completed: Some(completed), ..TaskChange::default() };
        let task = Task { completed: completed_at.is_some(), completed_at, ..task() };
        let write = written(change.build().unwrap(), facts(task));
        (write.task.completed, write.task.completed_at)
    };
    assert_eq!(complete(true, None), (true, Some(now())));
    let before = at("2026-01-01T00:00:00Z");
    assert_eq!(complete(true, Some(before)), (true, Some(before)));
    assert_eq!(complete(false, Some(before)), (false, None));
    assert_eq!(complete(false, None), (false, None));
}

#[test]
fn a_forbidden_assignee_or_private_flag_is_refused() {
    let of_bob = || Task { creator_id: Some("bob".parse().unwrap()), ..task() };
    let assign = |is_private| TaskChange { assignee: Field::Set("cid".into()), is_private, ..TaskChange::default() };
    let private = Task { is_private: true, ..task() };
    for (change, task, board, expected) in [
        (assign(None), task(), BoardOwner::Family, vec![]),
        (assign(None), task(), board_of_ada(), vec!["/assigneeId"]),
        (assign(None), private.clone(), BoardOwner::Family, vec!["/assigneeId"]),
        (assign(None), private.clone(), board_of_ada(), vec!["/assigneeId"]),
        (assign(Some(false)), private, BoardOwner::Family, vec![]),
        (assign(Some(true)), task(), BoardOwner::Family, vec!["/assigneeId"]),
        (assign(Some(true)), of_bob(), BoardOwner::Family, vec!["/assigneeId", "/isPrivate"]),
        (TaskChange { is_private: Some(true), ..TaskChange::default() }, of_bob(), board_of_ada(), vec!["/isPrivate"]),
        (TaskChange { is_private: Some(false), ..TaskChange::default() }, of_bob(), board_of_ada(), vec![]),
    ] {
        let case = format!("{change:?} of {task:?} on {board:?}");
        let assignee = matches!(change.assignee, Field::Set(_)).then(|| person("cid"));
        let verdict = decide(change.build().unwrap(), TaskFacts { board, assignee, ..facts(task) });
        let mut pointers: Vec<_> = match verdict {
            Verdict::Refused(faults) => faults.into_iter().map(|fault| fault.pointer).collect(),
            Verdict::Write(_) => vec![],
            Verdict::NotFound => panic!("{case}"),
        };
        pointers.sort();
        assert_eq!(pointers, expected, "{case}");
    }
}

/// Returns whether the assignee can see the task.
fn assignee_sees(task: &Task, board: &BoardOwner) -> bool {
    task.assignee_id.as_ref().is_none_or(|assignee| {
        let sees_board = match board {
            BoardOwner::Family => true,
            BoardOwner::User(owner) => owner == assignee,
        };
        sees_board && (!task.is_private || task.creator_id.as_ref() == Some(assignee))
    })
}

#[test]
fn no_change_assigns_a_task_to_a_user_who_cannot_see_it() {
    let mut written = 0;
    for (creator, is_private) in [("ada", false), ("ada", true), ("bob", false)] {
        for assignee in [None, Some("ada"), Some("bob")] {
            for board in [BoardOwner::Family, board_of_ada()] {
                let (creator_id, creator) = (Some(creator.parse().unwrap()), Some(person(creator)));
                let (assignee_id, assignee) = (assignee.map(|name| name.parse().unwrap()), assignee.map(person));
                let task = Task { is_private, assignee_id, assignee, creator_id, creator, ..task() };
                if assignee_sees(&task, &board) {
                    written += apply_every_change(&task, &board);
                }
            }
        }
    }
    assert!(written > 200, "{written}");
}

/// Applies every combination of column, assignee and privacy. Returns the number of valid changes.
fn apply_every_change(task: &Task, board: &BoardOwner) -> usize {
    let mut written = 0;
    for target in [None, Some(BoardOwner::Family), Some(board_of_ada())] {
        for assignee in [Field::Keep, Field::Clear, Field::Set("ada"), Field::Set("bob")] {
            for is_private in [None, Some(true), Some(false)] {
                let change = TaskChange {
                    column: target.as_ref().map(|_| "to".into()),
                    assignee: match assignee {
                        Field::Keep => Field::Keep,
                        Field::Clear => Field::Clear,
                        Field::Set(name) => Field::Set(name.into()),
                    },
                    is_private,
                    ..TaskChange::default()
                };
                let facts = TaskFacts {
                    task: task.clone(),
                    board: board.clone(),
                    destination: target.clone().map(destination),
                    assignee: assignee.clone().set().map(person),
                };
                let case = format!("{change:?} of {task:?} on {board:?}, to {target:?}");
                if let Verdict::Write(write) = decide(change.build().unwrap(), facts) {
                    let new_board = target.as_ref().unwrap_or(board);
                    assert!(assignee_sees(&write.task, new_board), "{case}");
                    let assigned = write.task.assignee.as_ref().map(|person| &person.id);
                    assert_eq!(assigned, write.task.assignee_id.as_ref(), "{case}");
                    written += 1;
                }
            }
        }
    }
    written
}
