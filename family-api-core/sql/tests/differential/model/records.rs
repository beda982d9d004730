//! The effect of a write on a record (HTTP reference, "Writes", "Idempotency" and "Restoring").

use family_api_core::Timestamp;
use family_api_core::id::{FamilyId, ListId};
use family_api_core::resource::RecordKind;
use family_api_core::storage::{Member, Record, ShoppingItemRecord};
use jiff::SignedDuration;
use serde_json::json;

use super::Model;
use super::containers::{has_values_of, next, with_sequence};
use crate::step::{Action, Body, IfMatch, Write};
use crate::step_result::StepResult;

/// The answer to a creation with an idempotency key.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) member: Member,
    pub(crate) key: &'static str,
    pub(crate) kind: RecordKind,
    pub(crate) container: Option<String>,
    pub(crate) body: Body,
    record: String,
    at: Timestamp,
}

impl Model {
    pub(super) fn write(&mut self, member: &Member, kind: RecordKind, write: &Write, now: Timestamp) -> StepResult {
        match &write.action {
            Action::Create { container, body, key: None } => {
                self.create(member, kind, write, (container.as_deref(), body), now)
            }
            Action::Create { container, body, key: Some(key) } => {
                let new = Answer {
                    member: member.clone(),
                    key,
                    kind,
                    container: container.clone(),
                    body: body.clone(),
                    record: write.id.clone(),
                    at: now,
                };
                self.create_once(member, new, write)
            }
            Action::Update(body, if_match) => self.update(member, kind, write, (body, *if_match), now),
            Action::Delete(if_match) => self.delete(member, kind, &write.id, *if_match),
            Action::Restore => self.restore(member, kind, &write.id),
        }
    }

    /// An answer of the last 24 hours is repeated. A creation that is refused leaves no answer.
    fn create_once(&mut self, member: &Member, new: Answer, write: &Write) -> StepResult {
        let oldest = new.at.saturating_add(SignedDuration::from_hours(-24));
        let is_same_key = |old: &Answer| (&old.member, old.key) == (&new.member, new.key);
        if let Some(old) = self.answers.iter().find(|old| is_same_key(old) && old.at > oldest) {
            if (old.kind, &old.container, &old.body) != (new.kind, &new.container, &new.body) {
                return StepResult::IdempotencyMismatch;
            }
            return self.visible(member, old.kind, &old.record).map_or(StepResult::NotFound, StepResult::existing);
        }
        let result = self.create(member, new.kind, write, (new.container.as_deref(), &new.body), new.at);
        if matches!(result, StepResult::Record(_)) {
            self.answers.retain(|old| !is_same_key(old));
            self.answers.push(new);
        }
        result
    }

    fn create(
        &mut self,
        member: &Member,
        kind: RecordKind,
        write: &Write,
        (container, body): (Option<&str>, &Body),
        now: Timestamp,
    ) -> StepResult {
        let mut body = body.clone();
        if kind == RecordKind::Task && body.get("columnId").is_none() {
            match self.first_column(member) {
                Some(column) => body["columnId"] = json!(column),
                None if self.new_assignee(member, &body).is_err() => {
                    return StepResult::Refused(vec!["/assigneeId".to_owned(), "/columnId".to_owned()]);
                }
                None => return StepResult::Refused(vec!["/columnId".to_owned()]),
            }
        }
        if kind == RecordKind::Event && body.get("timeZone").is_none() {
            body["timeZone"] = json!(write.zone);
        }
        let Some(blank) = self.blank(member, kind, &write.id, container, now) else {
            return StepResult::NotFound;
        };
        let created = self.changed(member, &blank, &body, &write.zone, now);
        self.store(member, created.map(|record| with_sequence(&record, |_| 0)))
    }

