//! The effect of a change of one occurrence (HTTP reference, "Changing one occurrence").

use family_api_core::Timestamp;
use family_api_core::change::{Editable, EventFacts, Split, Verdict, WriteContext};
use family_api_core::resource::{Event, RecordKind};
use family_api_core::storage::{EventRecord, Member, Record};
use serde_json::Value;

use super::Model;
use super::containers::has_values_of;
use crate::step::OccurrenceWrite;
use crate::step_result::StepResult;

impl Model {
    /// Changes an occurrence of an event that the member sees. The rules decide the change without storage, and have
    /// tests of their own.
    pub(super) fn change_occurrence(&mut self, member: &Member, write: &OccurrenceWrite, now: Timestamp) -> StepResult {
        let Some(Record::Event(event)) = self.visible_record(member, RecordKind::Event, &write.id) else {
            return StepResult::NotFound;
        };
        if !write.if_match.holds() {
            return StepResult::PreconditionFailed;
        }
        let before = self.shown(member, &Record::Event(event.clone()));
        let facts = EventFacts { event: Event::from(event.clone()), assignee: None, members: None };
        let context = WriteContext { user: &member.user, zone: &write.zone, now };
        match Event::decide_split(write.update(), write.new_id.parse().unwrap(), facts, &context) {
            Verdict::Write(Split { record, new }) => {
                let after = with_fields_of(event.clone(), record);
                if new.is_none() && has_values_of(&Record::Event(after.clone()), &Record::Event(event.clone())) {
                    return StepResult::existing(before);
                }
                let new = new.map(|new| EventRecord {
                    id: new.id.clone(),
                    created_at: new.created_at,
                    ..with_fields_of(event, new)
                });
                let after = self.store_event(member, after);
                match new.map(|new| self.store_event(member, new)) {
                    None => StepResult::Changed(before, after),
                    Some(new) => StepResult::Split(before, after, new),
                }
            }
            Verdict::NotFound => StepResult::NotFound,
            Verdict::Refused(faults) => {
                let mut pointers: Vec<_> = faults.into_iter().map(|fault| fault.pointer).collect();
                pointers.sort();
                StepResult::Refused(pointers)
            }
        }
    }

    /// Stores an event, and returns it as the member reads it.
    fn store_event(&mut self, member: &Member, event: EventRecord) -> Value {
        match self.store(member, Ok(Record::Event(event))) {
            StepResult::Record(event) => event,
            other => unreachable!("{other:?}"),
        }
    }
}

/// Returns the record with the fields of an event that a change of an occurrence can set.
fn with_fields_of(mut record: EventRecord, event: Event) -> EventRecord {
    record.title = event.title;
    record.description = event.description;
    record.location = event.location;
    record.start_date = event.start_date;
    record.end_date = event.end_date;
    record.recurrence = event.recurrence;
    record.overrides = event.overrides;
    record.updated_at = event.updated_at;
    record.sequence = event.sequence;
    record
}
