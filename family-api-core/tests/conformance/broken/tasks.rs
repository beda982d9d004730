//! Flaws of changes and moves of tasks. A flaw edits the JSON of an update.

use family_api_core::calendar::Zone;
use family_api_core::change::{Editable, TaskUpdate};
use family_api_core::id::TaskId;
use family_api_core::resource::{Task, TaskFilter};
use family_api_core::storage::{
    Author, Credential, Member, Operation, ReadStorage, RecordWrite, StorageError, WriteStorage, Written,
};
use family_api_core::{Precondition, Timestamp};
use serde_json::{Value, json};

use crate::broken::reads::tasks_of;
use crate::broken::records::parse;
use crate::broken::{BrokenStorage, Flaw};

type Outcome = Result<Written<Task>, StorageError>;

/// Applies one task update to the broken storage, with the storage's flaw.
pub(super) struct TaskWriter<'a> {
    pub(super) broken: &'a BrokenStorage,
    pub(super) member: &'a Member,
    pub(super) credential: &'a Credential,
    pub(super) task: &'a TaskId,
    pub(super) precondition: &'a Precondition,
    pub(super) zone: &'a Zone,
    pub(super) now: Timestamp,
}

impl TaskWriter<'_> {
    pub(super) async fn update(&self, update: &TaskUpdate) -> Outcome {
        let body = json!(update);
        for other in self.broken.members_of_other_families_if_flawed(self.member) {
            TaskWriter { member: &other, ..*self }.update_inner(&body).await?;
        }
        if is_move(&body) { self.move_task(body).await } else { self.change(body).await }
    }

    async fn update_inner(&self, body: &Value) -> Outcome {
        let Self { broken, member, credential, task, precondition, zone, now } = *self;
        let author = Author { member: member.clone(), credential: credential.clone() };
        let update = Task::parse_update(parse(body)).unwrap();
        let operation = Operation::Update { id: task.clone(), update, precondition: precondition.clone() };
        let write = RecordWrite::new(operation, zone.clone(), now);
        broken.inner.write_task(&author, &write).await
    }

    async fn change(&self, mut change: Value) -> Outcome {
        match self.broken.flaw {
            Some(Flaw::UpdatesInvisibleTasks) => return self.update_as_any_member(&change).await,
            Some(Flaw::StoresHalfOfARefusedTaskChange) => {
                let mut half = change.clone();
                half.as_object_mut().unwrap().retain(|name, _| name == "title");
                self.update_inner(&half).await?;
            }
            Some(Flaw::SetsUpdatedAtOnAnEmptyChange) if change == json!({}) => {
                if let Some(task) = self.find_visible_task().await? {
                    change["title"] = json!(task.title);
                }
            }
            Some(Flaw::IgnoresNull) => change.as_object_mut().unwrap().retain(|_, value| !value.is_null()),
            Some(Flaw::OverwritesCompletedAt) if change["completed"] == true => {
                self.update_inner(&json!({ "completed": false })).await?;
            }
            Some(Flaw::InsertsAtTheStartOfTheColumn) if has(&change, "columnId") => set_absent(&mut change, "order", 0),
            Some(Flaw::AppendsAfterVisibleTasksOnly) if has(&change, "columnId") => {
                let end = self.visible_end_of_column(&change).await?;
                set_absent(&mut change, "order", end);
            }
            Some(Flaw::ClearsTheAssigneeOnEveryNewColumn) if has(&change, "columnId") => {
                change["assigneeId"] = Value::Null;
            }
            Some(Flaw::ChangesEveryTask) => {
                for other in self.list_visible_tasks().await? {
                    TaskWriter { task: &other.id, ..*self }.update_inner(&change).await?;
                }
            }
            Some(Flaw::OverwritesTheWholeTask) => {
                let visible_task = self.find_visible_task().await?;
                tokio::task::yield_now().await;
                if let Some(task) = visible_task {
                    set_absent(&mut change, "title", task.title);
                    set_absent(&mut change, "labels", task.labels);
                }
            }
            Some(Flaw::ReadsDueDaysAsUtc) => {
                return TaskWriter { zone: &Zone::utc(), ..*self }.update_inner(&change).await;
            }
            Some(Flaw::IgnoresUnknownAssignees) => return self.change_ignoring_unknown_assignee(change).await,
            Some(Flaw::IgnoresRefusedFields) => return self.change_ignoring_refused_fields(change).await,
            _ => {}
        }
        let outcome = self.update_inner(&change).await?;
        Ok(match (self.broken.flaw, outcome) {
            (Some(Flaw::ReportsOnlyTheFirstFault), Written::Refused(mut faults)) => {
                faults.truncate(1);
                Written::Refused(faults)
            }
            (Some(Flaw::ReturnsTheTaskBeforeTheChange), Written::Updated { before, .. }) => {
                Written::Updated { after: before.clone(), before }
            }
            (_, outcome) => outcome,
        })
    }

    async fn move_task(&self, to: Value) -> Outcome {
        let move_as_change = json!({ "columnId": to["columnId"], "order": to["order"] });
        match self.broken.flaw {
            Some(Flaw::MovesInvisibleTasks) => self.update_as_any_member(&to).await,
            Some(Flaw::MovesWithoutUpdatedAt) => {
                let outcome = self.update_inner(&to).await?;
                Ok(match outcome {
                    Written::Updated { before, after } => {
                        Written::Updated { before, after: Task { updated_at: after.created_at, ..after } }
                    }
                    other => other,
                })
            }
            Some(Flaw::ShiftsEveryColumn) => {
                for other in self.list_visible_tasks().await? {
                    self.set_order(&other, other.order + 1).await?;
                }
                self.update_inner(&to).await
            }
            Some(Flaw::ShiftsNothingOnAMove) => self.update_inner(&move_as_change).await,
            Some(Flaw::ChecksForAFreeOrderWithoutLock) => {
                let visible_tasks = self.list_visible_tasks().await?;
                tokio::task::yield_now().await;
                let is_taken = visible_tasks
                    .iter()
                    .any(|task| to["columnId"] == task.column_id.as_str() && to["order"] == task.order);
                self.update_inner(if is_taken { &to } else { &move_as_change }).await
            }
            Some(Flaw::ShiftsEvenIfTheOrderIsFree) => {
                let outcome = self.update_inner(&to).await?;
                self.shift_following_tasks(&outcome, 1).await?;
                Ok(outcome)
            }
            Some(Flaw::SetsUpdatedAtOfShiftedTasks) => {
                let outcome = self.update_inner(&to).await?;
                self.shift_following_tasks(&outcome, 0).await?;
                Ok(outcome)
            }
            _ => self.update_inner(&to).await,
        }
    }

    async fn find_visible_task(&self) -> Result<Option<Task>, StorageError> {
        Ok(self.list_visible_tasks().await?.into_iter().find(|task| task.id == *self.task))
    }

    async fn list_visible_tasks(&self) -> Result<Vec<Task>, StorageError> {
        Ok(tasks_of(self.broken.inner.list_tasks(self.member, TaskFilter::All).await?.parse()?))
    }

    async fn update_as_any_member(&self, body: &Value) -> Outcome {
        for other in self.broken.all_members(self.member) {
            let outcome = TaskWriter { member: &other, ..*self }.update_inner(body).await?;
            if outcome != Written::NotFound {
                return Ok(outcome);
            }
        }
        Ok(Written::NotFound)
    }

    async fn change_ignoring_unknown_assignee(&self, mut change: Value) -> Outcome {
        match self.update_inner(&change).await? {
            Written::NotFound => {
                change.as_object_mut().unwrap().remove("assigneeId");
                self.update_inner(&change).await
            }
            outcome => Ok(outcome),
        }
    }

    async fn change_ignoring_refused_fields(&self, mut change: Value) -> Outcome {
        match self.update_inner(&change).await? {
            Written::Refused(_) => {
                change.as_object_mut().unwrap().retain(|name, _| name != "assigneeId" && name != "isPrivate");
                self.update_inner(&change).await
            }
            outcome => Ok(outcome),
        }
    }

    /// Returns 1 more than the highest `order` of the visible tasks in the new column, or 0 if there are none.
    async fn visible_end_of_column(&self, change: &Value) -> Result<i64, StorageError> {
        let column = change["columnId"].as_str().unwrap();
        let visible_tasks = self.list_visible_tasks().await?;
        let others = visible_tasks.iter().filter(|task| is_other_task_in(task, column, self.task));
        Ok(others.map(|task| task.order + 1).max().unwrap_or(0).min(MAX_ORDER))
    }

    async fn shift_following_tasks(&self, outcome: &Written<Task>, by: i64) -> Result<(), StorageError> {
        let Written::Updated { after: moved, .. } = outcome else { return Ok(()) };
        for other in self.list_visible_tasks().await? {
            if is_other_task_in(&other, moved.column_id.as_str(), self.task) && other.order >= moved.order {
                self.set_order(&other, other.order + by).await?;
            }
        }
        Ok(())
    }

    async fn set_order(&self, task: &Task, order: i64) -> Outcome {
        TaskWriter { task: &task.id, ..*self }.update_inner(&json!({ "order": order.min(MAX_ORDER) })).await
    }
}

const MAX_ORDER: i64 = 1_000_000;

pub(super) fn is_move(body: &Value) -> bool {
    has(body, "type")
}

pub(super) fn has(body: &Value, field: &str) -> bool {
    body.get(field).is_some()
}

/// Sets a field that the change does not name.
pub(super) fn set_absent(change: &mut Value, field: &str, value: impl Into<Value>) {
    if !has(change, field) {
        change[field] = value.into();
    }
}

fn is_other_task_in(task: &Task, column: &str, task_id: &TaskId) -> bool {
    task.column_id.as_str() == column && task.id != *task_id
}
