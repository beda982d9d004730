//! Flaws of the tasks' changes.

use family_api_core::calendar::Zone;
use family_api_core::change::{Field, TaskChange, TaskMove, TaskUpdate};
use family_api_core::id::{ColumnId, TaskId};
use family_api_core::resource::{Task, TaskFilter};
use family_api_core::storage::{Author, Credential, Member, ReadStorage, StorageError, Update, WriteStorage};
use family_api_core::{Precondition, Timestamp};

use crate::broken::reads::tasks_of;
use crate::broken::{Broken, Flaw};

type Outcome = Result<Update<Task>, StorageError>;

/// The arguments of one task update.
pub(super) struct TaskWriter<'a> {
    pub(super) broken: &'a Broken,
    pub(super) member: &'a Member,
    pub(super) credential: &'a Credential,
    pub(super) task: &'a TaskId,
    pub(super) precondition: &'a Precondition,
    pub(super) zone: &'a Zone,
    pub(super) now: Timestamp,
}

impl TaskWriter<'_> {
    pub(super) async fn update(&self, update: TaskUpdate) -> Outcome {
        match update {
            TaskUpdate::Fields(change) => self.change(change).await,
            TaskUpdate::Move(to) => self.move_task(to).await,
        }
    }

    async fn update_inner(&self, update: TaskUpdate) -> Outcome {
        let Self { broken, member, credential, task, precondition, zone, now } = *self;
        let author = Author { member: member.clone(), credential: credential.clone() };
        broken.inner.update_task(&author, task, update, precondition, zone, now).await
    }

    async fn change_inner(&self, change: TaskChange) -> Outcome {
        self.update_inner(TaskUpdate::Fields(change)).await
    }

    async fn change(&self, mut change: TaskChange) -> Outcome {
        match self.broken.flaw {
            Some(Flaw::UpdatesInvisibleTasks) => return self.as_any_member(TaskUpdate::Fields(change)).await,
            Some(Flaw::StoresHalfOfARefusedTaskChange) => {
                let mut half = TaskChange::new();
                half.title = change.title.clone();
                self.change_inner(half).await?;
            }
            Some(Flaw::SetsUpdatedAtOnAnEmptyChange) if change == TaskChange::default() => {
                let task = self.seen().await?.into_iter().find(|task| task.id == *self.task);
                change.title = task.map(|task| task.title);
            }
            Some(Flaw::IgnoresNull) => {
                change.description = without_clear(change.description);
                change.assignee = without_clear(change.assignee);
                change.due_date = without_clear(change.due_date);
            }
            Some(Flaw::OverwritesCompletedAt) if change.completed == Some(true) => {
                self.change_inner(TaskChange::new().reopen()).await?;
            }
            Some(Flaw::InsertsAtTheStartOfTheColumn) if change.column.is_some() => {
                change.order = change.order.or(Some(0));
            }
            Some(Flaw::AppendsAfterVisibleTasksOnly) => change.order = change.order.or(self.end(&change).await?),
            Some(Flaw::ClearsTheAssigneeOnEveryNewColumn) if change.column.is_some() => change.assignee = Field::Clear,
            Some(Flaw::ChangesEveryTask) => {
                for other in self.seen().await? {
                    TaskWriter { task: &other.id, ..*self }.change_inner(change.clone()).await?;
                }
            }
            Some(Flaw::OverwritesTheWholeTask) => {
                let seen = self.seen().await?.into_iter().find(|task| task.id == *self.task);
                tokio::task::yield_now().await;
                change.title = change.title.or_else(|| seen.clone().map(|task| task.title));
                change.labels = change.labels.or_else(|| seen.map(|task| task.labels));
            }
            Some(Flaw::ReadsDueDaysAsUtc) => {
                return TaskWriter { zone: &Zone::utc(), ..*self }.change_inner(change).await;
            }
            Some(Flaw::IgnoresUnknownAssignees) => return self.ignoring_unknown_assignee(change).await,
            Some(Flaw::IgnoresRefusedFields) => return self.ignoring_refused_fields(change).await,
            _ => {}
        }
        let before = self.seen().await?.into_iter().find(|task| task.id == *self.task);
        let outcome = self.change_inner(change).await?;
        Ok(match (self.broken.flaw, outcome, before) {
            (Some(Flaw::ReportsOnlyTheFirstFault), Update::Refused(mut faults), _) => {
                faults.truncate(1);
                Update::Refused(faults)
            }
            (Some(Flaw::ReturnsTheTaskBeforeTheChange), Update::Done(_), Some(before)) => Update::Done(before),
            (_, outcome, _) => outcome,
        })
    }

    async fn move_task(&self, to: TaskMove) -> Outcome {
        let mut as_fields = TaskChange::new().order(to.order);
        as_fields.column = Some(to.column.clone());
        match self.broken.flaw {
            Some(Flaw::MovesInvisibleTasks) => self.as_any_member(TaskUpdate::Move(to)).await,
            Some(Flaw::MovesWithoutUpdatedAt) => {
                let outcome = self.update_inner(TaskUpdate::Move(to)).await?;
                Ok(match outcome {
                    Update::Done(task) => Update::Done(Task { updated_at: task.created_at, ..task }),
                    other => other,
                })
            }
            Some(Flaw::ShiftsEveryColumn) => {
                for other in self.seen().await? {
                    let push = TaskChange::new().order(other.order + 1);
                    TaskWriter { task: &other.id, ..*self }.change_inner(push).await?;
                }
                self.update_inner(TaskUpdate::Move(to)).await
            }
            Some(Flaw::ShiftsNothingOnAMove) => self.change_inner(as_fields).await,
            Some(Flaw::ChecksForAFreeOrderWithoutLock) => {
                let seen = self.seen().await?;
                tokio::task::yield_now().await;
                let taken = seen.iter().any(|task| Some(&task.column_id) == to.column.id() && task.order == to.order);
                if taken { self.update_inner(TaskUpdate::Move(to)).await } else { self.change_inner(as_fields).await }
            }
            Some(Flaw::ShiftsEvenIfTheOrderIsFree) => {
                let outcome = self.update_inner(TaskUpdate::Move(to)).await?;
                self.shift_the_others(&outcome, 1).await?;
                Ok(outcome)
            }
            Some(Flaw::SetsUpdatedAtOfShiftedTasks) => {
                let outcome = self.update_inner(TaskUpdate::Move(to)).await?;
                self.shift_the_others(&outcome, 0).await?;
                Ok(outcome)
            }
            _ => self.update_inner(TaskUpdate::Move(to)).await,
        }
    }

    async fn seen(&self) -> Result<Vec<Task>, StorageError> {
        Ok(tasks_of(self.broken.inner.list_tasks(self.member, TaskFilter::All).await?.parse()?))
    }

    async fn as_any_member(&self, update: TaskUpdate) -> Outcome {
        for other in self.broken.all_members(self.member) {
            let outcome = TaskWriter { member: &other, ..*self }.update_inner(update.clone()).await?;
            if outcome != Update::NotFound {
                return Ok(outcome);
            }
        }
        Ok(Update::NotFound)
    }

    async fn ignoring_unknown_assignee(&self, mut change: TaskChange) -> Outcome {
        match self.change_inner(change.clone()).await? {
            Update::NotFound => {
                change.assignee = Field::Keep;
                self.change_inner(change).await
            }
            outcome => Ok(outcome),
        }
    }

    async fn ignoring_refused_fields(&self, mut change: TaskChange) -> Outcome {
        match self.change_inner(change.clone()).await? {
            Update::Refused(_) => {
                (change.assignee, change.is_private) = (Field::Keep, None);
                self.change_inner(change).await
            }
            outcome => Ok(outcome),
        }
    }

    /// Returns one more than the highest order visible to the member in the new column.
    async fn end(&self, change: &TaskChange) -> Result<Option<i64>, StorageError> {
        let Some(column) = change.column.as_ref().and_then(|column| column.id()) else { return Ok(None) };
        let seen = self.seen().await?;
        let others = seen.iter().filter(|task| is_other(task, column, self.task));
        Ok(Some(others.map(|task| task.order + 1).max().unwrap_or(0)))
    }

    async fn shift_the_others(&self, outcome: &Update<Task>, by: i64) -> Result<(), StorageError> {
        let Update::Done(moved) = outcome else { return Ok(()) };
        for other in self.seen().await? {
            if is_other(&other, &moved.column_id, self.task) && other.order >= moved.order {
                let push = TaskChange::new().order(other.order + by);
                TaskWriter { task: &other.id, ..*self }.change_inner(push).await?;
            }
        }
        Ok(())
    }
}

fn is_other(task: &Task, column: &ColumnId, than: &TaskId) -> bool {
    task.column_id == *column && task.id != *than
}

fn without_clear<T>(field: Field<T>) -> Field<T> {
    match field {
        Field::Clear => Field::Keep,
        other => other,
    }
}
