//! The rules that need the task: they judge it as it will be (HTTP reference, "Task fields").

use crate::Timestamp;
use crate::calendar::Zone;
use crate::change::{Field, FieldFault, TaskChange, TaskMove, TaskUpdate, Verdict};
use crate::id::{ColumnId, UserId};
use crate::resource::{Person, Task};

/// What a storage must know to judge a task's update; all of it as the caller sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFacts {
    /// The task.
    pub task: Task,
    /// Who owns the board that the task is on.
    pub board: BoardOwner,
    /// The column that [`TaskUpdate::named_column`] names, if the caller sees it.
    pub destination: Option<Destination>,
    /// The member of the family that [`TaskUpdate::named_assignee`] names, if there is one.
    pub assignee: Option<Person>,
}

/// A column that a task may go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The column.
    pub column: ColumnId,
    /// Who owns its board.
    pub board: BoardOwner,
    /// One past the highest `order` of all its other tasks, 0 where there are none.
    pub end: i64,
}

/// Whose a board is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoardOwner {
    /// The whole family's.
    Family,
    /// One user's alone: a private board.
    User(UserId),
}

impl BoardOwner {
    fn admits(&self, assignee: &UserId) -> bool {
        match self {
            Self::Family => true,
            Self::User(owner) => owner == assignee,
        }
    }
}

/// What a storage shall write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskWrite {
    /// The task as it will be.
    pub task: Task,
    /// Whether the other tasks of its column make room first: where one stands at the task's `order`,
    /// every other task of the column with that `order` or a higher one gets one more.
    pub makes_room: bool,
}

impl TaskUpdate {
    /// Judges the update for the member `caller`, who lives in `zone`, now that the task is known.
    #[must_use]
    pub fn judge(self, facts: TaskFacts, caller: &UserId, zone: &Zone, now: Timestamp) -> Verdict<TaskWrite> {
        if self.is_empty() {
            return Verdict::Write(TaskWrite { task: facts.task, makes_room: false });
        }
        match self {
            Self::Fields(change) => change.judge(facts, caller, zone, now),
            Self::Move(to) => to.judge(facts, now),
        }
    }
}

impl TaskMove {
    fn judge(self, facts: TaskFacts, now: Timestamp) -> Verdict<TaskWrite> {
        let Some(destination) = facts.destination else {
            return Verdict::NotFound;
        };
        let mut task = facts.task;
        land(&mut task, &destination);
        task.order = self.order;
        task.updated_at = now;
        Verdict::Write(TaskWrite { task, makes_room: true })
    }
}

impl TaskChange {
    fn judge(self, facts: TaskFacts, caller: &UserId, zone: &Zone, now: Timestamp) -> Verdict<TaskWrite> {
        let TaskFacts { mut task, board, destination, assignee } = facts;
        if (self.column.is_some() && destination.is_none())
            || (matches!(self.assignee, Field::Set(_)) && assignee.is_none())
        {
            return Verdict::NotFound;
        }
        let faults = self.faults(&task, destination.as_ref().map_or(&board, |to| &to.board), caller, assignee.as_ref());
        if !faults.is_empty() {
            return Verdict::Refused(faults);
        }
        if let Some(destination) = &destination {
            land(&mut task, destination);
            task.order = destination.end;
        }
        self.assign(&mut task, assignee);
        self.apply(&mut task, zone, now);
        Verdict::Write(TaskWrite { task, makes_room: false })
    }

    /// The fields that the task, as it will be, does not allow.
    fn faults(&self, task: &Task, board: &BoardOwner, caller: &UserId, assignee: Option<&Person>) -> Vec<FieldFault> {
        let mut faults = Vec::new();
        let is_creator = task.creator_id.as_ref() == Some(caller);
        if self.is_private == Some(true) && !is_creator {
            faults.push(FieldFault::of_member("isPrivate", "only the creator can make a task private"));
        }
        if let Some(assignee) = assignee {
            let owner_only = self.is_private.unwrap_or(task.is_private);
            if owner_only && task.creator_id.as_ref() != Some(&assignee.id) {
                faults.push(FieldFault::of_member("assigneeId", "a private task can be assigned to its creator only"));
            } else if !board.admits(&assignee.id) {
                faults.push(FieldFault::of_member(
                    "assigneeId",
                    "a task on a private board can be assigned to its owner only",
                ));
            }
        }
        faults
    }

    /// A task that is made private is its creator's; else whom the change names.
    fn assign(&self, task: &mut Task, assignee: Option<Person>) {
        if self.is_private == Some(true) {
            (task.assignee_id, task.assignee) = (task.creator_id.clone(), task.creator.clone());
        } else {
            match &self.assignee {
                Field::Keep => {}
                Field::Clear | Field::Set(_) => {
                    task.assignee_id = assignee.as_ref().map(|person| person.id.clone());
                    task.assignee = assignee;
                }
            }
        }
    }

    fn apply(self, task: &mut Task, zone: &Zone, now: Timestamp) {
        if let Some(title) = self.title {
            title.trim().clone_into(&mut task.title);
        }
        if let Some(labels) = self.labels {
            task.labels = labels;
        }
        if let Some(completed) = self.completed {
            task.completed_at = completed.then(|| task.completed_at.unwrap_or(now));
            task.completed = completed;
        }
        let due_date = match self.due_date {
            Field::Keep => Field::Keep,
            Field::Clear => Field::Clear,
            Field::Set(due) => Field::Set(due.in_zone(zone)),
        };
        task.due_date = due_date.over(task.due_date);
        task.description = self.description.over(task.description.take());
        task.priority = self.priority.unwrap_or(task.priority);
        task.order = self.order.unwrap_or(task.order);
        task.is_private = self.is_private.unwrap_or(task.is_private);
        task.updated_at = now;
    }
}

/// Puts a task into a column; on a private board it loses an assignee who is not the board's owner.
fn land(task: &mut Task, destination: &Destination) {
    task.column_id = destination.column.clone();
    if task.assignee_id.as_ref().is_some_and(|assignee| !destination.board.admits(assignee)) {
        (task.assignee_id, task.assignee) = (None, None);
    }
}
