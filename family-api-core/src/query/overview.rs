//! The overview of a family: what a reader needs to ask the next question.

use jiff::civil::Date;

use crate::Timestamp;
use crate::calendar::Zone;
use crate::id::{BoardId, ColumnId, ListId, UserId};
use crate::occurrences::Expansion;
use crate::query::shopping::count_open;
use crate::query::tasks::{flatten, matches};
use crate::query::{AssigneeFilter, FoundTask, QueryContext, TaskQuery};
use crate::resource::{Board, Column, Occurrence, Person, ShoppingList};

/// Maximum number of tasks in each of the two excerpts of tasks.
const MAX_TASKS: usize = 5;
/// Maximum number of occurrences that are shown.
const MAX_SHOWN: usize = 20;
/// Maximum number of boards, of columns of a board, of shopping lists, and of members.
const MAX_CONTAINERS: usize = 50;

/// What a member finds in the family now.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Overview {
    /// The caller.
    pub user: UserId,
    /// The time of the overview.
    pub now: Timestamp,
    /// The caller's time zone.
    pub zone: Zone,
    /// The current day in this time zone.
    pub today: Date,
    /// Open tasks that are assigned to the caller, overdue tasks included. Ordered like the results of a [`TaskQuery`].
    pub open_tasks: Excerpt<FoundTask>,
    /// Overdue tasks that are assigned to the caller ([`TaskQuery::overdue`]).
    pub overdue_tasks: Excerpt<FoundTask>,
    /// Occurrences of events from today to the day 7 days later, ordered by start and id.
    pub occurrences: Excerpt<Occurrence>,
    /// Whether occurrences may be missing, also in their total number
    /// ([`FoundOccurrences::is_cut`](super::FoundOccurrences::is_cut)).
    pub are_occurrences_cut: bool,
    /// The boards that the caller sees.
    pub boards: Excerpt<BoardSummary>,
    /// The shopping lists that the caller sees.
    pub lists: Excerpt<ListSummary>,
    /// The members of the family, ordered by name and id.
    pub members: Excerpt<Person>,
}

/// The first records of a longer list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt<T> {
    /// The first records.
    pub items: Vec<T>,
    /// Number of all records.
    pub total: usize,
}

/// A board with its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardSummary {
    /// Identifier of the board.
    pub id: BoardId,
    /// Display name.
    pub name: String,
    /// Whether only the caller sees the board.
    pub is_private: bool,
    /// The columns, in their order on the board.
    pub columns: Excerpt<ColumnSummary>,
}

/// A column of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnSummary {
    /// Identifier of the column.
    pub id: ColumnId,
    /// Display name.
    pub name: String,
    /// Number of open tasks that the caller sees in the column.
    pub open_count: usize,
}

/// A shopping list with the number of its items.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListSummary {
    /// Identifier of the list.
    pub id: ListId,
    /// Display name.
    pub name: String,
    /// Whether only the caller sees the list.
    pub is_private: bool,
    /// Number of open items that the caller sees on the list.
    pub open_count: usize,
}

impl<T> Excerpt<T> {
    /// Keeps the first records.
    pub(super) fn first<R>(
        records: impl ExactSizeIterator<Item = R>,
        max: usize,
        summarize: impl FnMut(R) -> T,
    ) -> Self {
        let total = records.len();
        Self { items: records.take(max).map(summarize).collect(), total }
    }

    /// Returns whether records were left out.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.items.len() < self.total
    }
}

/// The records that an overview is made of.
pub(crate) struct OverviewRecords<'e> {
    /// The boards with their open tasks.
    pub(crate) boards: Vec<Board>,
    /// The occurrences from today on, sorted.
    pub(crate) occurrences: Expansion<'e>,
    /// The shopping lists.
    pub(crate) lists: Vec<ShoppingList>,
    /// The members of the family.
    pub(crate) members: Vec<Person>,
}

impl Overview {
    /// Summarizes the records.
    pub(crate) fn of(records: OverviewRecords<'_>, context: QueryContext<'_>) -> Self {
        let OverviewRecords { boards, occurrences, lists, mut members } = records;
        let summaries = Excerpt::first(boards.iter(), MAX_CONTAINERS, summarize_board);
        let mut open = flatten(boards, context);
        let is_mine = TaskQuery { assignee: Some(AssigneeFilter::Me), ..TaskQuery::default() };
        open.retain(|found| matches(&is_mine, found, context));
        open.sort_by_cached_key(FoundTask::position);
        let overdue: Vec<&FoundTask> = open.iter().filter(|found| found.is_overdue).collect();
        members.sort_unstable_by(|one, other| (&one.name, &one.id).cmp(&(&other.name, &other.id)));
        Self {
            user: context.user.clone(),
            now: context.now,
            zone: context.zone.clone(),
            today: context.zone.day_of(context.now),
            overdue_tasks: Excerpt::first(overdue.into_iter(), MAX_TASKS, FoundTask::clone),
            open_tasks: Excerpt::first(open.iter(), MAX_TASKS, FoundTask::clone),
            are_occurrences_cut: occurrences.is_cut,
            occurrences: Excerpt::first(occurrences.items.iter(), MAX_SHOWN, |found| found.to_occurrence(&members)),
            boards: summaries,
            lists: Excerpt::first(lists.into_iter(), MAX_CONTAINERS, summarize_list),
            members: Excerpt::first(members.into_iter(), MAX_CONTAINERS, |member| member),
        }
    }
}

fn summarize_board(board: &Board) -> BoardSummary {
    BoardSummary {
        id: board.id.clone(),
        name: board.name.clone(),
        is_private: board.is_private,
        columns: Excerpt::first(board.columns.iter(), MAX_CONTAINERS, summarize_column),
    }
}

fn summarize_column(column: &Column) -> ColumnSummary {
    let open_count = column.tasks.iter().filter(|task| !task.completed).count();
    ColumnSummary { id: column.id.clone(), name: column.name.clone(), open_count }
}

fn summarize_list(list: ShoppingList) -> ListSummary {
    ListSummary { open_count: count_open(&list.items), id: list.id, name: list.name, is_private: list.is_private }
}
