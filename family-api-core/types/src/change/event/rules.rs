//! The rules that depend on the stored event. They check the event in its updated state (HTTP reference, "Event
//! fields").

use jiff::SignedDuration;

use crate::calendar::Zone;
use crate::change::editable::{ValidChange, sealed, unknown_assignee};
use crate::change::event::{EventChange, EventUpdate};
use crate::change::fields::bodies;
use crate::change::{Creator, DateOrInstant, Editable, Verdict, WriteContext};
use crate::id::EventId;
use crate::resource::{Event, Person, RecordKind};
use crate::timestamp::Timestamp;
use crate::validation::{Field, FieldFault};

/// The data that a storage reads to check a write of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventFacts {
    /// The event.
    pub event: Event,
    /// The member of the family with the id [`EventUpdate::named_assignee`], if there is one.
    pub assignee: Option<Person>,
}

impl sealed::Sealed for Event {}

impl Editable for Event {
    const KIND: RecordKind = RecordKind::Event;

    type Id = EventId;
    type Change = EventChange;
    type Update = EventUpdate;
    type Facts = EventFacts;
    type Write = Self;

    bodies!(EventChange);

    fn times(update: &EventUpdate) -> Vec<(&'static str, DateOrInstant)> {
        let times = [("startDate", update.0.start_date), ("endDate", update.0.end_date)];
        times.into_iter().filter_map(|(field, time)| Some((field, time?))).collect()
    }

    fn id(&self) -> &EventId {
        &self.id
    }

    fn blank(id: EventId, _: &Creator<'_>, now: Timestamp) -> Self {
        Self::new(id, "", now, now, now)
    }

    fn record(facts: &EventFacts) -> &Self {
        &facts.event
    }

    fn apply(update: EventUpdate, facts: EventFacts, context: &WriteContext<'_>) -> Verdict<Self> {
        let ValidChange(change) = update;
        let EventFacts { mut event, assignee } = facts;
        let zones = Zones { writer: context.zone, event: context.zone };
        let mut faults = Vec::from_iter(unknown_assignee(&change.assignee, assignee.as_ref()));
        faults.extend(set_dates(&mut event, &change, zones));
        if !faults.is_empty() {
            return Verdict::Refused(faults);
        }
        if change.assignee != Field::Keep {
            event.assignee_id = assignee.as_ref().map(|person| person.id.clone());
            event.assignee = assignee;
        }
        event.title = change.title.unwrap_or(event.title);
        event.description = change.description.apply_to(event.description);
        event.emoji = change.emoji.apply_to(event.emoji);
        event.color = change.color.apply_to(event.color);
        event.location = change.location.apply_to(event.location);
        event.recurrence = change.recurrence.apply_to(event.recurrence);
        event.updated_at = context.now;
        Verdict::Write(event)
    }
}

/// The time zones in which the times of a write are resolved.
#[derive(Debug, Clone, Copy)]
struct Zones<'a> {
    /// The zone of the user who writes, for the local times and dates of a timed event.
    writer: &'a Zone,
    /// The zone of the event, for the days of an all-day event.
    event: &'a Zone,
}

/// Sets `startDate`, `endDate` and `allDay`. Stored dates are checked only if the change affects them, because an event
/// that was imported, or that another member created in another time zone, can have other dates. Returns the faults.
fn set_dates(event: &mut Event, change: &EventChange, zones: Zones<'_>) -> Vec<FieldFault> {
    let mut faults = Vec::new();
    let &EventChange { start_date, end_date, all_day, .. } = change;
    if start_date.is_none() && end_date.is_none() && all_day.is_none() {
        return faults;
    }
    let was_all_day = event.all_day;
    event.all_day = all_day.unwrap_or(was_all_day);
    let zone = if event.all_day { zones.event } else { zones.writer };
    let becomes_all_day = event.all_day && !was_all_day;
    let is_checked = |date: Option<DateOrInstant>| event.all_day && (date.is_some() || becomes_all_day);
    let start = start_date.unwrap_or(event.start_date.into()).in_zone(zone);
    let end = match end_date {
        Some(end) => end,
        None if start_date.is_some() && event.all_day == was_all_day => moved_end(event, start, zone),
        None => event.end_date.into(),
    };
    event.start_date = start;
    event.end_date = match end {
        // The date is the last day.
        DateOrInstant::On(last) if event.all_day => {
            last.tomorrow().map_or(Timestamp::MAX, |next| zone.start_of_day(next))
        }
        _ => end.in_zone(zone),
    };
    if is_checked(start_date) && !zone.is_start_of_day(event.start_date) {
        faults.push(FieldFault::of_field("startDate", "an all-day event starts on a date, or when a day starts"));
    }
    if is_checked(end_date) && !zone.is_start_of_day(event.end_date) && event.end_date != Timestamp::MAX {
        faults.push(FieldFault::of_field("endDate", "an all-day event ends on a date, or when a day starts"));
    }
    // The dates of an all-day event are compared as days.
    let earliest = if event.all_day { zone.start_of_day(zone.day_of(event.start_date)) } else { event.start_date };
    // The end of an all-day event is exclusive if it is a time. A stored end is not checked if the dates stay.
    let is_exclusive = !matches!(end, DateOrInstant::On(_)) && (is_checked(start_date) || is_checked(end_date));
    if end.in_zone(zone) < earliest {
        faults.push(FieldFault::of_field("endDate", "must not be before startDate"));
    } else if is_exclusive && event.end_date == earliest && event.end_date != Timestamp::MAX {
        faults.push(FieldFault::of_field("endDate", "an all-day event ends after the day on which it starts"));
    }
    faults
}

/// Returns the end of an event that moves to another start. A timed event keeps its exact duration, and an all-day
/// event its number of days.
fn moved_end(event: &Event, start: Timestamp, zone: &Zone) -> DateOrInstant {
    if event.all_day {
        let first = zone.day_of(event.start_date);
        let last = zone.last_day(event.start_date, event.end_date).max(first);
        zone.day_of(start).saturating_add(last.duration_since(first)).into()
    } else {
        let millis = event.end_date.as_millis() - event.start_date.as_millis();
        start.saturating_add(SignedDuration::from_millis(millis)).into()
    }
}
