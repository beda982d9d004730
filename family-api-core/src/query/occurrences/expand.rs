//! Expands a list of events.

use super::Recurrence;
use super::event_span::{DayRange, Span};
use super::spans;
use super::steps::Steps;
use crate::calendar::Zone;
use crate::id::EventId;
use crate::resource::{Event, Occurrence};

/// The maximum number of occurrences of a query, over all its events.
pub const MAX_OCCURRENCES: usize = 1_000;

/// The occurrences of a list of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrences {
    /// The occurrences, ordered by `startDate` and `id`.
    pub items: Vec<Occurrence>,
    /// Whether occurrences are missing. The earliest are kept.
    pub is_cut: bool,
    /// The events whose `recurrence` is not valid. Each has only the occurrence at its own dates.
    pub unexpanded: Vec<EventId>,
}

/// Returns every occurrence of the events that overlaps a range of local days in a zone.
///
/// An occurrence overlaps the range if it starts before the end of the last day and ends after the start of the first
/// day. One without length belongs to the day that it is in. An all-day event overlaps the range if one of its days is
/// in the range.
///
/// `max` is the maximum number of occurrences, and is itself at most [`MAX_OCCURRENCES`].
#[must_use]
pub fn expand(events: &[Event], zone: &Zone, days: DayRange, max: usize) -> Occurrences {
    let max = max.min(MAX_OCCURRENCES);
    let mut found = Vec::new();
    let mut is_cut = false;
    let mut unexpanded = Vec::new();
    let mut steps = Steps::new();
    for event in events {
        steps.begin_event();
        let recurrence = event.recurrence.as_deref().map(Recurrence::parse).transpose();
        if recurrence.is_err() {
            unexpanded.push(event.id.clone());
        }
        let recurrence = recurrence.unwrap_or_default();
        let spans = spans::find(event, recurrence.as_ref(), zone, days, max, &mut steps);
        is_cut |= spans.is_cut;
        found.extend(spans.items.into_iter().map(|span| Found { event, span, is_recurring: recurrence.is_some() }));
        // Bounds the memory for many events.
        if found.len() > 4 * MAX_OCCURRENCES {
            is_cut |= keep_earliest(&mut found, max);
        }
    }
    is_cut |= keep_earliest(&mut found, max);
    Occurrences { items: found.iter().map(|found| found.occurrence(zone)).collect(), is_cut, unexpanded }
}

/// An occurrence without its fields.
struct Found<'e> {
    event: &'e Event,
    span: Span,
    is_recurring: bool,
}

impl Found<'_> {
    fn occurrence(&self, zone: &Zone) -> Occurrence {
        let Span { start, end } = self.span;
        if self.is_recurring {
            Occurrence::of_recurring(self.event, start, end, zone)
        } else {
            Occurrence::of_single(self.event)
        }
    }
}

/// Sorts the occurrences and removes all except the earliest `max`. Returns whether it removed any.
fn keep_earliest(found: &mut Vec<Found<'_>>, max: usize) -> bool {
    found.sort_by(|a, b| (a.span.start, &a.event.id).cmp(&(b.span.start, &b.event.id)));
    let is_cut = found.len() > max;
    found.truncate(max);
    is_cut
}
