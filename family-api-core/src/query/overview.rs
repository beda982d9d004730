//! Finds what the overview of a family shows.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::Timestamp;
use crate::calendar::Zone;
use crate::id::UserId;
use crate::occurrences::Expansion;
use crate::query::shopping::count_open;
use crate::query::tasks::{NOT_A_MEMBER, flatten, matches};
use crate::query::{AssigneeFilter, EventQuery, FoundTask, QueryContext, TaskQuery};
use crate::resource::{
    Board, BoardSummary, Column, ColumnSummary, Excerpt, InvalidQuery, ListSummary, Occurrence, OverviewQuery, Person,
    ShoppingList,
};

/// Maximum number of occurrences that are shown.
const MAX_SHOWN: usize = 20;
/// Maximum number of boards, of columns of a board, of shopping lists, and of members.
const MAX_CONTAINERS: usize = 50;

/// What a member finds in the family now.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FoundOverview {
    /// The caller.
    pub user: UserId,
    /// The time of the overview.
    pub now: Timestamp,
    /// The caller's time zone.
    pub zone: Zone,
    /// The current day in this time zone.
    pub today: Date,
    /// The last day of the occurrences.
    pub last_day: Date,
    /// Open tasks, overdue tasks included. Ordered like the results of a [`TaskQuery`].
    pub open_tasks: Excerpt<FoundTask>,
    /// Overdue tasks ([`TaskQuery::overdue`]).
    pub overdue_tasks: Excerpt<FoundTask>,
    /// Occurrences of events from today to the last day, ordered by start and id.
    pub occurrences: Excerpt<Occurrence>,
    /// Whether occurrences may be missing, also in their total number
    /// ([`FoundOccurrences::is_cut`](super::FoundOccurrences::is_cut)).
    pub are_occurrences_cut: bool,
    /// The members who take part in the occurrences.
    pub participants: Vec<Person>,
    /// The boards that the caller sees.
    pub boards: Excerpt<BoardSummary>,
    /// The shopping lists that the caller sees.
    pub lists: Excerpt<ListSummary>,
    /// The members of the family, ordered by name and id.
    pub members: Excerpt<Person>,
}

/// Selects what an overview shows.
#[derive(Debug, Clone)]
pub(crate) struct OverviewSelection {
    /// Whose tasks. `None` selects all.
    tasks: Option<AssigneeFilter>,
    /// Whose events. `None` selects all.
    events: Option<AssigneeFilter>,
    /// How many days after today have events.
    days: u8,
    /// Maximum number of tasks in each of the two excerpts of tasks.
    max_tasks: usize,
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

impl OverviewSelection {
    /// Selects the tasks of the caller, and all events of the next 7 days.
    pub(crate) fn of_caller() -> Self {
        Self { tasks: Some(AssigneeFilter::Me), events: None, days: 7, max_tasks: 5 }
    }

    /// Selects the tasks and the events of a query.
    pub(crate) fn of(OverviewQuery { assignee, days }: &OverviewQuery) -> Self {
        Self { tasks: assignee.clone(), events: assignee.clone(), days: days.get(), max_tasks: 10 }
    }

    /// Returns the query for the events.
    pub(crate) fn events(&self, QueryContext { user, now, zone }: QueryContext<'_>) -> EventQuery {
        let today = zone.day_of(now);
        let person = match &self.events {
            Some(AssigneeFilter::Me) => Some(user),
            Some(AssigneeFilter::User(user)) => Some(user),
            Some(AssigneeFilter::Unassigned) | None => None,
        };
        let to = Some(today.saturating_add(i64::from(self.days).days()));
        EventQuery { from: Some(today), to, person: person.cloned(), ..EventQuery::default() }
    }
}

impl FoundOverview {
    /// Summarizes the records. `last_day` is that of the occurrences.
    ///
    /// # Errors
    /// [`InvalidQuery`] if the selected user has no open task and is not a member.
    pub(crate) fn of(
        selection: OverviewSelection,
        last_day: Date,
        records: OverviewRecords<'_>,
        context: QueryContext<'_>,
    ) -> Result<Self, InvalidQuery> {
        let OverviewSelection { tasks, events, max_tasks, .. } = selection;
        let OverviewRecords { boards, mut occurrences, lists, mut members } = records;
        let summaries = Excerpt::first(boards.iter(), MAX_CONTAINERS, summarize_board);
        let mut open = flatten(boards, context);
        let query = TaskQuery { assignee: tasks, ..TaskQuery::default() };
        open.retain(|found| matches(&query, found, context));
        if let Some(AssigneeFilter::User(user)) = &query.assignee
            && open.is_empty()
            && !members.iter().any(|member| member.id == *user)
        {
            return Err(NOT_A_MEMBER);
        }
        open.sort_by_cached_key(FoundTask::position);
        let overdue: Vec<&FoundTask> = open.iter().filter(|found| found.is_overdue).collect();
        if events == Some(AssigneeFilter::Unassigned) {
            occurrences.items.retain(|found| found.assignee_id().is_none() && found.participant_ids().is_empty());
        }
        let shown = Excerpt::first(occurrences.items.iter(), MAX_SHOWN, |found| found.to_occurrence(&members));
        let takes_part = |id: &UserId| shown.items.iter().any(|found| found.participant_ids.contains(id));
        let participants = members.iter().filter(|member| takes_part(&member.id)).cloned().collect();
        members.sort_unstable_by(|one, other| (&one.name, &one.id).cmp(&(&other.name, &other.id)));
        Ok(Self {
            user: context.user.clone(),
            now: context.now,
            zone: context.zone.clone(),
            today: context.zone.day_of(context.now),
            last_day,
            overdue_tasks: Excerpt::first(overdue.into_iter(), max_tasks, FoundTask::clone),
            open_tasks: Excerpt::first(open.iter(), max_tasks, FoundTask::clone),
            are_occurrences_cut: occurrences.is_cut,
            occurrences: shown,
            participants,
            boards: summaries,
            lists: Excerpt::first(lists.into_iter(), MAX_CONTAINERS, summarize_list),
            members: Excerpt::first(members.into_iter(), MAX_CONTAINERS, |member| member),
        })
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