    fn update(
        &mut self,
        member: &Member,
        kind: RecordKind,
        write: &Write,
        (body, if_match): (&Body, IfMatch),
        now: Timestamp,
    ) -> StepResult {
        let Some(record) = self.visible_record(member, kind, &write.id) else {
            return StepResult::NotFound;
        };
        if !if_match.holds() {
            return StepResult::PreconditionFailed;
        }
        let before = self.shown(member, &record);
        if *body == json!({}) {
            return StepResult::existing(before);
        }
        let changed = match record {
            Record::Task(task) if body.get("type").is_some() => {
                let moved = self.apply_move(member, &task, body, now);
                moved.inspect(|moved| self.shift_tasks(moved)).map(Record::Task)
            }
            record => {
                let changed = self.changed(member, &record, body, &write.zone, now);
                if changed.as_ref().is_ok_and(|changed| has_values_of(changed, &record)) {
                    return StepResult::existing(before);
                }
                changed
            }
        };
        match self.store(member, changed) {
            StepResult::Record(after) => StepResult::Changed(before, after),
            refused => refused,
        }
    }

    fn delete(&mut self, member: &Member, kind: RecordKind, id: &str, if_match: IfMatch) -> StepResult {
        match self.visible_record(member, kind, id) {
            None => StepResult::NotFound,
            Some(_) if !if_match.holds() => StepResult::PreconditionFailed,
            Some(record) if self.is_filled(&record) => StepResult::NotEmpty,
            Some(record) => {
                let shown = self.shown(member, &record);
                self.remove(&record);
                if kind.is_restorable() {
                    self.deleted.push(record);
                }
                self.writes += 1;
                StepResult::Record(shown)
            }
        }
    }

    /// Deletes the checked items of a list that the member sees.
    pub(super) fn delete_checked_items(&mut self, member: &Member, list: &ListId) -> StepResult {
        if self.visible_list(member, list.as_str()).is_none() {
            return StepResult::NotFound;
        }
        let is_checked =
            |item: &&ShoppingItemRecord| item.family_id == member.family && item.list_id == *list && item.checked;
        let mut ids: Vec<_> = self.items.iter().filter(is_checked).map(|item| item.id.to_string()).collect();
        ids.retain(|id| self.visible_record(member, RecordKind::ShoppingItem, id).is_some());
        ids.sort();
        for id in &ids {
            self.delete(member, RecordKind::ShoppingItem, id, IfMatch::Absent);
        }
        StepResult::Items(ids)
    }

    /// Restores a record that the member could see, if the column or list that contained it is visible.
    fn restore(&mut self, member: &Member, kind: RecordKind, id: &str) -> StepResult {
        if let Some(shown) = self.visible(member, kind, id) {
            return StepResult::existing(shown);
        }
        let is_it = |record: &Record| key_of(record) == (kind, id.to_owned(), &member.family);
        let Some(index) = self.deleted.iter().position(is_it) else {
            return StepResult::NotFound;
        };
        let mut record = self.deleted[index].clone();
        if let Record::Note(note) = &mut record {
            note.category_id.take_if(|category| self.find_category(member, category.as_str()).is_none());
        }
        if !self.can_see_record(member, &record) {
            return StepResult::NotFound;
        }
        self.deleted.remove(index);
        self.store(member, Ok(with_sequence(&record, next)))
    }
}

/// Returns the kind, id and family of a record.
pub(crate) fn key_of(record: &Record) -> (RecordKind, String, &FamilyId) {
    match record {
        Record::Task(task) => (RecordKind::Task, task.id.to_string(), &task.family_id),
        Record::Note(note) => (RecordKind::Note, note.id.to_string(), &note.family_id),
        Record::Event(event) => (RecordKind::Event, event.id.to_string(), &event.family_id),
        Record::ShoppingItem(item) => (RecordKind::ShoppingItem, item.id.to_string(), &item.family_id),
        Record::Board(board) => (RecordKind::Board, board.id.to_string(), &board.family_id),
        Record::Column(column) => (RecordKind::Column, column.id.to_string(), &column.family_id),
        Record::ShoppingList(list) => (RecordKind::ShoppingList, list.id.to_string(), &list.family_id),
        Record::NoteCategory(category) => (RecordKind::NoteCategory, category.id.to_string(), &category.family_id),
        other => panic!("no step writes {other:?}"),
    }
}
