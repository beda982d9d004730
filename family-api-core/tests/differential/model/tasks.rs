//! Section 6: the effect of a PATCH on a task.

use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::change::{DueDate, Field, Reference, TaskChange, TaskMove, TaskUpdate};
use family_api_core::id::{ColumnId, TaskId, UserId};
use family_api_core::storage::{BoardRecord, Member, TaskRecord};

use super::{Model, sees};
use crate::answer::Answer;
use crate::step::IfMatch;

/// The reason why an update is refused.
enum Refusal {
    NotFound,
    Faults(Vec<String>),
}

impl Model {
    /// Checks the visibility of the board first, then that of the task.
    pub(crate) fn can_see_task(&self, member: &Member, task: &TaskRecord) -> bool {
        self.board_of(&task.column_id, member).is_some() && sees(member, task.is_private, task.creator_id.as_ref())
    }

    pub(super) fn update_task(
        &mut self,
        member: &Member,
        id: &TaskId,
        update: &TaskUpdate,
        if_match: IfMatch,
        zone: &Zone,
        now: Timestamp,
    ) -> Answer {
        let Some(place) = self.tasks.iter().position(|task| task.id == *id && self.can_see_task(member, task)) else {
            return Answer::NotFound;
        };
        if !if_match.holds() {
            return Answer::PreconditionFailed;
        }
        let task = &self.tasks[place];
        let updated = match update {
            TaskUpdate::Fields(change) if *change == TaskChange::default() => {
                return Answer::Task(Box::new(self.task(member, task)));
            }
            TaskUpdate::Fields(change) => self.changed(member, task, change, zone, now),
            TaskUpdate::Move(to) => self.moved(member, task, to, now),
        };
        let updated = match updated {
            Ok(updated) => updated,
            Err(Refusal::NotFound) => return Answer::NotFound,
            Err(Refusal::Faults(pointers)) => return Answer::Refused(pointers),
        };
        if matches!(update, TaskUpdate::Move(_)) {
            self.make_room(&updated);
        }
        self.writes += 1;
        let answer = Answer::Task(Box::new(self.task(member, &updated)));
        self.tasks[place] = updated;
        answer
    }

    fn changed(
        &self,
        member: &Member,
        task: &TaskRecord,
        change: &TaskChange,
        zone: &Zone,
        now: Timestamp,
    ) -> Result<TaskRecord, Refusal> {
        let mut task = TaskRecord { updated_at: now, ..task.clone() };
        if let Some(column) = &change.column {
            self.land(member, &mut task, column)?;
            task.order = self.end_of_column(&task);
        }
        let named = match &change.assignee {
            Field::Set(reference) => Some(self.named_family_member(member, reference)?),
            Field::Keep | Field::Clear => None,
        };
        task.is_private = change.is_private.unwrap_or(task.is_private);
        self.judge(member, &task, change, named.as_ref())?;
        match change.assignee {
            _ if change.is_private == Some(true) => task.assignee_id.clone_from(&task.creator_id),
            Field::Keep => {}
            Field::Clear | Field::Set(_) => task.assignee_id = named,
        }
        set_fields(&mut task, change, zone, now);
        Ok(task)
    }

    /// Checks the rules of the fields on the task after the change.
    fn judge(
        &self,
        member: &Member,
        task: &TaskRecord,
        change: &TaskChange,
        named: Option<&UserId>,
    ) -> Result<(), Refusal> {
        let mut pointers = Vec::new();
        let board = self.board_of(&task.column_id, member).ok_or(Refusal::NotFound)?;
        let may_have = |assignee| {
            (!task.is_private || task.creator_id.as_ref() == Some(assignee)) && permits_assignee(board, assignee)
        };
        if !named.is_none_or(may_have) {
            pointers.push("/assigneeId".to_owned());
        }
        if change.is_private == Some(true) && task.creator_id.as_ref() != Some(&member.user) {
            pointers.push("/isPrivate".to_owned());
        }
        if pointers.is_empty() { Ok(()) } else { Err(Refusal::Faults(pointers)) }
    }

    fn moved(&self, member: &Member, task: &TaskRecord, to: &TaskMove, now: Timestamp) -> Result<TaskRecord, Refusal> {
        let mut task = TaskRecord { order: to.order, updated_at: now, ..task.clone() };
        self.land(member, &mut task, &to.column)?;
        Ok(task)
    }

    /// If the order is taken, shifts every other task from there on by one.
    fn make_room(&mut self, task: &TaskRecord) {
        let others = || self.tasks.iter().filter(|other| other.id != task.id && other.column_id == task.column_id);
        if others().any(|other| other.order == task.order) {
            for other in &mut self.tasks {
                if other.id != task.id && other.column_id == task.column_id && other.order >= task.order {
                    other.order += 1;
                }
            }
        }
    }

    /// A private board clears an assignee who is not its owner.
    fn land(&self, member: &Member, task: &mut TaskRecord, column: &Reference<ColumnId>) -> Result<(), Refusal> {
        let column = column.id().ok_or(Refusal::NotFound)?;
        let board = self.board_of(column, member).ok_or(Refusal::NotFound)?;
        task.column_id = column.clone();
        task.assignee_id.take_if(|assignee| !permits_assignee(board, assignee));
        Ok(())
    }

    /// Returns one more than the highest order of the other tasks in the column.
    fn end_of_column(&self, task: &TaskRecord) -> i64 {
        let others = self.tasks.iter().filter(|other| other.id != task.id && other.column_id == task.column_id);
        others.map(|other| other.order + 1).max().unwrap_or(0)
    }

    fn named_family_member(&self, member: &Member, reference: &Reference<UserId>) -> Result<UserId, Refusal> {
        let user = reference.id().and_then(|id| self.relative(id, &member.family));
        user.map(|user| user.id.clone()).ok_or(Refusal::NotFound)
    }
}

fn permits_assignee(board: &BoardRecord, assignee: &UserId) -> bool {
    !board.is_private || board.owner_user_id.as_ref() == Some(assignee)
}

fn set_fields(task: &mut TaskRecord, change: &TaskChange, zone: &Zone, now: Timestamp) {
    task.title = change.title.as_deref().map_or(task.title.clone(), |title| title.trim().to_owned());
    task.priority = change.priority.unwrap_or(task.priority);
    task.order = change.order.unwrap_or(task.order);
    task.labels = change.labels.clone().unwrap_or(task.labels.clone());
    match &change.description {
        Field::Keep => {}
        Field::Clear => task.description = None,
        Field::Set(description) => task.description = Some(description.clone()),
    }
    match change.due_date {
        Field::Keep => {}
        Field::Clear => task.due_date = None,
        Field::Set(DueDate::At(at)) => task.due_date = Some(at),
        Field::Set(DueDate::On(day)) => task.due_date = Some(zone.start_of_day(day)),
    }
    match change.completed {
        None => {}
        Some(false) => task.completed_at = None,
        Some(true) => task.completed_at = task.completed_at.or(Some(now)),
    }
}
