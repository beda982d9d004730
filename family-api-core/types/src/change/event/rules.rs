//! The rules that depend on the stored event. They check the event in its updated state (HTTP reference, "Event
//! fields").

use crate::calendar::Zone;
use crate::change::editable::{ValidChange, sealed, unknown_assignee};
use crate::change::event::participants::set_participants;
use crate::change::event::{EventChange, EventUpdate};
use crate::change::fields::bodies;
use crate::change::{Creator, DateOrInstant, Editable, New, Verdict, WriteContext};
use crate::id::{EventId, UserId};
use crate::occurrences::Overrides;
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
    /// The ids of all members of the family. `None` if no write [names](EventUpdate::names_participants) participants.
    pub members: Option<Vec<UserId>>,
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

    fn id(&self) -> &EventId {
        &self.id
    }

    fn blank(id: EventId, _: &Creator<'_>, now: Timestamp) -> Self {
        Self::new(id, "", now, now, now)
    }

    fn record(facts: &EventFacts) -> &Self {
        &facts.event
    }

    /// A new event has the time zone of its author.
    fn decide_new(new: New<EventUpdate>, facts: EventFacts, context: &WriteContext<'_>) -> Verdict<Self> {
        let event = Self { time_zone: Some(context.zone.into()), ..facts.event };
        Self::apply(new.into_fields(), EventFacts { event, ..facts }, context)
    }

    fn apply(update: EventUpdate, facts: EventFacts, context: &WriteContext<'_>) -> Verdict<Self> {
        let ValidChange(change) = update;
        let EventFacts { mut event, assignee, members } = facts;
        let was_all_day = event.all_day;
        let mut faults = Vec::from_iter(unknown_assignee(&change.assignee, assignee.as_ref()));
        faults.extend(set_dates(&mut event, &change, context.zone));
        if let Some(participants) = &change.participants {
            faults.extend(set_participants(&mut event, participants, members.as_deref()));
        }
        if !faults.is_empty() {
            return Verdict::Refused(faults);
        }
        if change.assignee != Field::Keep {
            event.assignee_id = assignee.as_ref().map(|person| person.id.clone());
            event.assignee = assignee;
        }
        event.time_zone = change.time_zone.or(event.time_zone);
        event.title = change.title.unwrap_or(event.title);
        event.description = change.description.apply_to(event.description);
        event.emoji = change.emoji.apply_to(event.emoji);
        event.color = change.color.apply_to(event.color);
        event.location = change.location.apply_to(event.location);
        event.recurrence = change.recurrence.apply_to(event.recurrence);
        if event.recurrence.is_none() || event.all_day != was_all_day {
            event.overrides = Overrides::default();
        }
        event.updated_at = context.now;
        Verdict::Write(event)
    }
}

/// Sets `startDate`, `endDate` and `allDay`. Stored dates are checked only if the change affects them, because an event
/// that was imported, or that another member created in another time zone, can have other dates. Returns the faults.
fn set_dates(event: &mut Event, change: &EventChange, zone: &Zone) -> Vec<FieldFault> {
    let mut faults = Vec::new();
    let &EventChange { start_date, end_date, all_day, .. } = change;
    if start_date.is_none() && end_date.is_none() && all_day.is_none() {
        return faults;
    }
    let becomes_all_day = all_day == Some(true) && !event.all_day;
    event.all_day = all_day.unwrap_or(event.all_day);
    let is_checked = |date: Option<DateOrInstant>| event.all_day && (date.is_some() || becomes_all_day);
    let start = start_date.unwrap_or(event.start_date.into());
    let end = end_date.unwrap_or(event.end_date.into());
    event.start_date = start.in_zone(zone);
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
    // The end of an all-day event is exclusive if it is an instant. A stored end is not checked if the dates stay.
    let is_exclusive = matches!(end, DateOrInstant::At(_)) && (is_checked(start_date) || is_checked(end_date));
    if end.in_zone(zone) < earliest {
        faults.push(FieldFault::of_field("endDate", "must not be before startDate"));
    } else if is_exclusive && event.end_date == earliest && event.end_date != Timestamp::MAX {
        faults.push(FieldFault::of_field("endDate", "an all-day event ends after the day on which it starts"));
    }
    faults
}
