//! Changes of one occurrence of a recurring event (HTTP reference, "Changing one occurrence").

use serde::Serialize;
use serde_json::{Value, json};

use crate::calendar::Zone;
use crate::change::event::rules::set_fields;
use crate::change::event::scope::OccurrenceScope;
use crate::change::event::series::{follow_occurrence, overrides_of, unreadable, zone_of};
use crate::change::event::{EventChange, EventFacts, EventUpdate, following};
use crate::change::{Editable, Split, ValidChange, Verdict, WriteContext, sequence};
use crate::id::EventId;
use crate::occurrences::edit::{exclude, include};
use crate::occurrences::locate::{Located, locate};
use crate::occurrences::shift::Moved;
use crate::occurrences::{LocalStart, OccurrenceStart, Override};
use crate::resource::Event;
use crate::validation::rules::ValueRule;
use crate::validation::{Faults, Field, FieldFault};

/// The rule for the occurrence of a change. No body has it.
pub(super) const OCCURRENCE: ValueRule<OccurrencePart> =
    ValueRule { read: |_| Err("is in the path".into()), schema: || json!(false) };

/// The occurrence of a change, and what happens to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct OccurrencePart {
    start: OccurrenceStart,
    scope: OccurrenceScope,
    action: Action,
}

/// What happens to an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum Action {
    /// Sets fields of the occurrence.
    Change,
    /// Excludes the occurrence.
    Skip,
    /// Removes what changed or excluded the occurrence.
    Restore,
}

/// The fields that belong to an event, and not to its occurrences.
const OF_EVENT: [&str; 2] = ["allDay", "timeZone"];

/// The fields that no change of only one occurrence has.
const OF_OTHER_SCOPES: [&str; 3] = ["allDay", "timeZone", "recurrence"];

impl OccurrencePart {
    /// Returns whether the change can split the event.
    pub(super) fn splits(self) -> bool {
        (self.action, self.scope) == (Action::Change, OccurrenceScope::Following)
    }
}

impl EventUpdate {
    /// Returns the JSON schema of the body of a change of one occurrence.
    #[must_use]
    pub fn occurrence_schema() -> Value {
        let mut schema = Event::update_schema();
        // The example is for one occurrence.
        for (fields, others) in [("properties", &OF_EVENT[..]), ("example", &OF_OTHER_SCOPES[..])] {
            if let Some(fields) = schema.get_mut(fields).and_then(Value::as_object_mut) {
                fields.retain(|name, _| !others.contains(&name.as_str()));
            }
        }
        schema
    }

    /// Applies the update to one occurrence of a recurring event, or to those of a scope.
    ///
    /// # Errors
    /// The faults of the fields that belong to the event: `allDay`, `timeZone` and, for one occurrence, `recurrence`.
    pub fn of_occurrence(self, start: OccurrenceStart, scope: OccurrenceScope) -> Result<Self, Faults> {
        let Self(change) = self;
        let is_named = [
            change.all_day.is_some(),
            change.time_zone.is_some(),
            scope == OccurrenceScope::This && !change.recurrence.is_kept(),
        ];
        let named = OF_OTHER_SCOPES.into_iter().zip(is_named).filter(|(_, is_named)| *is_named);
        let faults: Vec<_> = named.map(|(name, _)| FieldFault::of_field(name, "belongs to the whole event")).collect();
        if !faults.is_empty() {
            return Err(faults.into());
        }
        let part = OccurrencePart { start, scope, action: Action::Change };
        Ok(ValidChange(EventChange { occurrence: Some(part), ..change }))
    }

    /// Returns the update that excludes one occurrence of a recurring event, or that ends the event before it. The rules
    /// refuse the scope [`All`](OccurrenceScope::All).
    #[must_use]
    pub fn skip_occurrence(start: OccurrenceStart, scope: OccurrenceScope) -> Self {
        Self::of_action(OccurrencePart { start, scope, action: Action::Skip })
    }

    /// Returns the update that restores one occurrence of a recurring event as its rule makes it.
    #[must_use]
    pub fn restore_occurrence(start: OccurrenceStart) -> Self {
        Self::of_action(OccurrencePart { start, scope: OccurrenceScope::This, action: Action::Restore })
    }

    fn of_action(part: OccurrencePart) -> Self {
        ValidChange(EventChange { occurrence: Some(part), ..EventChange::new() })
    }
}

