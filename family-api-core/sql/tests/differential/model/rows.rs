//! The rows that a write finds and stores.

use family_api_core::calendar::{Zone, parse_date};
use family_api_core::change::{Editable, EventFacts, Verdict, WriteContext};
use family_api_core::id::{BoardId, CategoryId, ColumnId, ListId};
use family_api_core::resource::{Board, Column, Event, NoteCategory, Person, RecordKind, ShoppingList};
use family_api_core::storage::{EventRecord, Member, Record};
use family_api_core::validation::Json;
use family_api_core::{Precondition, Timestamp};
use serde_json::{Value, json};

use super::containers::with_fields;
use super::records::key_of;
use super::tasks::{UpdateError, text};
use super::{Model, can_see, can_see_board};
use crate::step::{Body, IfMatch};
use crate::step_result::StepResult;

impl Model {
    /// Returns the JSON of a record as the member reads it, if they see it.
    pub(super) fn visible(&self, member: &Member, kind: RecordKind, id: &str) -> Option<Value> {
        self.visible_record(member, kind, id).map(|record| self.shown(member, &record))
    }

    pub(crate) fn visible_record(&self, member: &Member, kind: RecordKind, id: &str) -> Option<Record> {
        let mut all = self.records();
        all.find(|record| {
            key_of(record) == (kind, id.to_owned(), &member.family) && self.can_see_record(member, record)
        })
    }

    /// Returns every record that a write can change.
    pub(crate) fn records(&self) -> impl Iterator<Item = Record> {
        let tasks = self.tasks.iter().cloned().map(Record::Task);
        let notes = self.notes.iter().cloned().map(Record::Note);
        let events = self.events.iter().cloned().map(Record::Event);
        let contained = tasks.chain(notes).chain(events).chain(self.items.iter().cloned().map(Record::ShoppingItem));
        let boards = self.boards.iter().cloned().map(Record::Board);
        let columns = self.columns.iter().cloned().map(Record::Column);
        let lists = self.lists.iter().cloned().map(Record::ShoppingList);
        let categories = self.categories.iter().cloned().map(Record::NoteCategory);
        contained.chain(boards).chain(columns).chain(lists).chain(categories)
    }

    pub(crate) fn can_see_record(&self, member: &Member, record: &Record) -> bool {
        match record {
            Record::Task(task) => self.can_see_task(member, task),
            Record::ShoppingItem(item) => {
                item.family_id == member.family
                    && self.visible_list(member, item.list_id.as_str()).is_some()
                    && can_see(member, item.is_private, item.added_by_id.as_ref())
            }
            Record::Board(board) => can_see_board(member, board),
            Record::Column(column) => self.board_of(&column.id, member).is_some(),
            Record::ShoppingList(list) => self.visible_list(member, list.id.as_str()).is_some(),
            other => *key_of(other).2 == member.family,
        }
    }

    /// Returns the JSON of a record as the member reads it.
    pub(crate) fn shown(&self, member: &Member, record: &Record) -> Value {
        match record {
            Record::Task(task) => json!(self.task(member, task)),
            Record::Note(note) => json!(self.note(member, note)),
            Record::Event(event) => json!(self.event(member, event)),
            Record::ShoppingItem(item) => json!(self.item(member, item)),
            Record::Board(board) => json!(Board::from(board.clone())),
            Record::Column(column) => json!(Column::from(column.clone())),
            Record::ShoppingList(list) => json!(ShoppingList::from(list.clone())),
            Record::NoteCategory(category) => json!(NoteCategory::from(category.clone())),
            other => panic!("no step writes {other:?}"),
        }
    }

    /// Returns the precondition for a record as the member reads it. The order of its fields is part of the entity tag.
    pub(super) fn record_precondition(
        &self,
        member: &Member,
        kind: RecordKind,
        id: &str,
        if_match: IfMatch,
    ) -> Precondition {
        match self.visible_record(member, kind, id) {
            Some(Record::Task(task)) => if_match.precondition(&self.task(member, &task)),
            Some(Record::Note(note)) => if_match.precondition(&self.note(member, &note)),
            Some(Record::Event(event)) => if_match.precondition(&self.event(member, &event)),
            Some(Record::ShoppingItem(item)) => if_match.precondition(&self.item(member, &item)),
            Some(Record::Board(board)) => if_match.precondition(&Board::from(board)),
            Some(Record::Column(column)) => if_match.precondition(&Column::from(column)),
            Some(Record::ShoppingList(list)) => if_match.precondition(&ShoppingList::from(list)),
            Some(Record::NoteCategory(category)) => if_match.precondition(&NoteCategory::from(category)),
            _ => if_match.precondition(&json!(null)),
        }
    }

    /// Inserts or replaces a record, and returns it as the member reads it.
    pub(super) fn store(&mut self, member: &Member, changed: Result<Record, UpdateError>) -> StepResult {
        let record = match changed {
            Ok(record) => record,
            Err(UpdateError::NotFound) => return StepResult::NotFound,
            Err(UpdateError::Faults(pointers)) => return StepResult::Refused(pointers),
        };
        self.remove(&record);
        let shown = self.shown(member, &record);
        self.insert(record);
        self.writes += 1;
        StepResult::Record(shown)
    }

