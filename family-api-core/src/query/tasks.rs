//! Selects tasks by a [`TaskQuery`].

use std::iter;

use crate::Timestamp;
use crate::calendar::Zone;
use crate::id::{BoardId, UserId};
use crate::query::{AssigneeFilter, Position, QueryContext, TaskQuery};
use crate::resource::{Board, InvalidQuery, Task, TaskFilter};

/// A task with the names of its board and column.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundTask {
    /// The task.
    pub task: Task,
    /// The board of the task.
    pub board_id: BoardId,
    /// The name of the board.
    pub board_name: String,
    /// The name of the column.
    pub column_name: String,
    /// Whether the task is open and its due date has passed ([`TaskQuery::overdue`]).
    pub is_overdue: bool,
}

/// Checks the conditions that depend on each other.
pub(crate) fn check(query: &TaskQuery) -> Result<(), InvalidQuery> {
    if query.due_from.zip(query.due_to).is_some_and(|(from, to)| from > to) {
        return Err(InvalidQuery { parameter: "dueFrom", expected: "a day that is not after `dueTo`" });
    }
    if query.overdue && query.status == TaskFilter::Done {
        let expected = "false, because a task that is done is never overdue";
        return Err(InvalidQuery { parameter: "overdue", expected });
    }
    Ok(())
}

/// Selects the tasks of the boards, in no particular order.
///
/// # Errors
/// [`InvalidQuery`] if the board or the column is not among the boards.
pub(crate) fn select(
    query: &TaskQuery,
    boards: Vec<Board>,
    context: QueryContext<'_>,
) -> Result<Vec<FoundTask>, InvalidQuery> {
    let mut boards = boards;
    if let Some(board) = &query.board {
        boards.retain(|other| other.id == *board);
        if boards.is_empty() {
            let expected = "the id of a board that exists and is visible to you";
            return Err(InvalidQuery { parameter: "board", expected });
        }
    }
    if let Some(column) = &query.column {
        for board in &mut boards {
            board.columns.retain(|other| other.id == *column);
        }
        if boards.iter().all(|board| board.columns.is_empty()) {
            let expected = "the id of a column that exists and is visible to you, on the board if there is one";
            return Err(InvalidQuery { parameter: "column", expected });
        }
    }
    let mut found = flatten(boards, context);
    found.retain(|found| matches(query, found, context));
    Ok(found)
}

pub(super) fn matches(
    query: &TaskQuery,
    FoundTask { task, is_overdue, .. }: &FoundTask,
    context: QueryContext<'_>,
) -> bool {
    let texts = || iter::once(&task.title).chain(&task.description).chain(&task.labels).map(String::as_str);
    query.status.matches(task)
        && (*is_overdue || !query.overdue)
        && is_due_in_range(query, task, context.zone)
        && query.assignee.as_ref().is_none_or(|assignee| is_assigned(task, assignee, context.user))
        && query.text.as_ref().is_none_or(|text| text.is_in(texts()))
}

fn is_due_in_range(query: &TaskQuery, task: &Task, zone: &Zone) -> bool {
    if query.due_from.is_none() && query.due_to.is_none() {
        return true;
    }
    let day = task.due_date.map(|due| zone.day_of(due));
    day.is_some_and(|day| query.due_from.is_none_or(|from| day >= from) && query.due_to.is_none_or(|to| day <= to))
}

fn is_assigned(task: &Task, assignee: &AssigneeFilter, user: &UserId) -> bool {
    match assignee {
        AssigneeFilter::Me => task.assignee_id.as_ref() == Some(user),
        AssigneeFilter::User(assignee) => task.assignee_id.as_ref() == Some(assignee),
        AssigneeFilter::Unassigned => task.assignee_id.is_none(),
    }
}

impl FoundTask {
    /// Returns the sort key: the due date (tasks without one are last), the creation, the id. `order` is not in the key,
    /// because the move of another task changes it.
    pub(crate) fn position(&self) -> Position {
        let due = self.task.due_date.map_or(i64::MAX, Timestamp::as_millis);
        Position::new([due, self.task.created_at.as_millis()], &self.task.id)
    }
}

/// Returns every task of the boards.
pub(crate) fn flatten(boards: Vec<Board>, context: QueryContext<'_>) -> Vec<FoundTask> {
    let mut found = Vec::new();
    for board in boards {
        for column in board.columns {
            found.extend(column.tasks.into_iter().map(|task| FoundTask {
                is_overdue: is_overdue(&task, context),
                task,
                board_id: board.id.clone(),
                board_name: board.name.clone(),
                column_name: column.name.clone(),
            }));
        }
    }
    found
}