/// Applies a change to an occurrence. `new_id` is the id of the event that a split creates.
pub(super) fn apply(
    part: OccurrencePart,
    change: EventChange,
    new_id: Option<EventId>,
    facts: EventFacts,
    context: &WriteContext<'_>,
) -> Verdict<Split<Event>> {
    let (start, zone) = (part.start, &zone_of(&facts.event, context.zone));
    let applied = match (part.action, part.scope) {
        (Action::Change, OccurrenceScope::This) => set(start, change, facts, zone, context.zone),
        (Action::Change, OccurrenceScope::All) => set_all(start, change, facts, zone, context.zone),
        (Action::Change, OccurrenceScope::Following) => {
            following::set(start, change, new_id, facts, (zone, context.zone))
        }
        (Action::Skip, OccurrenceScope::This) => skip(start, facts.event, zone),
        (Action::Skip, OccurrenceScope::Following) => following::end(start, facts.event, zone),
        (Action::Skip, OccurrenceScope::All) => Err(refused("scope", DELETE_INSTEAD)),
        (Action::Restore, _) => restore(start, facts.event, zone),
    };
    match applied {
        Ok(Applied::Changed(split)) => {
            if let Some(detail) = unreadable(&split.record).or_else(|| split.new.as_ref().and_then(unreadable)) {
                return Verdict::Refused(vec![FieldFault::of_field("recurrence", detail)]);
            }
            let Split { record, new } = *split;
            let (updated_at, sequence) = (context.now, sequence::next(record.sequence));
            Verdict::Write(Split {
                record: Event { updated_at, sequence, ..record },
                new: new.map(|event| Event { created_at: updated_at, updated_at, sequence: 0, ..event }),
            })
        }
        Ok(Applied::Kept(event)) => Verdict::Write((*event).into()),
        Err(Refusal::NotFound) => Verdict::NotFound,
        Err(Refusal::Faults(faults)) => Verdict::Refused(faults),
    }
}

/// The fault of the deletion of every occurrence.
pub(super) const DELETE_INSTEAD: &str = "no occurrence would be left: delete the event";

/// What to store.
pub(super) enum Applied {
    Changed(Box<Split<Event>>),
    /// The change has no effect.
    Kept(Box<Event>),
}

impl Applied {
    pub(super) fn changed(event: Event) -> Self {
        Self::Changed(Box::new(event.into()))
    }
}

/// Why a change of an occurrence is not made.
pub(super) enum Refusal {
    NotFound,
    Faults(Vec<FieldFault>),
}

impl From<FieldFault> for Refusal {
    fn from(fault: FieldFault) -> Self {
        Self::Faults(vec![fault])
    }
}

/// Sets fields of an occurrence. The fields that then equal those of the event follow it again.
fn set(
    start: OccurrenceStart,
    change: EventChange,
    facts: EventFacts,
    zone: &Zone,
    writer: &Zone,
) -> Result<Applied, Refusal> {
    let EventFacts { mut event, assignee, members } = facts;
    let located = the_only(start, &shown(&event, zone, start))?;
    if change.is_empty() {
        return Ok(Applied::Kept(Box::new(event)));
    }
    let mut occurrence = as_event(&event, &located);
    let faults = set_fields(&mut occurrence, change, assignee, members.as_deref(), writer);
    if !faults.is_empty() {
        return Err(Refusal::Faults(faults));
    }
    let change = difference(&event, &located, occurrence);
    replace_override(&mut event, located.key, change)?;
    Ok(Applied::changed(event))
}

/// Sets fields of the event, and moves all its occurrences as this one.
fn set_all(
    start: OccurrenceStart,
    change: EventChange,
    facts: EventFacts,
    zone: &Zone,
    writer: &Zone,
) -> Result<Applied, Refusal> {
    let located = the_only(start, &shown(&facts.event, zone, start))?;
    if change.is_empty() {
        return Ok(Applied::Kept(Box::new(facts.event)));
    }
    set_series(&located, change, facts, zone, writer).map(Applied::changed)
}

/// Sets fields of the event, and moves all its occurrences as one that was found.
pub(super) fn set_series(
    located: &Located,
    change: EventChange,
    facts: EventFacts,
    zone: &Zone,
    writer: &Zone,
) -> Result<Event, Refusal> {
    let EventFacts { event, assignee, members } = facts;
    let moved = if change.recurrence.is_kept() { Moved::Everything } else { Moved::Changes };
    let shown = event.overrides.find(located.key).map(|change| (change.start_date, change.end_date));
    let shown = shown.unwrap_or((located.start, located.end));
    let mut after = Event { start_date: shown.0, end_date: shown.1, ..event.clone() };
    let faults = set_fields(&mut after, change, assignee, members.as_deref(), writer);
    if !faults.is_empty() {
        return Err(Refusal::Faults(faults));
    }
    if !follow_occurrence(&event, (located, shown), &mut after, zone, moved)? {
        return Err(refused("startDate", "the rule has no occurrence then: send `recurrence` too"));
    }
    Ok(after)
}

fn skip(start: OccurrenceStart, mut event: Event, zone: &Zone) -> Result<Applied, Refusal> {
    let located = the_only(start, &shown(&event, zone, start))?;
    replace_override(&mut event, located.key, None)?;
    if !located.is_excluded {
        event.recurrence = event.recurrence.as_deref().map(|recurrence| exclude(recurrence, located.key));
    }
    Ok(Applied::changed(event))
}

