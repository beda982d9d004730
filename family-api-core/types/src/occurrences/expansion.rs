//! The occurrences of a list of events, as references to the events.

use std::collections::{HashMap, HashSet};

use super::event_span::{DayRange, QueryRange};
use super::spans::{self, Slot, Spans};
use super::steps::Steps;
use super::{LocalStart, Override, Recurrence};
use crate::calendar::{Zone, ZoneName};
use crate::id::{EventId, UserId};
use crate::resource::{Event, Occurrence, Person};
use crate::timestamp::Timestamp;
use crate::validation::Field;

/// The maximum number of occurrences of a query, over all its events.
pub const MAX_OCCURRENCES: usize = 1_000;

/// The length of a moment in a recurrence. A change takes as many steps as a moment.
const MOMENT_LENGTH: usize = 16;

/// The result of [`expand`](super::expand) in the form without copies: it refers to the events, and so takes little
/// memory. For a host that shows only some of the occurrences.
#[derive(Debug)]
pub struct Expansion<'e> {
    /// The occurrences, ordered by `startDate`, `occurrenceOf`, `recurrenceId`.
    pub items: Vec<OccurrenceRef<'e>>,
    /// As [`Occurrences::is_cut`](super::Occurrences::is_cut).
    pub is_cut: bool,
    /// As [`Occurrences::unexpanded`](super::Occurrences::unexpanded).
    pub unexpanded: Vec<EventId>,
}

/// An occurrence that refers to its event. [`to_occurrence`](Self::to_occurrence) copies the fields of the event.
#[derive(Debug)]
pub struct OccurrenceRef<'e> {
    event: &'e Event,
    slot: Slot<'e>,
    is_recurring: bool,
}

impl<'e> Expansion<'e> {
    /// Expands events, as [`expand`](super::expand).
    #[must_use]
    pub fn of(events: impl Iterator<Item = &'e Event>, reader: &Zone, days: DayRange, max: usize) -> Self {
        let max = max.min(MAX_OCCURRENCES);
        let range = QueryRange::new(days, reader);
        let mut expansion = Self { items: Vec::new(), is_cut: false, unexpanded: Vec::new() };
        let mut steps = Steps::new();
        let mut events: Vec<_> = events.collect();
        let zones = EventZones::new(&events, reader);
        events.retain(|event| !spans::starts_after(event, zones.of(event), &range));
        let find = |expansion: &mut Self, event, recurrence: Option<&Recurrence>, steps: &mut Steps| {
            let spans = spans::find(event, recurrence, zones.of(event), &range, max, steps);
            expansion.add_spans(event, recurrence.is_some(), spans, max);
        };
        // Long lists of EXDATE, RDATE and changes may take all steps of the query, and so may a COUNT. None must displace
        // the occurrences of events with short rules, so the longest recurrences come late, and a COUNT comes last.
        events.sort_by_key(|event| {
            event.recurrence.as_deref().map_or(0, str::len) + event.overrides.as_slice().len() * MOMENT_LENGTH
        });
        let mut counted = Vec::new();
        for event in events {
            steps.begin_event();
            let Some(text) = event.recurrence.as_deref() else {
                find(&mut expansion, event, None, &mut steps);
                continue;
            };
            if steps.take_text(text).is_none() {
                expansion.is_cut = true;
                continue;
            }
            match Recurrence::parse(text) {
                Ok(recurrence) if recurrence.has_count() => counted.push((event, recurrence)),
                Ok(recurrence) => find(&mut expansion, event, Some(&recurrence), &mut steps),
                Err(_) => {
                    expansion.unexpanded.push(event.id.clone());
                    find(&mut expansion, event, None, &mut steps);
                }
            }
        }
        for (event, recurrence) in &counted {
            steps.begin_event();
            find(&mut expansion, event, Some(recurrence), &mut steps);
        }
        expansion.keep_earliest(max);
        expansion
    }

    fn add_spans(&mut self, event: &'e Event, is_recurring: bool, spans: Spans<'e>, max: usize) {
        self.is_cut |= spans.is_cut;
        self.items.extend(spans.items.into_iter().map(|slot| OccurrenceRef { event, slot, is_recurring }));
        // Bounds the memory for many events.
        if self.items.len() > 4 * MAX_OCCURRENCES {
            self.keep_earliest(max);
        }
    }