fn is_overdue(task: &Task, QueryContext { now, zone, .. }: QueryContext<'_>) -> bool {
    let Some(due) = task.due_date.filter(|due| !task.completed && *due < now) else {
        return false;
    };
    let day = zone.day_of(due);
    let is_due_all_day = zone.start_of_day(day) == due;
    !is_due_all_day || day < zone.day_of(now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::parse_date;
    use crate::query::testing::{NOW, boards, task};

    /// Returns the ids of the tasks that a query selects, sorted like a page.
    fn ids(query: &TaskQuery, tasks: &[Task]) -> Vec<String> {
        select_on(query, boards(tasks.to_vec(), Vec::new())).unwrap()
    }

    fn select_on(query: &TaskQuery, boards: Vec<Board>) -> Result<Vec<String>, &'static str> {
        let user = "ana".parse().unwrap();
        let zone = "Europe/Kyiv".parse().unwrap();
        let context = QueryContext { user: &user, now: NOW.parse().unwrap(), zone: &zone };
        let mut found = super::select(query, boards, context).map_err(|invalid| invalid.parameter)?;
        found.sort_by_key(FoundTask::position);
        Ok(found.into_iter().map(|found| found.task.id.to_string()).collect())
    }

    fn due(id: &str, at: &str) -> Task {
        Task { due_date: Some(at.parse().unwrap()), ..task(id) }
    }

    fn all() -> TaskQuery {
        TaskQuery { status: TaskFilter::All, ..TaskQuery::default() }
    }

    #[test]
    fn tasks_are_sorted_by_due_date_then_creation_then_id() {
        let later = Task { created_at: Timestamp::MAX, ..task("a-later") };
        let tasks = [later, task("z"), task("y"), due("due", NOW), due("soon", "2026-11-01T00:00:00Z")];
        assert_eq!(ids(&all(), &tasks), ["soon", "due", "y", "z", "a-later"]);
    }

    #[test]
    fn a_board_and_a_column_select_their_tasks() {
        let of_board = |board: Option<&str>, column: Option<&str>| {
            let query = TaskQuery {
                board: board.map(|id| id.parse().unwrap()),
                column: column.map(|id| id.parse().unwrap()),
                ..all()
            };
            select_on(&query, boards(vec![task("cook")], vec![task("dig")]))
        };
        assert_eq!(of_board(Some("home"), None).unwrap(), ["cook"]);
        assert_eq!(of_board(None, Some("beds")).unwrap(), ["dig"]);
        assert_eq!(of_board(Some("home"), Some("doing")).unwrap(), [""; 0]);
        assert_eq!(of_board(Some("none"), None), Err("board"));
        assert_eq!(of_board(None, Some("none")), Err("column"));
        assert_eq!(of_board(Some("home"), Some("beds")), Err("column"));
    }

    #[test]
    fn the_assignee_is_the_caller_another_user_or_missing() {
        let assigned = |id: &str, user: &str| Task { assignee_id: Some(user.parse().unwrap()), ..task(id) };
        let tasks = [assigned("1-ana", "ana"), assigned("2-ben", "ben"), task("3-free")];
        for (filter, found) in [
            (AssigneeFilter::Me, "1-ana"),
            (AssigneeFilter::User("ben".parse().unwrap()), "2-ben"),
            (AssigneeFilter::Unassigned, "3-free"),
        ] {
            assert_eq!(ids(&TaskQuery { assignee: Some(filter), ..all() }, &tasks), [found]);
        }
    }

    #[test]
    fn the_status_selects_open_or_completed_tasks() {
        let tasks = [task("open"), Task { completed: true, ..task("closed") }];
        let with = |status| ids(&TaskQuery { status, ..TaskQuery::default() }, &tasks);
        assert_eq!(with(TaskFilter::Open), ["open"]);
        assert_eq!(with(TaskFilter::Done), ["closed"]);
        assert_eq!(with(TaskFilter::All), ["closed", "open"]);
    }

    #[test]
    fn due_days_are_days_in_the_zone_of_the_user() {
        // Midnight in Kyiv is 22:00 UTC.
        let tasks = [
            due("before", "2026-11-19T21:59:59.999Z"),
            due("first", "2026-11-19T22:00:00Z"),
            due("last", "2026-11-20T21:59:59.999Z"),
            due("tomorrow", "2026-11-20T22:00:00Z"),
            task("none"),
        ];
        let day = parse_date("2026-11-20");
        let within = |due_from, due_to| ids(&TaskQuery { due_from, due_to, ..all() }, &tasks);
        assert_eq!(within(day, day), ["first", "last"]);
        assert_eq!(within(day, None), ["first", "last", "tomorrow"]);
        assert_eq!(within(None, day), ["before", "first", "last"]);
        assert_eq!(within(None, parse_date("9999-12-31")).len(), 4);
        let reversed = TaskQuery { due_from: day, due_to: parse_date("2026-11-19"), ..all() };
        assert_eq!(check(&reversed).map_err(|invalid| invalid.parameter), Err("dueFrom"));
    }

    #[test]
    fn a_task_due_on_a_day_is_overdue_from_the_next_day_on() {
        let tasks = [
            due("due-yesterday", "2026-11-18T22:00:00Z"),
            due("due-today", "2026-11-19T22:00:00Z"),
            due("due-a-minute-ago", "2026-11-20T10:14:30Z"),
            due("due-now", NOW),
            Task { completed: true, ..due("finished", "2026-11-01T00:00:00Z") },
            task("none"),
        ];
        let overdue = TaskQuery { overdue: true, ..all() };
        assert_eq!(ids(&overdue, &tasks), ["due-yesterday", "due-a-minute-ago"]);
    }

    #[test]
    fn a_text_is_searched_in_title_description_and_labels() {
        let tasks = [
            Task { title: "Buy MILK".to_owned(), ..task("1") },
            Task { description: Some("with milk".to_owned()), ..task("2") },
            Task { labels: vec!["dairy".to_owned(), "Milky".to_owned()], ..task("3") },
            task("4"),
        ];
        let text = Some("milk".parse().unwrap());
        assert_eq!(ids(&TaskQuery { text, ..all() }, &tasks), ["1", "2", "3"]);
    }
}