fn restore(start: OccurrenceStart, mut event: Event, zone: &Zone) -> Result<Applied, Refusal> {
    let mut located = locate(&event, zone, start);
    let is_changed = |located: &Located| located.is_excluded || event.overrides.find(located.key).is_some();
    if located.iter().any(is_changed) {
        located.retain(is_changed);
    } else if !located.is_empty() {
        return Ok(Applied::Kept(Box::new(event)));
    }
    let located = the_only(start, &located)?;
    replace_override(&mut event, located.key, None)?;
    if located.is_excluded {
        let of_day = locate(&event, zone, OccurrenceStart::Day(located.key.date()));
        let is_other = |other: &Located| other.key != located.key && event.overrides.find(other.key).is_none();
        let has_others = of_day.iter().any(is_other);
        let recurrence = event.recurrence.as_deref();
        let included = recurrence.and_then(|recurrence| include(recurrence, located.key, zone, has_others));
        let Some(included) = included else {
            return Err(refused("recurrence", "excludes the whole day, with other occurrences: change the recurrence"));
        };
        event.recurrence = Some(included);
    }
    Ok(Applied::changed(event))
}

/// Returns the occurrences with a start that are not excluded. A changed occurrence is shown even if it is excluded.
pub(super) fn shown(event: &Event, zone: &Zone, start: OccurrenceStart) -> Vec<Located> {
    let is_shown = |located: &Located| !located.is_excluded || event.overrides.find(located.key).is_some();
    locate(event, zone, start).into_iter().filter(is_shown).collect()
}

pub(super) fn the_only(start: OccurrenceStart, located: &[Located]) -> Result<Located, Refusal> {
    match (located, start) {
        ([], _) => Err(Refusal::NotFound),
        // Of occurrences that a gap moves to the same instant, only the first one is shown.
        ([only, ..], OccurrenceStart::At(_)) => Ok(*only),
        ([only, others @ ..], _) if others.iter().all(|other| other.start == only.start) => Ok(*only),
        (_, OccurrenceStart::Day(_)) => {
            Err(refused("start", "several occurrences start on this day: use the id of one of them"))
        }
    }
}

pub(super) fn refused(field: &str, detail: &str) -> Refusal {
    FieldFault::of_field(field, detail).into()
}

/// Returns the event with the dates and the fields of an occurrence.
fn as_event(event: &Event, located: &Located) -> Event {
    let mut shown = Event { start_date: located.start, end_date: located.end, ..event.clone() };
    if let Some(change) = event.overrides.find(located.key).cloned() {
        shown.start_date = change.start_date;
        shown.end_date = change.end_date;
        shown.title = change.title.unwrap_or(shown.title);
        shown.description = change.description.apply_to(shown.description);
        shown.emoji = change.emoji.apply_to(shown.emoji);
        shown.color = change.color.apply_to(shown.color);
        shown.location = change.location.apply_to(shown.location);
        shown.assignee_id = change.assignee_id.apply_to(shown.assignee_id);
        shown.participant_ids = change.participant_ids.unwrap_or(shown.participant_ids);
    }
    shown
}

/// Returns the difference of an occurrence from what its event makes of it, or `None` if there is none.
fn difference(event: &Event, located: &Located, occurrence: Event) -> Option<Override> {
    fn changed<T: PartialEq>(own: Option<&T>, new: Option<T>) -> Field<T> {
        if own == new.as_ref() { Field::Keep } else { new.map_or(Field::Clear, Field::Set) }
    }
    let change = Override {
        title: Some(occurrence.title).filter(|title| *title != event.title),
        description: changed(event.description.as_ref(), occurrence.description),
        emoji: changed(event.emoji.as_ref(), occurrence.emoji),
        color: changed(event.color.as_ref(), occurrence.color),
        location: changed(event.location.as_ref(), occurrence.location),
        assignee_id: changed(event.assignee_id.as_ref(), occurrence.assignee_id),
        participant_ids: Some(occurrence.participant_ids).filter(|ids| *ids != event.participant_ids),
        ..Override::new(located.key, occurrence.start_date, occurrence.end_date)
    };
    // Without its change, an excluded occurrence would not be shown.
    let is_kept = located.is_excluded || change != Override::new(located.key, located.start, located.end);
    is_kept.then_some(change)
}

/// Replaces the change of an occurrence, or removes it.
fn replace_override(event: &mut Event, key: LocalStart, change: Option<Override>) -> Result<(), FieldFault> {
    let mut overrides = std::mem::take(&mut event.overrides).into_vec();
    overrides.retain(|other| other.recurrence_id != key);
    overrides.extend(change);
    event.overrides = overrides_of(overrides)?;
    Ok(())
}
