//! The effect of a PATCH on a task (HTTP reference, "Task fields" and "Moving a task").

use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::change::{BoardOwner, Editable, TaskFacts, TaskWrite, Verdict, WriteContext};
use family_api_core::id::{ColumnId, UserId};
use family_api_core::resource::Task;
use family_api_core::storage::{BoardRecord, Member, Record, TaskRecord};
use family_api_core::validation::Json;
use serde_json::{Map, Value, json};

use super::containers::{next, with_fields};
use super::rows::instant;
use super::{Model, can_see};
use crate::generate::record::MAX_SAFE_INTEGER;
use crate::step::Body;

/// The reason why an update is refused.
pub(super) enum UpdateError {
    NotFound,
    Faults(Vec<String>),
}

/// The assignee of a change is not in the family.
pub(super) struct UnknownAssignee;

impl Model {
    /// Checks the visibility of the board, then the visibility of the task.
    pub(crate) fn can_see_task(&self, member: &Member, task: &TaskRecord) -> bool {
        task.family_id == member.family
            && self.board_of(&task.column_id, member).is_some()
            && can_see(member, task.is_private, task.creator_id.as_ref())
    }

    pub(super) fn apply_change(
        &self,
        member: &Member,
        task: &TaskRecord,
        change: &Body,
        zone: &Zone,
        now: Timestamp,
    ) -> Result<Record, UpdateError> {
        let mut task = task.clone();
        if let Some(column) = change.get("columnId") {
            self.set_column(member, &mut task, column)?;
            task.order = self.end_of_column(&task);
        }
        let new_assignee = self.new_assignee(member, change);
        task.is_private = change["isPrivate"].as_bool().unwrap_or(task.is_private);
        let mut pointers = self.broken_rules(member, &task, change, new_assignee.as_ref())?;
        let fields = fields_of(change, &task, WriteContext { user: &member.user, zone, now });
        pointers.extend(fields.as_ref().err().cloned().unwrap_or_default());
        if !pointers.is_empty() {
            pointers.sort();
            return Err(UpdateError::Faults(pointers));
        }
        if change["isPrivate"] == true {
            task.assignee_id.clone_from(&task.creator_id);
        } else if change.get("assigneeId").is_some() {
            task.assignee_id = new_assignee.unwrap_or_default();
        }
        Ok(with_fields(&Record::Task(task), &fields.unwrap_or_default(), now))
    }

    /// Finds the assignee that a change names. Fails if it is not in the family.
    pub(super) fn new_assignee(&self, member: &Member, change: &Body) -> Result<Option<UserId>, UnknownAssignee> {
        match change.get("assigneeId") {
            None | Some(Value::Null) => Ok(None),
            Some(id) => {
                let user = text(id).parse().ok().and_then(|id| self.family_member(&id, &member.family));
                user.map(|user| Some(user.id.clone())).ok_or(UnknownAssignee)
            }
        }
    }

    /// Returns the pointers of the faults in the assignee and the privacy of the changed task.
    fn broken_rules(
        &self,
        member: &Member,
        task: &TaskRecord,
        change: &Body,
        new_assignee: Result<&Option<UserId>, &UnknownAssignee>,
    ) -> Result<Vec<String>, UpdateError> {
        let mut pointers = Vec::new();
        let board = self.board_of(&task.column_id, member).ok_or(UpdateError::NotFound)?;
        let is_permitted = |assignee| {
            (!task.is_private || task.creator_id.as_ref() == Some(assignee)) && permits_assignee(board, assignee)
        };
        if !new_assignee.is_ok_and(|assignee| assignee.as_ref().is_none_or(is_permitted)) {
            pointers.push("/assigneeId".to_owned());
        }
        if change["isPrivate"] == true && task.creator_id.as_ref() != Some(&member.user) {
            pointers.push("/isPrivate".to_owned());
        }
        Ok(pointers)
    }

    pub(super) fn apply_move(
        &self,
        member: &Member,
        task: &TaskRecord,
        to: &Body,
        now: Timestamp,
    ) -> Result<TaskRecord, UpdateError> {
        let order = to["order"].as_i64().unwrap();
        let mut task = TaskRecord { order, updated_at: now, sequence: next(task.sequence), ..task.clone() };
        self.set_column(member, &mut task, &to["columnId"])?;
        Ok(task)
    }

    /// If another task in the column has the order of `task`, adds 1 to the order of that task and of the following
    /// tasks, as far as the first free order. Makes gaps instead if these are more than 64 tasks.
    pub(super) fn shift_tasks(&mut self, task: &TaskRecord) {
        let others = self.tasks.iter_mut().filter(|other| is_other_in_column(task, other));
        let mut following: Vec<_> = others.filter(|other| other.order >= task.order).collect();
        following.sort_by_key(|other| (other.order, other.id.clone()));
        let mut free = task.order;
        while following.iter().any(|other| other.order == free) {
            free += 1;
        }
        if following.iter().filter(|other| other.order < free).count() > 64 {
            make_gaps(task.order, &mut following);
            self.gaps += 1;
        } else {
            following.iter_mut().filter(|other| other.order < free).for_each(|other| other.order += 1);
        }
    }

