//! What an event overlaps with for the same people.

use std::collections::HashMap;
use std::ops::Range;

use jiff::civil::Date;
use jiff::{SignedDuration, ToSpan};

use crate::Timestamp;
use crate::calendar::{Zone, ZoneName};
use crate::id::EventId;
use crate::occurrences::{
    DayRange, Expansion, LocalStart, MAX_OCCURRENCES, OccurrenceRef, OccurrenceStart, find_occurrence,
};
use crate::query::QueryContext;
use crate::query::busy::{Busy, Crowd, People, overlap};
use crate::query::events::day_range;
use crate::resource::{Event, InvalidQuery, Occurrence};

/// Number of days after the first one in which clashes are searched.
const HORIZON: i64 = 90;

/// Maximum number of occurrences of an event that are compared with others.
const MAX_OWN: usize = 100;

/// Maximum number of events that are named.
const MAX_NAMED: usize = 5;

/// Maximum number of days between the first and the last one of a group of events that are compared together: those of a
/// series twice.
const MAX_GROUP_DAYS: i64 = 180;

/// Maximum number of groups. Each is read with one storage call.
const MAX_GROUPS: usize = 3;

/// An event, or one occurrence of it, that is compared with the other events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClashQuery {
    /// The event.
    pub event: Event,
    /// The only occurrence that is compared, if the event recurs. Default: those of the next 90 days, at most 100.
    pub occurrence: Option<OccurrenceStart>,
}

/// The events that overlap with an event for the same people. They have a moment in common, and a person: an assignee or
/// a participant. An event without people concerns the whole family, unless it is all-day: then it takes no time, and only
/// marks its days.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clashes {
    /// The events that overlap first, ordered by their first occurrence that overlaps: at most 5.
    pub events: Vec<Clash>,
    /// Number of the other events that overlap.
    pub more: usize,
    /// The events of the same days that do not clash with the event only because one of both marks its days: an all-day
    /// event without people, such as a holiday or a trip. At most 5, ordered as the others.
    pub same_days: Vec<Clash>,
    /// Number of the other events of the same days.
    pub more_same_days: usize,
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
struct ClashWindow {
    first: Date,
    last: Date,
    /// The only occurrence that is compared.
    only: Option<LocalStart>,
}

/// Events that are compared with the others of the same days. All of them are expanded once.
#[derive(Debug)]
pub(crate) struct ClashGroup {
    first: Date,
    last: Date,
    /// The indexes in the call, with their days.
    members: Vec<(usize, ClashQuery, ClashWindow)>,
}

impl ClashGroup {
    /// Groups the events of a call by their days. An event whose days are in none of the groups is not compared, so that
    /// events that are far apart do not read the whole calendar.
    pub(crate) fn of(queries: Vec<ClashQuery>, context: QueryContext<'_>) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for (index, query) in queries.into_iter().enumerate() {
            let window = query.window(context);
            let (first, last) = (window.first, window.last);
            let fits = |group: &&mut Self| {
                let days = group.first.min(first).duration_until(group.last.max(last));
                days <= SignedDuration::from_hours(24 * MAX_GROUP_DAYS)
            };
            if let Some(group) = groups.iter_mut().find(fits) {
                (group.first, group.last) = (group.first.min(first), group.last.max(last));
                group.members.push((index, query, window));
            } else if groups.len() < MAX_GROUPS {
                groups.push(Self { first, last, members: vec![(index, query, window)] });
            }
        }
        groups
    }

    /// Returns the days of all events of the group, with one more at each end, because the repeated hours of a clock
    /// change can belong to two days.
    ///
    /// # Errors
    /// [`InvalidQuery`] if the calendar ends there.
    pub(crate) fn days(&self) -> Result<DayRange, InvalidQuery> {
        day_range(self.first.saturating_sub(1.day()), self.last.saturating_add(1.day()))
    }

    /// Finds the events that overlap with each event of the group. `events` are the events that the caller sees, which can
    /// include those of the group as they were before. Expands the events of the group once, and the others once: each
    /// expansion has a limited number of steps.
    pub(crate) fn select(&self, events: &[Event], days: DayRange, reader: &Zone) -> Vec<(usize, Clashes)> {
        let own: HashMap<&EventId, &Event> =
            self.members.iter().map(|(_, query, _)| (&query.event.id, &query.event)).collect();
        let others = events.iter().filter(|other| !own.contains_key(&other.id));
        let others = Expansion::of(others, reader, days, MAX_OCCURRENCES);
        let own = Expansion::of(own.into_values(), reader, days, MAX_OCCURRENCES);
        let is_cut = own.is_cut || others.is_cut;
        let mut all: Vec<_> = own.items.into_iter().chain(others.items).collect();
        all.sort_by_cached_key(|item| (item.start(), item.event_id().clone(), item.recurrence_id()));
        let mut crowd = Crowd::default();
        let busy = all.iter().map(|item| Busy::of(item, reader));
        let busy: Vec<_> = busy.map(|busy| (crowd.number(&busy.people), busy)).collect();
        let select = |(index, query, window): &(usize, ClashQuery, ClashWindow)| {
            let mut found = query.select(&busy, *window, reader);
            found.is_cut |= is_cut;
            (*index, found)
        };
        self.members.iter().map(select).collect()
    }
}

