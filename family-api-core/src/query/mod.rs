//! Typed queries over the records that a member sees: filters, text search, pages and the overview.
//!
//! Everything here is a pure function of its arguments: the records, the caller, the time and the time zone. The records
//! come from [`ReadStorage`](crate::storage::ReadStorage), which returns only what the member sees. So no query can find
//! or count another member's private record. [`ReadService`](crate::ReadService) executes the queries.

mod busy;
mod changes;
mod clashes;
mod cursor;
pub(crate) mod events;
mod free_time;
mod notes;
mod overview;
mod page;
mod restorable;
pub(crate) mod shopping;
mod snippet;
pub(crate) mod tasks;
#[cfg(test)]
mod testing;

pub use changes::{ChangeRequest, State};
pub(crate) use changes::{Followed, INVALID_KINDS};
pub(crate) use clashes::ClashGroup;
pub use clashes::{Clash, ClashQuery, Clashes};
pub use cursor::Cursor;
pub use events::{EventQuery, FoundOccurrences};
pub use free_time::{BusyOccurrence, DayHours, FreeTime, FreeTimeQuery, InvalidDayHours, MAX_FREE_TIME_DAYS};
pub use notes::{FoundNote, NoteQuery};
pub use overview::FoundOverview;
pub use page::{Page, PageRequest};
pub use restorable::RestorablePageRequest;
pub use shopping::{FoundList, ShoppingEntry, ShoppingQuery};
pub use tasks::{FoundTask, FoundTasks, TaskSearch};

pub use crate::resource::{
    AssigneeFilter, BoardOutline, BoardSummary, CheckedFilter, ColumnOutline, ColumnSummary, Excerpt, ItemQuery,
    ListOutline, ListSummary, OverviewQuery, SearchText, TaskQuery,
};

pub(crate) use cursor::{INVALID_CURSOR, Position, QueryBinding};
pub(crate) use overview::{OverviewRecords, OverviewSelection};
pub(crate) use tasks::NOT_A_MEMBER;

use crate::Timestamp;
use crate::calendar::Zone;
use crate::entity_tag::EntityTag;
use crate::id::UserId;

/// A record with the entity tag that `If-Match` accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Versioned<T> {
    /// The record.
    pub record: T,
    /// The entity tag of the current version, as the caller sees it. An update of the record returns the same kind of
    /// tag.
    pub tag: EntityTag,
}

/// The caller and the time of a query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QueryContext<'a> {
    /// The user who makes the query.
    pub(crate) user: &'a UserId,
    /// The time of the query.
    pub(crate) now: Timestamp,
    /// The user's time zone.
    pub(crate) zone: &'a Zone,
}
