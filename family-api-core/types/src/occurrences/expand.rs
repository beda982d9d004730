//! Expands a list of events.

use super::event_span::DayRange;
use super::expansion::{Expansion, OccurrenceRef};
use crate::calendar::Zone;
use crate::id::EventId;
use crate::resource::{Event, Occurrence};

/// The occurrences of a list of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrences {
    /// The occurrences, ordered by `startDate`, `occurrenceOf`, `recurrenceId`.
    pub items: Vec<Occurrence>,
    /// Whether occurrences may be missing, for one of two reasons. If there are too many, the earliest are kept, and a
    /// shorter range returns the others. The work for a query is bounded too: a rule with `COUNT` may need too much
    /// work to count its occurrences, and many long lists of `EXDATE` and `RDATE` too much to resolve them. Such an
    /// event then has no occurrences in the range.
    pub is_cut: bool,
    /// The events whose `recurrence` is not valid. Each has only the occurrence at its own dates.
    pub unexpanded: Vec<EventId>,
}

/// Returns every occurrence of the events that overlaps a range of days.
///
/// A timed occurrence overlaps the range if it starts before the end of the last day and ends after the start of the
/// first day, in the zone of the reader. One without length belongs to the day that it is in. An all-day event overlaps
/// the range if one of its days is in the range. These are days in the zone of the event.
///
/// Every event recurs in its own zone. One that has no zone, or a zone that the time zone database of this program
/// lacks, recurs in the zone of the reader.
///
/// A changed occurrence has the dates and fields of its change, also if it is before the event or beyond the end of the
/// rule. Its `assignee` is null if the change names one, because an event has only its own
/// ([`to_occurrence`](OccurrenceRef::to_occurrence) takes the members).
///
/// `max` is the maximum number of occurrences, and is itself at most [`MAX_OCCURRENCES`](super::MAX_OCCURRENCES).
#[must_use]
pub fn expand(events: &[Event], reader: &Zone, days: DayRange, max: usize) -> Occurrences {
    let Expansion { items, is_cut, unexpanded } = Expansion::of(events.iter(), reader, days, max);
    let to_occurrence = |found: &OccurrenceRef<'_>| found.to_occurrence(&[]);
    Occurrences { items: items.iter().map(to_occurrence).collect(), is_cut, unexpanded }
}
