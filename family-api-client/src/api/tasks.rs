//! Calls that change tasks.

use std::sync::Arc;

use family_api_core::change::{TaskChange, TaskMove};
use family_api_core::id::{ColumnId, TaskId};
use family_api_core::resource::Task;
use serde::Serialize;

use crate::request::Request;
use crate::transport::Transport;
use crate::{Call, Versioned};

/// Calls that change tasks. A token needs the scope `v1.tasks.write`.
#[derive(Debug, Clone)]
pub struct TasksApi {
    pub(crate) transport: Arc<Transport>,
    pub(crate) path: fn(&TaskId) -> String,
}

impl TasksApi {
    /// Updates the fields that the change names. If a field is invalid, updates nothing. Returns the updated task.
    pub fn update(&self, task: &TaskId, change: TaskChange) -> Call<Versioned<Task>> {
        self.patch(task, change)
    }

    /// Moves a task to a position in a column. If another task has this position, that task and all later tasks of the
    /// column move by one. Returns the updated task.
    pub fn move_to(&self, task: &TaskId, column: &ColumnId, order: i64) -> Call<Versioned<Task>> {
        self.patch(task, TaskMove::new(column, order))
    }

    fn patch(&self, task: &TaskId, body: impl Serialize) -> Call<Versioned<Task>> {
        Call::update(&self.transport, Request::patch((self.path)(task), body))
    }
}
