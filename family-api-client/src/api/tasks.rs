//! Calls that change tasks.

use std::sync::Arc;

use family_api_core::change::{TaskChange, TaskMove, TaskUpdate};
use family_api_core::id::{ColumnId, TaskId};
use family_api_core::resource::Task;

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
    /// Updates the fields in the change, all or none. Returns the updated task.
    pub fn update(&self, task: &TaskId, change: TaskChange) -> Call<Versioned<Task>> {
        self.patch(task, change.into())
    }

    /// Moves a task to a position in a column and shifts other tasks to make room. Returns the updated task.
    pub fn move_to(&self, task: &TaskId, column: &ColumnId, order: i64) -> Call<Versioned<Task>> {
        self.patch(task, TaskMove::new(column, order).into())
    }

    fn patch(&self, task: &TaskId, update: TaskUpdate) -> Call<Versioned<Task>> {
        Call::update(&self.transport, Request::patch((self.path)(task), update))
    }
}
