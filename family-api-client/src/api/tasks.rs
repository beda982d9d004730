//! Writes of tasks.

use std::sync::Arc;

use family_api_core::change::{TaskChange, TaskMove, TaskUpdate};
use family_api_core::id::{ColumnId, TaskId};
use family_api_core::resource::Task;

use crate::request::Request;
use crate::transport::Transport;
use crate::{Call, Versioned};

/// Calls that change tasks: with a token they need the scope `v1.tasks.write`.
#[derive(Debug, Clone)]
pub struct TasksApi {
    pub(crate) transport: Arc<Transport>,
    pub(crate) path: fn(&TaskId) -> String,
}

impl TasksApi {
    /// Changes the fields that the change names, all or none, and answers with the task as it is then.
    pub fn update(&self, task: &TaskId, change: TaskChange) -> Call<Versioned<Task>> {
        self.patch(task, change.into())
    }

    /// Moves a task to an exact place in a column, where others make room, and answers with the task as it is then.
    pub fn move_to(&self, task: &TaskId, column: &ColumnId, order: i64) -> Call<Versioned<Task>> {
        self.patch(task, TaskMove::new(column, order).into())
    }

    fn patch(&self, task: &TaskId, update: TaskUpdate) -> Call<Versioned<Task>> {
        Call::update(&self.transport, Request::patch((self.path)(task), update))
    }
}
