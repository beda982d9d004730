//! Reads of the five resources.

use std::sync::Arc;

use family_api_core::Surface;
use family_api_core::paths;
use family_api_core::resource::{Board, Event, Note, ResourceKind, ShoppingList, TaskStats};
use serde::de::DeserializeOwned;

use crate::Call;
use crate::request::Request;
use crate::transport::Transport;

/// Calls that read the family's resources: they need the scope `v1.read`, over the read path `mcp.read`.
#[derive(Debug, Clone)]
pub struct ReadApi {
    pub(crate) transport: Arc<Transport>,
    pub(crate) surface: Surface,
}

impl ReadApi {
    /// The boards with their columns and open tasks; [`filter`](Call::filter) shows others.
    pub fn tasks(&self) -> Call<Vec<Board>> {
        self.get(ResourceKind::Tasks)
    }

    /// The events: all of them, unless [`from`](Call::from) and [`to`](Call::to) say which days.
    pub fn events(&self) -> Call<Vec<Event>> {
        self.get(ResourceKind::Events)
    }

    /// The shopping lists with their items.
    pub fn shopping(&self) -> Call<Vec<ShoppingList>> {
        self.get(ResourceKind::Shopping)
    }

    /// The notes.
    pub fn notes(&self) -> Call<Vec<Note>> {
        self.get(ResourceKind::Notes)
    }

    /// How many tasks of the token's user are open and were done.
    pub fn task_stats(&self) -> Call<TaskStats> {
        self.get(ResourceKind::TaskStats)
    }

    fn get<T: DeserializeOwned>(&self, resource: ResourceKind) -> Call<T> {
        Call::new(&self.transport, Request::get(paths::read(self.surface, resource)))
    }
}