impl ClashQuery {
    /// Returns the days of the event, or of the occurrence, or the next days of an event that recurs.
    fn window(&self, context: QueryContext<'_>) -> ClashWindow {
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

    /// Finds the events that overlap, among the occurrences of all events.
    fn select(&self, busy: &[(People, Busy<'_, '_>)], window: ClashWindow, reader: &Zone) -> Clashes {
        let next = window.instants(reader, 0);
        let around = window.instants(reader, 1);
        let is_compared = |busy: &Busy<'_, '_>| match (window.only, busy.occurrence.recurrence_id()) {
            (Some(only), key) => key == Some(only),
            (None, Some(_)) => overlap(&busy.time, &next),
            (None, None) => true,
        };
        let is_own = |busy: &Busy<'_, '_>| *busy.occurrence.event_id() == self.event.id;
        let own = busy.iter().filter(|(_, busy)| is_own(busy) && is_compared(busy));
        let own: Vec<_> = own.take(MAX_OWN + 1).collect();
        let is_cut = own.len() > MAX_OWN;
        let (mut clashes, mut same_days) = (FoundEvents::default(), FoundEvents::default());
        for (people, other) in busy.iter().filter(|(_, busy)| !is_own(busy) && busy.overlaps(&around)) {
            let (mut is_clash, mut is_marked) = (false, false);
            for (own_people, own) in own.iter().take(MAX_OWN).filter(|(_, own)| own.overlaps(&other.time)) {
                let marks_days = own.marks_days() || other.marks_days();
                is_marked |= marks_days;
                is_clash |= !marks_days && own_people.share(people);
            }
            if is_clash {
                clashes.add(other.occurrence);
            } else if is_marked {
                same_days.add(other.occurrence);
            }
        }
        let (events, more) = clashes.named();
        let (same_days, more_same_days) = same_days.named();
        Clashes { events, more, same_days, more_same_days, is_cut }
    }
}

/// The first occurrence of each event that was found, with the number of those that were found.
#[derive(Default)]
struct FoundEvents<'b, 'e> {
    first: Vec<(&'b OccurrenceRef<'e>, usize)>,
    by_id: HashMap<&'b EventId, usize>,
}

impl<'b, 'e> FoundEvents<'b, 'e> {
    fn add(&mut self, occurrence: &'b OccurrenceRef<'e>) {
        let at = *self.by_id.entry(occurrence.event_id()).or_insert(self.first.len());
        match self.first.get_mut(at) {
            Some((_, count)) => *count += 1,
            None => self.first.push((occurrence, 1)),
        }
    }

    /// Returns the events that are named, and the number of the others.
    fn named(&self) -> (Vec<Clash>, usize) {
        let clash = |(occurrence, count): &(&OccurrenceRef<'_>, usize)| Clash {
            occurrence: occurrence.to_occurrence(&[]),
            count: *count,
        };
        (self.first.iter().take(MAX_NAMED).map(clash).collect(), self.first.len().saturating_sub(MAX_NAMED))
    }
}

impl ClashWindow {
    /// Returns the instants of the days, and of some more at each end.
    fn instants(self, reader: &Zone, more: i64) -> Range<Timestamp> {
        let (first, last) = (self.first.saturating_sub(more.days()), self.last.saturating_add(more.days()));
        let until = last.tomorrow().map_or(Timestamp::MAX, |next| reader.start_of_day(next));
        reader.start_of_day(first)..until
    }
}

#[cfg(test)]
mod tests;
