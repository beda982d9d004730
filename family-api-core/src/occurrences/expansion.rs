//! The occurrences of a list of events, as references to the events.

use super::Recurrence;
use super::event_span::{DayRange, Span};
use super::spans;
use super::steps::Steps;
use crate::calendar::Zone;
use crate::id::EventId;
use crate::resource::{Event, Occurrence};
use crate::timestamp::Timestamp;

/// The maximum number of occurrences of a query, over all its events.
pub const MAX_OCCURRENCES: usize = 1_000;

/// The occurrences of a list of events. They take little memory, because they do not copy the fields of their events.
#[derive(Debug)]
pub(crate) struct Expansion<'e> {
    /// The occurrences, ordered by `startDate`, `occurrenceOf`.
    pub(crate) items: Vec<OccurrenceRef<'e>>,
    /// As [`Occurrences::is_cut`](super::Occurrences::is_cut).
    pub(crate) is_cut: bool,
    /// As [`Occurrences::unexpanded`](super::Occurrences::unexpanded).
    pub(crate) unexpanded: Vec<EventId>,
}

/// An occurrence without the fields of its event.
#[derive(Debug)]
pub(crate) struct OccurrenceRef<'e> {
    event: &'e Event,
    span: Span,
    is_recurring: bool,
}

impl<'e> Expansion<'e> {
    /// Expands events, as [`expand`](super::expand).
    pub(crate) fn of(events: impl Iterator<Item = &'e Event>, zone: &Zone, days: DayRange, max: usize) -> Self {
        let max = max.min(MAX_OCCURRENCES);
        let mut expansion = Self { items: Vec::new(), is_cut: false, unexpanded: Vec::new() };
        let mut events: Vec<_> = events.map(|event| (event, expansion.parse(event))).collect();
        // A COUNT may take all steps of the query. It must not displace the occurrences of other events.
        events.sort_by_key(|(_, recurrence)| recurrence.as_ref().is_some_and(Recurrence::has_count));
        let mut steps = Steps::new();
        for (event, recurrence) in &events {
            steps.begin_event();
            let spans = spans::find(event, recurrence.as_ref(), zone, days, max, &mut steps);
            expansion.is_cut |= spans.is_cut;
            let is_recurring = recurrence.is_some();
            expansion.items.extend(spans.items.into_iter().map(|span| OccurrenceRef { event, span, is_recurring }));
            // Bounds the memory for many events.
            if expansion.items.len() > 4 * MAX_OCCURRENCES {
                expansion.keep_earliest(max);
            }
        }
        expansion.keep_earliest(max);
        expansion
    }

    fn parse(&mut self, event: &Event) -> Option<Recurrence> {
        let recurrence = event.recurrence.as_deref().map(Recurrence::parse).transpose();
        if recurrence.is_err() {
            self.unexpanded.push(event.id.clone());
        }
        recurrence.unwrap_or_default()
    }

    /// Sorts the occurrences and removes all except the earliest `max`.
    fn keep_earliest(&mut self, max: usize) {
        self.items.sort_by(|a, b| (a.start(), a.event_id()).cmp(&(b.start(), b.event_id())));
        self.is_cut |= self.items.len() > max;
        self.items.truncate(max);
    }
}

impl OccurrenceRef<'_> {
    /// Returns when the occurrence starts.
    pub(crate) fn start(&self) -> Timestamp {
        self.span.start
    }

    /// Returns the identifier of the event.
    pub(crate) fn event_id(&self) -> &EventId {
        &self.event.id
    }

    /// Creates the occurrence with the fields of its event.
    pub(crate) fn to_occurrence(&self, zone: &Zone) -> Occurrence {
        let Span { start, end } = self.span;
        if self.is_recurring {
            Occurrence::of_recurring(self.event, start, end, zone)
        } else {
            Occurrence::of_single(self.event)
        }
    }
}
