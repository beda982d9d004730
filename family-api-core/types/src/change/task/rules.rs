//! The rules that depend on the stored task. They check the task in its updated state (HTTP reference, "Task fields").

use serde_json::Value;

use crate::change::editable::{sealed, unknown_assignee};
use crate::change::fields::BodyKind;
use crate::change::task::room::MAX_SHIFTED;
use crate::change::task::update::{Completion, Kind};
use crate::change::{
    Creator, DateOrInstant, Editable, New, TaskChange, TaskMove, TaskUpdate, Verdict, WriteContext, sequence,
};
use crate::id::{ColumnId, TaskId, Unassigned, UserId};
use crate::resource::{Person, RecordKind, Task, sees};
use crate::timestamp::Timestamp;
use crate::validation::rules::MAX_STORED_ORDER;
use crate::validation::{Faults, Field, FieldFault, Json};

/// The data that a storage reads to check a write of a task, as the caller sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFacts {
    /// The task.
    pub task: Task,
    /// The owner of the board that contains the task. Only an update needs it.
    pub board: BoardOwner,
    /// The column with the id [`TaskUpdate::named_column`], if the caller sees it. For a creation that names no column,
    /// the first column that the caller sees: boards by `order`, `createdAt`, `id`, columns by `order`, `id`. For a
    /// restoration, the column of the task, if the caller sees it.
    pub destination: Option<Destination>,
    /// The member of the family with the id [`TaskUpdate::named_assignee`], if there is one.
    pub assignee: Option<Person>,
}

/// The column to which a task is moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The column.
    pub column: ColumnId,
    /// The owner of the column's board.
    pub board: BoardOwner,
    /// The highest `order` of the column's other tasks plus 1, or 0 if there are none.
    pub end: i64,
}

/// The owner of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoardOwner {
    /// The whole family.
    Family,
    /// One user: the board is private.
    User(UserId),
}

impl BoardOwner {
    fn allows_assignee(&self, assignee: &UserId) -> bool {
        match self {
            Self::Family => true,
            Self::User(owner) => owner == assignee,
        }
    }
}

/// The data that a storage writes for an update of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskWrite {
    /// The updated task.
    pub task: Task,
    /// Whether the storage first makes room in the column. If another task in the column has the `order` of this task,
    /// the storage adds 1 to the `order` of that task and of the tasks after it, at least as far as the first free
    /// `order`. The storages of this project do so with [`Room`](super::Room), which also bounds how many tasks change.
    /// A storage may make the room in several transactions before the write, if each keeps the sequence of the tasks.
    /// No `order` becomes higher than 2<sup>53</sup> − 1, so that an export can be imported again: a storage that adds
    /// 1 to all later tasks must stop there.
    pub makes_room: bool,
}

impl From<Task> for TaskWrite {
    fn from(task: Task) -> Self {
        Self { task, makes_room: false }
    }
}

impl From<TaskWrite> for Task {
    fn from(write: TaskWrite) -> Self {
        write.task
    }
}

impl sealed::Sealed for Task {}

impl Editable for Task {
    const KIND: RecordKind = RecordKind::Task;

    type Id = TaskId;
    type Change = TaskChange;
    type Update = TaskUpdate;
    type Facts = TaskFacts;
    type Write = TaskWrite;

    fn parse_update(body: Json) -> Result<TaskUpdate, Faults> {
        TaskUpdate::read(body)
    }

    fn parse_new(_: Option<&str>, body: Json) -> Result<New<TaskUpdate>, Faults> {
        TaskUpdate::read_new(body)
    }

    fn update_schema() -> Value {
        TaskUpdate::schema()
    }

    fn new_schema() -> Value {
        TaskChange::schema(BodyKind::New)
    }

    fn times(update: &TaskUpdate) -> Vec<(&'static str, DateOrInstant)> {
        match &update.0 {
            Kind::Fields(TaskChange { due_date: Field::Set(due), .. }) => vec![("dueDate", *due)],
            _ => Vec::new(),
        }
    }

    fn is_empty(update: &TaskUpdate) -> bool {
        update.is_empty()
    }

    fn id(&self) -> &TaskId {
        &self.id
    }

    fn blank(id: TaskId, author: &Creator<'_>, now: Timestamp) -> Self {
        Self {
            column_id: ColumnId::UNASSIGNED,
            creator_id: Some(author.user.clone()),
            creator: author.person.cloned(),
            ..Self::new(id, "", now)
        }
    }

    fn record(facts: &TaskFacts) -> &Self {
        &facts.task
    }

    fn with_version_of(self, other: &Self) -> Self {
        Self { updated_at: other.updated_at, sequence: other.sequence, ..self }
    }

    fn max_changes(update: &TaskUpdate) -> u32 {
        let is_move = matches!(update.0, Kind::Move(_));
        if is_move { u32::try_from(MAX_SHIFTED + 1).unwrap_or(u32::MAX) } else { 1 }
    }

    fn apply(update: TaskUpdate, facts: TaskFacts, context: &WriteContext<'_>) -> Verdict<TaskWrite> {
        match update.0 {
            Kind::Fields(change) => change.decide(facts, context),
            Kind::Move(to) => to.decide(facts, context.now),
            Kind::Completion(completion) => completion.decide(facts, context),
        }
    }

    fn map_record(write: TaskWrite, change: impl FnOnce(Self) -> Self) -> TaskWrite {
        TaskWrite { task: change(write.task), ..write }
    }

