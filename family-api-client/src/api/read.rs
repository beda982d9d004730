//! Calls that read tasks, events, shopping lists, notes and task statistics.

use std::sync::Arc;

use family_api_types::Surface;
use family_api_types::jiff::civil::Date;
use family_api_types::paths;
use family_api_types::resource::{Board, Event, Note, ResourceKind, ShoppingList, TaskStats};
use serde::de::DeserializeOwned;

use crate::request::Request;
use crate::transport::Transport;
use crate::{Call, Occurrences};

/// Calls that read the family's data. The token needs the scope `v1.read`, or `mcp.read` on the read path `/api/mcp`.
#[derive(Debug, Clone)]
pub struct ReadApi {
    pub(crate) transport: Arc<Transport>,
    pub(crate) surface: Surface,
}

impl ReadApi {
    /// Returns the boards with their columns and open tasks. [`filter`](Call::filter) selects other tasks.
    pub fn tasks(&self) -> Call<Vec<Board>> {
        self.get(ResourceKind::Tasks)
    }

    /// Returns all events. [`from`](Call::from) and [`to`](Call::to) limit them to some days.
    pub fn events(&self) -> Call<Vec<Event>> {
        self.get(ResourceKind::Events)
    }

    /// Returns every occurrence of an event that overlaps the days from `from` to `to`, with recurrences expanded. Both
    /// days are inclusive, in the time zone of the profile. The range has at most 366 days.
    ///
    /// The response has at most 1,000 occurrences and 8 MiB (HTTP reference, "Occurrences").
    /// [`Occurrences::is_truncated`] returns whether some may be missing.
    pub fn occurrences(&self, from: Date, to: Date) -> Call<Occurrences> {
        Call::occurrences(&self.transport, Request::get(paths::read(self.surface, ResourceKind::Events)))
            .with_query("from", Some(from.to_string()))
            .with_query("to", Some(to.to_string()))
            .with_query("expand", Some("true".to_owned()))
    }

    /// Returns the shopping lists with their items.
    pub fn shopping(&self) -> Call<Vec<ShoppingList>> {
        self.get(ResourceKind::Shopping)
    }

    /// Returns the notes.
    pub fn notes(&self) -> Call<Vec<Note>> {
        self.get(ResourceKind::Notes)
    }

    /// Returns how many open and completed tasks the token's user has.
    pub fn task_stats(&self) -> Call<TaskStats> {
        self.get(ResourceKind::TaskStats)
    }

    fn get<T: DeserializeOwned + 'static>(&self, resource: ResourceKind) -> Call<T> {
        Call::new(&self.transport, Request::get(paths::read(self.surface, resource)))
    }
}
