//! Updates tasks.

use tracing::instrument;

use crate::access::Caller;
use crate::audit::{AuditEvent, RecordId};
use crate::change::TaskUpdate;
use crate::error::Error;
use crate::id::TaskId;
use crate::key::Scope;
use crate::precondition::Precondition;
use crate::resource::Task;
use crate::service::FamilyApi;
use crate::service::storage_call::StorageCall;
use crate::validation::Reference;

/// The permission to change the family's tasks.
#[derive(Debug, Clone, Copy)]
pub struct TaskService<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) caller: &'a Caller,
}

impl TaskService<'_> {
    /// Updates a task and returns the updated task.
    ///
    /// # Errors
    /// - [`Error::InvalidField`] if the task does not allow the update.
    /// - [`Error::NotFound`] if the caller cannot see the task, or a column or assignee in the update.
    /// - [`Error::PreconditionFailed`] if the precondition does not hold.
    /// - The error of a new request, such as [`Error::InvalidToken`], if the credential became invalid during this
    ///   request.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "update_task", skip_all, fields(user = %self.caller.user(), task = task.id().map(TaskId::as_str)))]
    pub async fn update(
        &self,
        task: &Reference<TaskId>,
        update: TaskUpdate,
        precondition: &Precondition,
    ) -> Result<Task, Error> {
        let author = self.api.author(self.caller, &Scope::V1TasksWrite).await?;
        let task = task.id().ok_or(Error::NotFound)?;
        let (zone, now) = (&self.caller.account().zone, self.api.clock.now());
        let pending = (!update.is_empty()).then(|| {
            let (family, record) = (author.member.family.clone(), RecordId::Task(task.clone()));
            self.api.begin_token_event(self.caller, |user, token| AuditEvent::RecordUpdated {
                user,
                token,
                family,
                record,
            })
        });
        let storage = &self.api.storage;
        let updated = storage.update_task(&author, task, update, precondition, zone, now).traced("update_task").await?;
        let updated = self.api.write_result(self.caller, updated);
        if let Some(pending) = pending {
            pending.complete(updated.is_ok());
        }
        updated
    }
}