    /// A task without a column goes to the default column, which is the destination then.
    fn decide_new(new: New<TaskUpdate>, facts: TaskFacts, context: &WriteContext<'_>) -> Verdict<TaskWrite> {
        let update = new.into_fields();
        match (&facts.destination, &update.0) {
            (None, Kind::Fields(change)) if change.column.is_none() => {
                let detail = "there is no column yet: create a board with a column first";
                let unknown = unknown_assignee(&change.assignee, facts.assignee.as_ref());
                Verdict::Refused([FieldFault::of_field("columnId", detail)].into_iter().chain(unknown).collect())
            }
            (None, _) => Verdict::NotFound,
            (Some(_), _) => {
                let created = Self::apply(update, facts, context);
                created.map(|write| Self::map_record(write, |task| Self { sequence: 0, ..task }))
            }
        }
    }

    /// The destination is the column of the task. A reader can have seen the deletion, after the `sequence` of the task.
    fn decide_restore(facts: TaskFacts, context: &WriteContext<'_>) -> Verdict<TaskWrite> {
        let is_visible = sees(context.user, facts.task.is_private, facts.task.creator_id.as_ref());
        if facts.destination.is_none() || !is_visible {
            return Verdict::NotFound;
        }
        Verdict::Write(Self { sequence: sequence::next(facts.task.sequence), ..facts.task }.into())
    }
}

impl TaskMove {
    fn decide(self, facts: TaskFacts, now: Timestamp) -> Verdict<TaskWrite> {
        let Some(destination) = facts.destination else {
            return Verdict::NotFound;
        };
        let mut task = facts.task;
        move_to(&mut task, &destination);
        task.order = self.order;
        task.updated_at = now;
        task.sequence = sequence::next(task.sequence);
        Verdict::Write(TaskWrite { task, makes_room: true })
    }
}

impl Completion {
    fn decide(&self, facts: TaskFacts, context: &WriteContext<'_>) -> Verdict<TaskWrite> {
        if self.is_repeated(&facts.task, context.now) {
            return Verdict::Write(facts.task.into());
        }
        TaskChange { completed: Some(true), ..TaskChange::new() }.decide(facts, context)
    }

    fn is_repeated(&self, task: &Task, now: Timestamp) -> bool {
        // The clock of the node that completed the task can be ahead.
        let is_recent = |at: Timestamp| now.saturating_add(-self.within) < at && at < now.saturating_add(self.within);
        let waits = !task.completed && task.recurrence.is_some() && task.due_date.is_some_and(|due| due > now);
        waits && task.last_completed_at.is_some_and(is_recent)
    }
}

impl TaskChange {
    fn decide(self, facts: TaskFacts, context: &WriteContext<'_>) -> Verdict<TaskWrite> {
        let &WriteContext { user, now, .. } = context;
        let TaskFacts { mut task, board, destination, assignee } = facts;
        // Without a valid column, the destination of a creation is the default column.
        let is_column_invalid = self.column.as_ref().is_some_and(|column| column.id().is_none());
        if is_column_invalid || (self.column.is_some() && destination.is_none()) {
            return Verdict::NotFound;
        }
        let board = destination.as_ref().map_or(&board, |to| &to.board);
        let mut faults = self.faults(&task, board, user, assignee.as_ref());
        faults.extend(self.schedule(&mut task, context).err());
        if !faults.is_empty() {
            return Verdict::Refused(faults);
        }
        if let Some(destination) = &destination {
            move_to(&mut task, destination);
            task.order = destination.end.min(MAX_STORED_ORDER);
        }
        self.assign(&mut task, assignee);
        self.apply(&mut task, now);
        Verdict::Write(task.into())
    }

    /// Returns the faults of fields that the updated task does not allow.
    fn faults(&self, task: &Task, board: &BoardOwner, user: &UserId, assignee: Option<&Person>) -> Vec<FieldFault> {
        let mut faults = Vec::from_iter(unknown_assignee(&self.assignee, assignee));
        let is_creator = task.creator_id.as_ref() == Some(user);
        if self.is_private == Some(true) && !is_creator {
            faults.push(FieldFault::of_field("isPrivate", "only the creator can make a task private"));
        }
        if let Some(assignee) = assignee {
            let will_be_private = self.is_private.unwrap_or(task.is_private);
            if will_be_private && task.creator_id.as_ref() != Some(&assignee.id) {
                faults.push(FieldFault::of_field("assigneeId", "a private task can be assigned to its creator only"));
            } else if !board.allows_assignee(&assignee.id) {
                faults.push(FieldFault::of_field(
                    "assigneeId",
                    "a task on a private board can be assigned to its owner only",
                ));
            }
        }
        faults
    }

    /// Assigns the task to its creator if the change makes it private. Otherwise applies the assignee of the change.
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

    fn apply(self, task: &mut Task, now: Timestamp) {
        if let Some(title) = self.title {
            task.title = title;
        }
        if let Some(labels) = self.labels {
            task.labels = labels;
        }
        task.description = self.description.apply_to(task.description.take());
        task.priority = self.priority.unwrap_or(task.priority);
        task.order = self.order.unwrap_or(task.order);
        task.is_private = self.is_private.unwrap_or(task.is_private);
        task.updated_at = now;
        task.sequence = sequence::next(task.sequence);
    }
}

/// Moves a task to a column. If the board is private, an assignee that is not the owner of the board is removed.
fn move_to(task: &mut Task, destination: &Destination) {
    task.column_id = destination.column.clone();
    if task.assignee_id.as_ref().is_some_and(|assignee| !destination.board.allows_assignee(assignee)) {
        (task.assignee_id, task.assignee) = (None, None);
    }
}