    /// Sets the column. A private board clears an assignee who is not its owner.
    fn set_column(&self, member: &Member, task: &mut TaskRecord, column: &Value) -> Result<(), UpdateError> {
        let column: ColumnId = text(column).parse().map_err(|_| UpdateError::NotFound)?;
        let board = self.board_of(&column, member).ok_or(UpdateError::NotFound)?;
        task.column_id = column;
        task.assignee_id.take_if(|assignee| !permits_assignee(board, assignee));
        Ok(())
    }

    /// Returns 1 more than the highest order of the other tasks in the column, or 0 if there are none.
    fn end_of_column(&self, task: &TaskRecord) -> i64 {
        let others = self.tasks.iter().filter(|other| is_other_in_column(task, other));
        others.map(|other| other.order + 1).max().unwrap_or(0).min(MAX_SAFE_INTEGER)
    }
}

/// Gives the first tasks after a position orders at equal distances, unless they have a higher order. Changes as few
/// tasks as possible: the order of the next one is beyond the last distance.
///
/// The reference does not say which distances the storages use.
fn make_gaps(position: i64, following: &mut [&mut TaskRecord]) {
    let distance_of = |tasks: i64| match tasks {
        ..=256 => 4,
        257..=1_024 => 8,
        1_025..=4_096 => 16,
        _ => 32,
    };
    let fits = |(tasks, next): &(i64, &&mut TaskRecord)| next.order > position + tasks * distance_of(*tasks);
    let all = i64::try_from(following.len()).unwrap();
    let (tasks, distance) = match (1..).zip(following.iter().skip(1)).find(fits) {
        Some((tasks, _)) => (tasks, distance_of(tasks)),
        None => (all, ((1_000_000 - position) / all).clamp(8, 100)),
    };
    for (number, other) in (1..=tasks).zip(following) {
        other.order = other.order.max(position + number * distance);
    }
}

fn is_other_in_column(task: &TaskRecord, other: &TaskRecord) -> bool {
    other.family_id == task.family_id && other.column_id == task.column_id && other.id != task.id
}

fn permits_assignee(board: &BoardRecord, assignee: &UserId) -> bool {
    !board.is_private || board.owner_user_id.as_ref() == Some(assignee)
}

/// Returns the fields that the change sets, except for those that depend on other records. Dates are instants. Or returns
/// the pointers of the faults.
fn fields_of(change: &Body, task: &TaskRecord, context: WriteContext<'_>) -> Result<Body, Vec<String>> {
    let mut fields = change.as_object().unwrap().clone();
    fields.retain(|name, _| !["columnId", "assigneeId", "isPrivate"].contains(&name.as_str()));
    if task.recurrence.is_some() || fields.contains_key("recurrence") {
        let schedule = schedule_of(task, &mut fields, &context)?;
        fields.extend(schedule.map(|(field, value)| (field.to_owned(), value)));
        return Ok(fields.into());
    }
    let WriteContext { zone, now, .. } = context;
    if let Some(Value::String(due_date)) = fields.get_mut("dueDate") {
        *due_date = instant(due_date, zone).to_string();
    }
    if let Some(completed) = fields.remove("completed") {
        let completed_at = (completed == true).then(|| task.completed_at.unwrap_or(now));
        fields.insert("completedAt".to_owned(), json!(completed_at));
    }
    Ok(fields.into())
}

/// Takes the fields out of a change that say when a recurring task is due and whether it is done. Returns what becomes of
/// them, or the pointers of the faults. The rules decide it without storage, and have tests of their own.
fn schedule_of(
    task: &TaskRecord,
    change: &mut Map<String, Value>,
    context: &WriteContext<'_>,
) -> Result<[(&'static str, Value); 4], Vec<String>> {
    let of_schedule = ["dueDate", "recurrence", "completed"];
    let taken: Map<_, _> = of_schedule.iter().filter_map(|field| change.remove_entry(*field)).collect();
    let update = Task::parse_update(Json::of(&taken)).unwrap();
    let task = Task::from(task.clone());
    let facts = TaskFacts { task, board: BoardOwner::Family, destination: None, assignee: None };
    match Task::decide(update, facts, context) {
        Verdict::Write(TaskWrite { task, .. }) => Ok([
            ("dueDate", json!(task.due_date)),
            ("recurrence", json!(task.recurrence)),
            ("completedAt", json!(task.completed_at)),
            ("lastCompletedAt", json!(task.last_completed_at)),
        ]),
        Verdict::Refused(faults) => Err(faults.into_iter().map(|fault| fault.pointer).collect()),
        Verdict::NotFound => unreachable!("the task is found"),
    }
}

pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}
