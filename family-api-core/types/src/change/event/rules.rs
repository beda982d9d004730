//! The rules that depend on the stored event. They check the event in its updated state (HTTP reference, "Event
//! fields").

use jiff::SignedDuration;

use crate::calendar::{Zone, ZoneName};
use crate::change::editable::{ValidChange, sealed, unknown_assignee};
use crate::change::event::occurrence::OccurrencePart;
use crate::change::event::participants::set_participants;
use crate::change::event::series::{follow, keeps_occurrences, on_same_day};
use crate::change::event::{EventChange, EventUpdate, occurrence};
use crate::change::fields::bodies;
use crate::change::{Creator, DateOrInstant, Editable, New, Split, Verdict, WriteContext, sequence};
use crate::id::{EventId, UserId};
use crate::occurrences::Overrides;
use crate::occurrences::shift::Moved;
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
    const CAN_SPLIT: bool = true;

    type Id = EventId;
    type Change = EventChange;
    type Update = EventUpdate;
    type Facts = EventFacts;
    type Write = Self;

    bodies!(EventChange);

    fn time_zone(update: &EventUpdate) -> Option<&ZoneName> {
        update.0.time_zone.as_ref()
    }

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

    fn with_version_of(self, other: &Self) -> Self {
        Self { updated_at: other.updated_at, sequence: other.sequence, ..self }
    }

    /// A new event has the time zone of its author.
    fn decide_new(new: New<EventUpdate>, facts: EventFacts, context: &WriteContext<'_>) -> Verdict<Self> {
        let event = Self { time_zone: Some(context.zone.into()), ..facts.event };
        let created = Self::apply(new.into_fields(), EventFacts { event, ..facts }, context);
        created.map(|event| Self { sequence: 0, ..event })
    }

    /// A reader can have seen the deletion, after the `sequence` of the event.
    fn decide_restore(EventFacts { event, .. }: EventFacts, _: &WriteContext<'_>) -> Verdict<Self> {
        Verdict::Write(Self { sequence: sequence::next(event.sequence), ..event })
    }

    fn splits(update: &EventUpdate) -> bool {
        update.0.occurrence.is_some_and(OccurrencePart::splits)
    }

    fn decide_split(
        update: EventUpdate,
        new_id: EventId,
        facts: EventFacts,
        context: &WriteContext<'_>,
    ) -> Verdict<Split<Self>> {
        let ValidChange(mut change) = update;
        match change.occurrence.take() {
            Some(part) => occurrence::apply(part, change, Some(new_id), facts, context),
            None => Self::decide(ValidChange(change), facts, context).map(Split::from),
        }
    }

    fn apply(update: EventUpdate, facts: EventFacts, context: &WriteContext<'_>) -> Verdict<Self> {
        let ValidChange(mut change) = update;
        if let Some(part) = change.occurrence.take() {
            return occurrence::apply(part, change, None, facts, context).map(|split| split.record);
        }
        let EventFacts { mut event, assignee, members } = facts;
        let before = event.recurrence.is_some().then(|| event.clone());
        let is_zone_alone = change.time_zone.is_some()
            && change.all_day.is_none_or(|all_day| all_day == event.all_day)
            && change.start_date.is_none()
            && change.end_date.is_none();
        let moved = match (change.recurrence.is_kept(), is_zone_alone) {
            (false, _) => Moved::Changes,
            (true, false) => Moved::Exceptions,
            (true, true) => Moved::Everything,
        };
        let faults = set_fields(&mut event, change, assignee, members.as_deref(), context.zone);
        if !faults.is_empty() {
            return Verdict::Refused(faults);
        }
        match before {
            Some(before) if moved == Moved::Everything && !keeps_occurrences(&before, &event, context.zone) => {
                let detail = "the occurrences would be at other instants then: send `recurrence` too";
                return Verdict::Refused(vec![FieldFault::of_field("timeZone", detail)]);
            }
            Some(before) => {
                if let Err(fault) = follow(&before, &mut event, context.zone, moved) {
                    return Verdict::Refused(vec![fault]);
                }
            }
            None => event.overrides = Overrides::default(),
        }
        event.updated_at = context.now;
        event.sequence = sequence::next(event.sequence);
        Verdict::Write(event)
    }
}

/// Sets the fields of a change. `writer` is the time zone of the user who writes. Returns the faults.
pub(super) fn set_fields(
    event: &mut Event,
    change: EventChange,
    assignee: Option<Person>,
    members: Option<&[UserId]>,
    writer: &Zone,
) -> Vec<FieldFault> {
    let named = change.time_zone.as_ref().and_then(ZoneName::zone);
    let stored = event.time_zone.as_ref().and_then(ZoneName::zone);
    if let (Some(named), true) = (&named, event.all_day) {
        let from = stored.as_ref().unwrap_or(writer);
        event.start_date = on_same_day(event.start_date, from, named);
        event.end_date = on_same_day(event.end_date, from, named);
    }
    let own = named.as_ref().or(stored.as_ref()).unwrap_or(writer);
    let zones = Zones { writer: named.as_ref().unwrap_or(writer), event: own };
    let mut faults = Vec::from_iter(unknown_assignee(&change.assignee, assignee.as_ref()));
    faults.extend(set_dates(event, &change, zones));
    if let Some(participants) = &change.participants {
        faults.extend(set_participants(event, participants, members));
    }
    if change.assignee != Field::Keep {
        event.assignee_id = assignee.as_ref().map(|person| person.id.clone());
        event.assignee = assignee;
    }
    if change.time_zone.is_some() {
        event.time_zone = change.time_zone;
    }
    if let Some(title) = change.title {
        event.title = title;
    }
    event.description = change.description.apply_to(event.description.take());
    event.emoji = change.emoji.apply_to(event.emoji.take());
    event.color = change.color.apply_to(event.color.take());
    event.location = change.location.apply_to(event.location.take());
    event.recurrence = change.recurrence.apply_to(event.recurrence.take());
    faults
}

/// The time zones in which the times of a write are resolved.
#[derive(Debug, Clone, Copy)]
struct Zones<'a> {
    /// The zone of the body or of the user who writes, for the local times and dates of a timed event.
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
