//! Selects tasks by a [`TaskQuery`].

use std::collections::HashMap;
use std::iter;

use jiff::ToSpan;
use jiff::civil::Date;

use crate::Timestamp;
use crate::calendar::Zone;
use crate::id::{BoardId, UserId};
use crate::occurrences::{DayRange, Expansion, MAX_OCCURRENCES, TaskRecurrence};
use crate::query::{AssigneeFilter, Excerpt, Page, Position, QueryContext, TaskQuery};
use crate::resource::{Board, Event, InvalidQuery, Task, TaskFilter};

/// Maximum number of days after the first one in which tasks are due again.
const MAX_DAYS_AFTER: i64 = 365;

/// Maximum number of later due dates of a task that are named.
const MAX_DUE_AGAIN: usize = 10;

/// The error of a query for the tasks of a user who has none and is not a member.
pub(crate) const NOT_A_MEMBER: InvalidQuery =
    InvalidQuery { parameter: "assignee", expected: "`me`, `unassigned`, or the id of a member" };

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
    /// The later due dates of a task that recurs, after now and in the days of a [`TaskSearch`]: at most 10.
    pub due_again: Excerpt<Timestamp>,
}

/// A page of tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundTasks {
    /// The tasks.
    pub page: Page<FoundTask>,
    /// Whether later due dates may be missing, and tasks that match only by them
    /// ([`Occurrences::is_cut`](crate::occurrences::Occurrences::is_cut)), also because the query has more days than are
    /// searched.
    pub is_cut: bool,
}

/// Selects tasks by a [`TaskQuery`], and by when they were done or are due again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskSearch {
    /// The other conditions.
    pub query: TaskQuery,
    /// Only tasks that were completed on this day or later, also those that recur and are open again. The last completed
    /// ones are first.
    pub done_from: Option<Date>,
    /// Whether a task that recurs also matches if it is due again in the days of the query, until its last due day. The
    /// first day is today if the query names none, and at most 366 days are searched.
    pub due_again: bool,
}

impl TaskSearch {
    /// Selects the tasks of the boards, in no particular order. Returns whether later due dates may be missing.
    ///
    /// # Errors
    /// [`InvalidQuery`] if the board or the column is not among the boards.
    pub(crate) fn select(
        &self,
        boards: Vec<Board>,
        context: QueryContext<'_>,
    ) -> Result<(Vec<FoundTask>, bool), InvalidQuery> {
        let (query, zone) = (&self.query, context.zone);
        let mut found = select_containers(query, boards, context)?;
        found.retain(|found| matches_apart_from_due(query, found, context) && self.is_done(&found.task, zone));
        let days = self.days_of_due_again(context);
        let is_cut = days.is_some_and(|days| add_due_again(&mut found, days, context));
        found.retain(|found| is_due_in_range(query, &found.task, zone) || !found.due_again.items.is_empty());
        Ok((found, is_cut))
    }

    /// Returns the sort key of a task.
    pub(crate) fn position(&self, found: &FoundTask) -> Position {
        let done = self.done_from.and_then(|_| last_done(&found.task));
        done.map_or_else(
            || found.position(),
            |done| Position::new([-done.as_millis(), found.task.created_at.as_millis()], &found.task.id),
        )
    }

    fn is_done(&self, task: &Task, zone: &Zone) -> bool {
        self.done_from.is_none_or(|from| last_done(task).is_some_and(|done| zone.day_of(done) >= from))
    }

    /// Returns the days in which tasks that recur are due again, and whether later days of the query are left out.
    fn days_of_due_again(&self, context: QueryContext<'_>) -> Option<(DayRange, bool)> {
        let to = self.query.due_to.filter(|_| self.due_again)?;
        let from = self.query.due_from.unwrap_or_else(|| context.zone.day_of(context.now));
        let last = to.min(from.saturating_add(MAX_DAYS_AFTER.days()));
        Some((DayRange::new(from, last).ok()?, last < to))
    }
}

/// Returns when a task was last completed.
fn last_done(task: &Task) -> Option<Timestamp> {
    task.completed_at.max(task.last_completed_at)
}

/// Adds the later due dates in the days to the open tasks that recur. A time that has passed is none: a completion skips
/// it. Returns whether some may be missing. `are_shortened` says whether days are left out.
fn add_due_again(
    found: &mut [FoundTask],
    (days, are_shortened): (DayRange, bool),
    QueryContext { now, zone, .. }: QueryContext<'_>,
) -> bool {
    let open = found.iter().map(|found| &found.task).filter(|task| !task.completed);
    let events: Vec<Event> = open.filter_map(TaskRecurrence::event_of).collect();
    let expansion = Expansion::of(events.iter(), zone, days, MAX_OCCURRENCES);
    let mut starts: HashMap<&str, Vec<Timestamp>> = HashMap::new();
    for item in &expansion.items {
        starts.entry(item.event_id().as_str()).or_default().push(item.start());
    }
    for FoundTask { task, due_again, .. } in found {
        if let Some((due, starts)) = task.due_date.zip(starts.get(task.id.as_str())) {
            let later: Vec<Timestamp> = starts.iter().copied().filter(|start| *start > due.max(now)).collect();
            *due_again = Excerpt::first(later.into_iter(), MAX_DUE_AGAIN, |start| start);
        }
    }
    expansion.is_cut || (are_shortened && !events.is_empty())
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

/// Returns the tasks of the board and the column that a query names.
fn select_containers(
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
    Ok(flatten(boards, context))
}

pub(super) fn matches(query: &TaskQuery, found: &FoundTask, context: QueryContext<'_>) -> bool {
    matches_apart_from_due(query, found, context) && is_due_in_range(query, &found.task, context.zone)
}

fn matches_apart_from_due(
    query: &TaskQuery,
    FoundTask { task, is_overdue, .. }: &FoundTask,
    context: QueryContext<'_>,
) -> bool {
    let texts = || iter::once(&task.title).chain(&task.description).chain(&task.labels).map(String::as_str);
    query.status.matches(task)
        && (*is_overdue || !query.overdue)
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
                due_again: Excerpt::default(),
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
mod tests;
