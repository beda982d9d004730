//! What an event overlaps with for the same people.

use std::collections::HashMap;

use jiff::ToSpan;
use jiff::civil::Date;

use crate::Timestamp;
use crate::calendar::{Zone, ZoneName};
use crate::id::EventId;
use crate::occurrences::{
    DayRange, Expansion, LocalStart, MAX_OCCURRENCES, OccurrenceRef, OccurrenceStart, find_occurrence,
};
use crate::query::QueryContext;
use crate::query::busy::{Busy, Crowd, overlap, time};
use crate::query::events::day_range;
use crate::resource::{Event, InvalidQuery, Occurrence};

/// Number of days after the first one in which clashes are searched.
const HORIZON: i64 = 90;

/// Maximum number of occurrences of an event that are compared with others.
const MAX_OWN: usize = 100;

/// Maximum number of events that are named.
const MAX_NAMED: usize = 5;

/// An event, or one occurrence of it, that is compared with the other events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClashQuery {
    /// The event.
    pub event: Event,
    /// The only occurrence that is compared, if the event recurs. Default: those of the next 90 days, at most 100.
    pub occurrence: Option<OccurrenceStart>,
}

/// The events that overlap with an event for the same people. They have a moment in common, and a person: an assignee or
/// a participant. An event without people concerns the whole family, unless it is all-day: then it only marks its days.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clashes {
    /// The events that overlap first, ordered by their first occurrence that overlaps: at most 5.
    pub events: Vec<Clash>,
    /// Number of the other events that overlap.
    pub more: usize,
    /// Whether events that overlap may be missing
    /// ([`Occurrences::is_cut`](crate::occurrences::Occurrences::is_cut)).
    pub is_cut: bool,
}

/// An event that overlaps.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clash {
    /// The first occurrence that overlaps. Its assignee is null if the occurrence was assigned to another user than the
    /// event.
    pub occurrence: Occurrence,
    /// Number of its occurrences that overlap.
    pub count: usize,
}

/// The days in which an event is compared with others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClashWindow {
    first: Date,
    last: Date,
    /// The only occurrence that is compared.
    only: Option<LocalStart>,
}

impl ClashQuery {
    /// Returns the days of the event, or of the occurrence, or the next days of an event that recurs.
    pub(crate) fn window(&self, context: QueryContext<'_>) -> ClashWindow {
        let QueryContext { zone, now, .. } = context;
        let event = &self.event;
        let found = self.occurrence.and_then(|start| find_occurrence(event, zone, start, &[]));
        let only = found.as_ref().and_then(|found| found.recurrence_id);
        let (start, end) = found.map_or((event.start_date, event.end_date), |found| (found.start_date, found.end_date));
        let own = if event.all_day { event.time_zone.as_ref().and_then(ZoneName::zone) } else { None };
        let own = own.as_ref().unwrap_or(zone);
        let (first, last) = (own.local(start).date(), own.last_day(start, end));
        let is_series = only.is_none() && event.recurrence.is_some();
        let today = zone.local(now).date();
        let first = if is_series || last >= today { first.max(today) } else { first };
        let horizon = first.saturating_add(HORIZON.days());
        ClashWindow { first, last: if is_series { horizon } else { last.min(horizon) }, only }
    }

    /// Finds the events that overlap. `events` are the events that the caller sees, which can include this one as it was
    /// before.
    pub(crate) fn select(&self, events: &[Event], window: ClashWindow, reader: &Zone) -> Clashes {
        let Ok(days) = window.days() else { return Clashes::default() };
        let mut own = Expansion::of(std::iter::once(&self.event), reader, days, MAX_OCCURRENCES);
        let until = window.last.tomorrow().map_or(Timestamp::MAX, |next| reader.start_of_day(next));
        let next = reader.start_of_day(window.first)..until;
        let is_compared = |occurrence: &OccurrenceRef<'_>| match (window.only, occurrence.recurrence_id()) {
            (Some(only), key) => key == Some(only),
            (None, Some(_)) => overlap(&time(occurrence, reader), &next),
            (None, None) => true,
        };
        own.items.retain(is_compared);
        let others = events.iter().filter(|other| other.id != self.event.id);
        let others = Expansion::of(others, reader, days, MAX_OCCURRENCES);
        let is_cut = own.is_cut || others.is_cut || own.items.len() > MAX_OWN;
        let mut crowd = Crowd::default();
        let own = own.items.iter().take(MAX_OWN).filter_map(|occurrence| Busy::of(occurrence, reader));
        let own: Vec<_> = own.map(|busy| (crowd.number(&busy.people), busy)).collect();
        let mut found: Vec<(&OccurrenceRef<'_>, usize)> = Vec::new();
        let mut by_event: HashMap<&EventId, usize> = HashMap::new();
        for other in others.items.iter().filter_map(|occurrence| Busy::of(occurrence, reader)) {
            let people = crowd.number(&other.people);
            if !own.iter().any(|(own_people, own)| own.overlaps(&other.time) && own_people.share(&people)) {
                continue;
            }
            let at = *by_event.entry(other.occurrence.event_id()).or_insert(found.len());
            match found.get_mut(at) {
                Some((_, count)) => *count += 1,
                None => found.push((other.occurrence, 1)),
            }
        }
        let clash = |(occurrence, count): &(&OccurrenceRef<'_>, usize)| Clash {
            occurrence: occurrence.to_occurrence(&[]),
            count: *count,
        };
        let events: Vec<_> = found.iter().take(MAX_NAMED).map(clash).collect();
        Clashes { more: found.len() - events.len(), events, is_cut }
    }
}

impl ClashWindow {
    /// Returns the days with one more at each end, because the repeated hours of a clock change can belong to two days.
    ///
    /// # Errors
    /// [`InvalidQuery`] if the calendar ends there.
    pub(crate) fn days(self) -> Result<DayRange, InvalidQuery> {
        day_range(self.first.saturating_sub(1.day()), self.last.saturating_add(1.day()))
    }
}

#[cfg(test)]
mod tests;