    pub(super) fn remove(&mut self, record: &Record) {
        let (kind, id, family) = key_of(record);
        match kind {
            RecordKind::Task => self.tasks.retain(|task| task.id.as_str() != id || task.family_id != *family),
            RecordKind::Note => self.notes.retain(|note| note.id.as_str() != id || note.family_id != *family),
            RecordKind::Event => self.events.retain(|event| event.id.as_str() != id || event.family_id != *family),
            RecordKind::ShoppingItem => self.items.retain(|item| item.id.as_str() != id || item.family_id != *family),
            RecordKind::Board => self.boards.retain(|board| board.id.as_str() != id || board.family_id != *family),
            RecordKind::Column => self.columns.retain(|column| column.id.as_str() != id || column.family_id != *family),
            RecordKind::ShoppingList => self.lists.retain(|list| list.id.as_str() != id || list.family_id != *family),
            RecordKind::NoteCategory => {
                self.categories.retain(|other| other.id.as_str() != id || other.family_id != *family);
            }
        }
    }

    /// Returns the first column that the member sees: boards by order, creation and id, columns by order and id.
    pub(super) fn first_column(&self, member: &Member) -> Option<ColumnId> {
        let mut boards: Vec<_> = self.boards.iter().filter(|board| can_see_board(member, board)).collect();
        boards.sort_by_key(|board| (board.order, board.created_at, board.id.clone()));
        boards.into_iter().find_map(|board| {
            let inside = self.columns.iter().filter(|column| column.family_id == member.family);
            let first = inside.filter(|column| column.board_id == board.id);
            first.min_by_key(|column| (column.order, column.id.clone())).map(|column| column.id.clone())
        })
    }

    pub(super) fn visible_board(&self, member: &Member, id: &str) -> Option<BoardId> {
        let mut seen = self.boards.iter().filter(|board| can_see_board(member, board));
        seen.find(|board| board.id.as_str() == id).map(|board| board.id.clone())
    }

    pub(super) fn visible_list(&self, member: &Member, id: &str) -> Option<ListId> {
        let list = self.lists.iter().find(|list| list.id.as_str() == id && list.family_id == member.family)?;
        can_see(member, list.is_private, list.owner_user_id.as_ref()).then(|| list.id.clone())
    }

    /// Returns the record with the fields of a body, if its references and rules allow them.
    pub(super) fn changed(
        &self,
        member: &Member,
        record: &Record,
        body: &Body,
        zone: &Zone,
        now: Timestamp,
    ) -> Result<Record, UpdateError> {
        let mut body = body.clone();
        match record {
            Record::Task(task) => return self.apply_change(member, task, &body, zone, now),
            Record::Note(_) => {
                if let Some(Value::String(category)) = body.get("categoryId") {
                    self.find_category(member, category).ok_or(UpdateError::NotFound)?;
                }
            }
            Record::Event(event) => {
                let context = WriteContext { user: &member.user, zone, now };
                let scheduled = scheduled(self.event_facts(member, event, &body), &body, &context);
                for (field, value) in scheduled.map_err(UpdateError::Faults)? {
                    body[field] = value;
                }
            }
            Record::ShoppingItem(_) => {
                if let Some(list) = body.get("listId") {
                    self.visible_list(member, text(list)).ok_or(UpdateError::NotFound)?;
                }
            }
            _ => {}
        }
        Ok(with_fields(record, &body, now))
    }

    /// Returns what the rules of an event need about the users that a body names.
    fn event_facts(&self, member: &Member, event: &EventRecord, body: &Body) -> EventFacts {
        let assignee = self.new_assignee(member, body).ok().flatten();
        let members = self.users.iter().filter(|user| user.family_id.as_ref() == Some(&member.family));
        EventFacts {
            event: Event::from(event.clone()),
            assignee: assignee.map(|id| Person::new(id, "")),
            members: Some(members.map(|user| user.id.clone()).collect()),
        }
    }

    pub(super) fn find_category(&self, member: &Member, id: &str) -> Option<CategoryId> {
        let mut inside = self.categories.iter().filter(|category| category.family_id == member.family);
        inside.find(|category| category.id.as_str() == id).map(|category| category.id.clone())
    }
}

/// Returns the dates, the recurrence and the overrides of an event after a change, or the pointers of the faults. The
/// rules decide them without storage, and have tests of their own.
fn scheduled(
    facts: EventFacts,
    body: &Body,
    context: &WriteContext<'_>,
) -> Result<Vec<(&'static str, Value)>, Vec<String>> {
    let update = Event::parse_update(Json::of(body)).unwrap();
    match Event::decide(update, facts, context) {
        Verdict::Write(event) => Ok(vec![
            ("startDate", json!(event.start_date)),
            ("endDate", json!(event.end_date)),
            ("recurrence", json!(event.recurrence)),
            ("overrides", json!(event.overrides)),
        ]),
        Verdict::Refused(faults) => Err(faults.into_iter().map(|fault| fault.pointer).collect()),
        Verdict::NotFound => unreachable!("the event is found"),
    }
}

/// Returns an instant, or the start of a day.
pub(super) fn instant(text: &str, zone: &Zone) -> Timestamp {
    parse_date(text).map_or_else(|| text.parse().unwrap(), |day| zone.start_of_day(day))
}
