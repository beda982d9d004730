//! Typed queries over the records that a member sees: filters, text search, pages and the overview.
//!
//! Everything here is a pure function of its arguments: the records, the caller, the time and the time zone. The records
//! come from [`ReadStorage`](crate::storage::ReadStorage), which returns only what the member sees. So no query can find
//! or count another member's private record. [`ReadService`](crate::ReadService) executes the queries.

#[cfg(feature = "service")]
mod cursor;
#[cfg(feature = "service")]
pub(crate) mod events;
#[cfg(feature = "service")]
pub(crate) mod notes;
pub mod occurrences;
#[cfg(feature = "service")]
mod overview;
#[cfg(feature = "service")]
mod page;
#[cfg(feature = "service")]
mod search_text;
#[cfg(feature = "service")]
mod shopping;
#[cfg(feature = "service")]
mod snippet;
#[cfg(feature = "service")]
pub(crate) mod tasks;
#[cfg(test)]
#[cfg(feature = "service")]
mod testing;

#[cfg(feature = "service")]
pub use cursor::Cursor;
#[cfg(feature = "service")]
pub use events::{EventQuery, FoundOccurrences};
#[cfg(feature = "service")]
pub use notes::{FoundNote, NoteQuery};
#[cfg(feature = "service")]
pub use overview::{BoardSummary, ColumnSummary, Excerpt, ListSummary, Overview};
#[cfg(feature = "service")]
pub use page::{Page, PageRequest};
#[cfg(feature = "service")]
pub use search_text::SearchText;
#[cfg(feature = "service")]
pub use shopping::{FoundList, ShoppingEntry, ShoppingQuery};
#[cfg(feature = "service")]
pub use tasks::{AssigneeFilter, FoundTask, TaskQuery};

#[cfg(feature = "service")]
pub(crate) use cursor::{Position, QueryBinding};
#[cfg(feature = "service")]
pub(crate) use overview::OverviewRecords;

#[cfg(feature = "service")]
use crate::calendar::Zone;
#[cfg(feature = "service")]
use crate::entity_tag::EntityTag;
#[cfg(feature = "service")]
use crate::id::UserId;
#[cfg(feature = "service")]
use crate::timestamp::Timestamp;

/// A record with the entity tag that `If-Match` accepts.
#[cfg(feature = "service")]
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
#[cfg(feature = "service")]
#[derive(Debug, Clone, Copy)]
pub(crate) struct QueryContext<'a> {
    /// The user who makes the query.
    pub(crate) user: &'a UserId,
    /// The time of the query.
    pub(crate) now: Timestamp,
    /// The user's time zone.
    pub(crate) zone: &'a Zone,
}
