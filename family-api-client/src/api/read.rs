//! Reads of the five resources.

use family_api_core::paths;
use family_api_core::resource::{Board, Event, Note, ResourceKind, ShoppingList, TaskFilter, TaskStats};
use jiff::civil::Date;
use serde::de::DeserializeOwned;

use crate::Error;
use crate::transport::Transport;

/// Calls that read the family's resources.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    pub(crate) transport: &'a Transport,
}

impl Reading<'_> {
    /// The boards, with their columns and the tasks that the filter lets through.
    ///
    /// # Errors
    /// An [`Error`], which says what it means.
    pub async fn tasks(&self, filter: TaskFilter) -> Result<Vec<Board>, Error> {
        let completed = match filter {
            TaskFilter::Open => None,
            TaskFilter::Done => Some("true"),
            TaskFilter::All => Some("all"),
        };
        let query: Vec<_> = completed.into_iter().map(|value| ("completed", value.to_owned())).collect();
        self.get(ResourceKind::Tasks, &query).await
    }

    /// The events that start on the day `from` or later and end on the day `to` or earlier, in the profile's time zone.
    ///
    /// # Errors
    /// An [`Error`], which says what it means.
    pub async fn events(&self, from: Option<Date>, to: Option<Date>) -> Result<Vec<Event>, Error> {
        let ends = [("from", from), ("to", to)];
        let query: Vec<_> = ends.into_iter().filter_map(|(name, day)| Some((name, day?.to_string()))).collect();
        self.get(ResourceKind::Events, &query).await
    }

    /// The shopping lists, with their items.
    ///
    /// # Errors
    /// An [`Error`], which says what it means.
    pub async fn shopping(&self) -> Result<Vec<ShoppingList>, Error> {
        self.get(ResourceKind::Shopping, &[]).await
    }

    /// The notes.
    ///
    /// # Errors
    /// An [`Error`], which says what it means.
    pub async fn notes(&self) -> Result<Vec<Note>, Error> {
        self.get(ResourceKind::Notes, &[]).await
    }

    /// How many tasks of the token's user are open and were done.
    ///
    /// # Errors
    /// An [`Error`], which says what it means.
    pub async fn task_stats(&self) -> Result<TaskStats, Error> {
        self.get(ResourceKind::TaskStats, &[]).await
    }

    async fn get<T: DeserializeOwned>(&self, resource: ResourceKind, query: &[(&str, String)]) -> Result<T, Error> {
        self.transport.get(&paths::v1_read(resource), query).await
    }
}
