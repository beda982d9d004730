//! The types that reads return, and the queries for them (HTTP reference, "Reads"). Storages return these types, and
//! the HTTP API sends them as JSON.

mod changes;
mod deleted;
mod event;
mod kind;
mod list_query;
mod note;
mod occurrence;
mod outline;
mod overview;
mod overview_query;
mod person;
mod profile;
mod query;
mod revision;
mod search_text;
mod shopping;
mod task;
mod task_stats;
mod visibility;

pub use changes::{AnyRecord, ChangeList, ChangedRecord, DeletedRecordId};
pub use deleted::{Deleted, DeletedItems, RestorableList, RestorableRecord};
pub use event::Event;
pub use kind::{RecordKind, Verb, write_scope};
pub use list_query::{AssigneeFilter, CheckedFilter, ItemQuery, RecordPage, TaskQuery};
pub use note::{Note, NoteCategory};
pub use occurrence::{DeletedOccurrence, Occurrence, OccurrenceId};
pub use outline::{BoardOutline, ColumnOutline, ListOutline};
pub use overview::{
    BoardSummary, ColumnSummary, Excerpt, ListSummary, OccurrenceSummary, Overview, PersonSummary, TaskSummary,
};
pub use overview_query::{DaysAhead, OverviewQuery};
pub use person::Person;
pub use profile::Profile;
pub use query::{CheckedItems, InvalidQuery, ReadQuery, TaskFilter, UnknownParameter, find_single};
pub use revision::Revision;
pub use search_text::{SearchText, fold_text};
pub use shopping::{ShoppingItem, ShoppingList};
pub use task::{Board, Column, Priority, Task};
pub use task_stats::TaskStats;
pub use visibility::sees;

use std::str::FromStr;

/// A resource at `/api/v1/read/{resource}` and `/api/mcp/read/{resource}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    /// Boards with their columns and tasks.
    Tasks,
    /// Calendar events.
    Events,
    /// Shopping lists with their items.
    Shopping,
    /// Notes.
    Notes,
    /// Counts of open and completed tasks.
    TaskStats,
}

impl ResourceKind {
    /// Every resource.
    pub const ALL: [Self; 5] = [Self::Tasks, Self::Events, Self::Shopping, Self::Notes, Self::TaskStats];

    /// Returns the name in the path.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tasks => "tasks",
            Self::Events => "events",
            Self::Shopping => "shopping",
            Self::Notes => "notes",
            Self::TaskStats => "task_stats",
        }
    }

    /// Returns what a read of the resource returns.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Tasks => "the boards with their columns and tasks",
            Self::Events => "the events, or their occurrences in a range of days",
            Self::Shopping => "the shopping lists with their items",
            Self::Notes => "the notes",
            Self::TaskStats => "the numbers of the caller's tasks",
        }
    }

    /// Returns the JSON schema of the resource.
    #[cfg(feature = "schema")]
    pub fn schema(self, schemas: &mut schemars::SchemaGenerator) -> schemars::Schema {
        match self {
            Self::Tasks => schemas.subschema_for::<Vec<Board>>(),
            Self::Events => {
                let mut occurrences = schemas.subschema_for::<Vec<Occurrence>>();
                let mut events = schemas.subschema_for::<Vec<Event>>();
                events.insert("title".to_owned(), "events".into());
                occurrences.insert("title".to_owned(), "events with expand=true".into());
                schemars::json_schema!({ "anyOf": [events, occurrences] })
            }
            Self::Shopping => schemas.subschema_for::<Vec<ShoppingList>>(),
            Self::Notes => schemas.subschema_for::<Vec<Note>>(),
            Self::TaskStats => schemas.subschema_for::<TaskStats>(),
        }
    }
}

/// The text is not the name of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected the name of a resource")]
pub struct UnknownResourceKind;

impl FromStr for ResourceKind {
    type Err = UnknownResourceKind;

    fn from_str(name: &str) -> Result<Self, UnknownResourceKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name).ok_or(UnknownResourceKind)
    }
}
