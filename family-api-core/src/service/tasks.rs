//! Writes of tasks.

use crate::Precondition;
use crate::access::Caller;
use crate::audit::{AuditEvent, RecordId};
use crate::change::{Reference, TaskUpdate};
use crate::error::Error;
use crate::id::TaskId;
use crate::resource::Task;
use crate::service::FamilyApi;

/// The permission to change the family's tasks.
#[derive(Debug, Clone, Copy)]
pub struct TaskService<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) caller: &'a Caller,
}

impl TaskService<'_> {
    /// Updates a task and returns it as it is then.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the task, or a record that the update names, is not there for the caller;
    /// [`Error::PreconditionFailed`]; [`Error::InvalidField`] for values that do not fit, or where the task does not
    /// allow the update; the error of a new request if the credential is no longer valid; or the storage's fault.
    pub async fn update(
        &self,
        task: &Reference<TaskId>,
        update: TaskUpdate,
        precondition: &Precondition,
    ) -> Result<Task, Error> {
        update.check().map_err(Error::InvalidField)?;
        let author = self.caller.author()?;
        let task = task.id().ok_or(Error::NotFound)?;
        let (zone, now) = (&self.caller.account().zone, self.api.clock.now());
        let pending = (!update.is_empty()).then(|| {
            let record = RecordId::Task(task.clone());
            self.api.begin_as_key(self.caller, |user, key| AuditEvent::RecordUpdated { user, key, record })
        });
        let storage = &self.api.storage;
        let updated = storage.update_task(&author, task, update, precondition, zone, now).await?;
        let updated = self.api.outcome(self.caller, updated);
        if let Some(pending) = pending {
            pending.complete(updated.is_ok());
        }
        updated
    }
}