    /// Sorts the occurrences and removes all except the earliest `max`.
    fn keep_earliest(&mut self, max: usize) {
        self.items.sort_by(|a, b| a.position().cmp(&b.position()));
        self.is_cut |= self.items.len() > max;
        self.items.truncate(max);
    }
}

/// The zones that a list of events names. Each name is looked up once.
struct EventZones<'e> {
    reader: &'e Zone,
    zones: HashMap<&'e ZoneName, Zone>,
}

impl<'e> EventZones<'e> {
    fn new(events: &[&'e Event], reader: &'e Zone) -> Self {
        let names: HashSet<_> = events.iter().filter_map(|event| event.time_zone.as_ref()).collect();
        Self { reader, zones: names.into_iter().filter_map(|name| Some((name, name.zone()?))).collect() }
    }

    /// Returns the zone of an event, or else the zone of the reader.
    fn of(&self, event: &Event) -> &Zone {
        event.time_zone.as_ref().and_then(|name| self.zones.get(name)).unwrap_or(self.reader)
    }
}

impl<'e> OccurrenceRef<'e> {
    /// Returns when the occurrence starts.
    #[must_use]
    pub fn start(&self) -> Timestamp {
        self.slot.span.start
    }

    /// Returns when the occurrence ends.
    #[must_use]
    pub fn end(&self) -> Timestamp {
        self.slot.span.end
    }

    /// Returns whether the occurrence lasts whole days.
    #[must_use]
    pub fn is_all_day(&self) -> bool {
        self.event.all_day
    }

    /// Returns the event, without the changes of the occurrence.
    #[must_use]
    pub fn event(&self) -> &'e Event {
        self.event
    }

    /// Returns the assignee.
    #[must_use]
    pub fn assignee_id(&self) -> Option<&'e UserId> {
        self.changed(self.event.assignee_id.as_ref(), |change| &change.assignee_id)
    }

    /// Returns the users who take part.
    #[must_use]
    pub fn participant_ids(&self) -> &'e [UserId] {
        let changed = self.slot.change.and_then(|change| change.participant_ids.as_ref());
        changed.unwrap_or(&self.event.participant_ids)
    }

    /// Returns the identifier of the event.
    #[must_use]
    pub fn event_id(&self) -> &EventId {
        &self.event.id
    }

    /// Returns when the occurrence starts by the rule, or `None` if the event does not recur.
    #[must_use]
    pub fn recurrence_id(&self) -> Option<LocalStart> {
        self.is_recurring.then_some(self.slot.key)
    }

    /// Returns the title, the description and the location.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let title = self.slot.change.and_then(|change| change.title.as_ref()).unwrap_or(&self.event.title);
        let description = self.changed(self.event.description.as_ref(), |change| &change.description);
        let location = self.changed(self.event.location.as_ref(), |change| &change.location);
        std::iter::once(title).chain(description).chain(location).map(String::as_str)
    }

    fn changed<T>(&self, of_event: Option<&'e T>, field: fn(&Override) -> &Field<T>) -> Option<&'e T> {
        match self.slot.change.map(field) {
            None | Some(Field::Keep) => of_event,
            Some(Field::Clear) => None,
            Some(Field::Set(value)) => Some(value),
        }
    }

    /// Creates the occurrence with the fields of its event, and with those that are changed. A changed assignee is one
    /// of the members, or null.
    #[must_use]
    pub fn to_occurrence(&self, members: &[Person]) -> Occurrence {
        let Slot { key, by_rule, span, change } = self.slot;
        if !self.is_recurring {
            return Occurrence::of_single(self.event);
        }
        let occurrence = Occurrence::of_recurring(self.event, key, by_rule, (span.start, span.end));
        match change {
            Some(change) => occurrence.changed(change, members),
            None => occurrence,
        }
    }

    /// Returns the sort key. It is unique among the occurrences of a family.
    fn position(&self) -> (Timestamp, &EventId, Option<LocalStart>) {
        (self.start(), self.event_id(), self.recurrence_id())
    }
}
