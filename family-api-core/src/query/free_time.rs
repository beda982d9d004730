//! When people are free.

use std::collections::HashSet;
use std::ops::Range;

use jiff::SignedDuration;
use jiff::civil::{Date, Time};

use crate::Timestamp;
use crate::calendar::Zone;
use crate::id::UserId;
use crate::occurrences::{DayRange, Expansion, MAX_OCCURRENCES};
use crate::query::busy::{Busy, overlap};
use crate::query::events::day_range;
use crate::query::{Excerpt, QueryContext};
use crate::resource::{Event, InvalidQuery, Occurrence};

/// Maximum number of days.
pub const MAX_FREE_TIME_DAYS: i64 = 14;

/// Maximum number of free spans in a result.
const MAX_FREE: usize = 100;

/// Maximum number of occurrences that a result names.
const MAX_BUSY: usize = 30;

/// Maximum number of occurrences that mark days.
const MAX_MARKS: usize = 10;

/// Finds when people are free at the same time, in the caller's time zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeTimeQuery {
    /// The people.
    pub people: Vec<UserId>,
    /// The first day. Default: today. The time before now is not free.
    pub from: Option<Date>,
    /// The last day, at most 13 days after the first. Default: the first day.
    pub to: Option<Date>,
    /// The hours of each day.
    pub hours: DayHours,
    /// Minimum length of a free span, in minutes.
    pub minutes: u32,
}

/// Hours of a day, in minutes of the clock since midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayHours {
    start: u16,
    end: u16,
}

/// The end of the hours is not after their start, or after the end of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected hours that end after they start, at most at 24:00")]
pub struct InvalidDayHours;

impl DayHours {
    /// From 08:00 to 22:00.
    pub const DEFAULT: Self = Self { start: 8 * 60, end: 22 * 60 };

    /// Number of minutes of a day: the end of the day.
    pub const MAX: u16 = 24 * 60;

    /// Creates hours from their start and their end, in minutes of the clock since midnight.
    ///
    /// # Errors
    /// [`InvalidDayHours`] if the end is not after the start, or after [`MAX`](Self::MAX).
    pub fn new(start: u16, end: u16) -> Result<Self, InvalidDayHours> {
        if start < end && end <= Self::MAX { Ok(Self { start, end }) } else { Err(InvalidDayHours) }
    }

    /// Returns the start, in minutes of the clock since midnight.
    #[must_use]
    pub const fn start(self) -> u16 {
        self.start
    }

    /// Returns the end, in minutes of the clock since midnight.
    #[must_use]
    pub const fn end(self) -> u16 {
        self.end
    }

    /// Returns the instants of the hours on a day. A time that the clock skips moves forward. If a time occurs twice, the
    /// first one counts. Returns `None` if the clock skips all of them.
    fn on(self, day: Date, zone: &Zone) -> Option<Range<Timestamp>> {
        let instant = |minutes: u16| {
            if minutes == Self::MAX {
                return Some(day.tomorrow().map_or(Timestamp::MAX, |next| zone.start_of_day(next)));
            }
            let time = Time::midnight().saturating_add(SignedDuration::from_mins(minutes.into()));
            zone.resolve(day.to_datetime(time))
        };
        let start = instant(self.start)?.max(zone.start_of_day(day));
        let end = instant(self.end)?;
        (start < end).then_some(start..end)
    }
}

/// When people are free.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FreeTime {
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
    /// The spans in which all people are free, in order: at most 100.
    pub free: Excerpt<Range<Timestamp>>,
    /// The occurrences that take time of the people in the hours, ordered by their start: at most 30.
    pub busy: Excerpt<BusyOccurrence>,
    /// The all-day occurrences without people on these days, such as holidays and trips, ordered by their start: at most
    /// 10. They take no time.
    pub same_days: Excerpt<Occurrence>,
    /// Whether occurrences may be missing, so that the people may be busy in the free spans
    /// ([`Occurrences::is_cut`](crate::occurrences::Occurrences::is_cut)).
    pub is_cut: bool,
}

/// An occurrence that takes the time of people.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BusyOccurrence {
    /// The occurrence. Its assignee is null if the occurrence was assigned to another user than the event.
    pub occurrence: Occurrence,
    /// Which of the people it concerns. Empty for the whole family.
    pub people: Vec<UserId>,
}

impl FreeTimeQuery {
    /// Returns the days of the query.
    ///
    /// # Errors
    /// [`InvalidQuery`] if the last day is before the first, or more than 13 days after it.
    pub(crate) fn days(&self, context: QueryContext<'_>) -> Result<DayRange, InvalidQuery> {
        let from = self.from.unwrap_or_else(|| context.zone.day_of(context.now));
        let to = self.to.unwrap_or(from);
        let days = day_range(from, to)?;
        if to.duration_since(from) >= SignedDuration::from_hours(24 * MAX_FREE_TIME_DAYS) {
            return Err(InvalidQuery { parameter: "to", expected: "a day at most 13 days after `from`" });
        }
        Ok(days)
    }

    /// Finds the free spans between the occurrences of the events that the caller sees.
    pub(crate) fn select(&self, events: &[Event], days: DayRange, context: QueryContext<'_>) -> FreeTime {
        let zone = context.zone;
        let windows = self.windows(days, context);
        let found = Expansion::of(events.iter(), zone, around(days), MAX_OCCURRENCES);
        let wanted: HashSet<&UserId> = self.people.iter().collect();
        let concerns =
            |busy: &Busy<'_, '_>| busy.people.is_empty() || busy.people.iter().any(|person| wanted.contains(person));
        let is_asked = |busy: &Busy<'_, '_>| windows.iter().any(|window| overlap(window, &busy.time));
        let all = found.items.iter().map(|occurrence| Busy::of(occurrence, zone));
        let (mut marks, mut busy): (Vec<_>, Vec<_>) =
            all.filter(|busy| concerns(busy) && is_asked(busy)).partition(Busy::marks_days);
        busy.sort_by_key(|busy| busy.time.start);
        marks.sort_by_key(|mark| mark.time.start);
        let shortest = SignedDuration::from_mins(self.minutes.into());
        let free: Vec<_> = windows.iter().flat_map(|window| free_spans(window, &busy)).collect();
        let free: Vec<_> = free.into_iter().filter(|span| length(span) >= shortest).collect();
        let named = |busy: &Busy<'_, '_>| BusyOccurrence {
            occurrence: busy.occurrence.to_occurrence(&[]),
            people: self.people.iter().filter(|person| busy.people.contains(person)).cloned().collect(),
        };
        FreeTime {
            from: days.first(),
            to: days.last(),
            free: Excerpt::first(free.iter(), MAX_FREE, Range::clone),
            busy: Excerpt::first(busy.iter(), MAX_BUSY, named),
            same_days: Excerpt::first(marks.iter(), MAX_MARKS, |mark| mark.occurrence.to_occurrence(&[])),
            is_cut: found.is_cut,
        }
    }

    /// Returns the hours of each day from now on. Hours that follow each other without a break are one span.
    fn windows(&self, days: DayRange, context: QueryContext<'_>) -> Vec<Range<Timestamp>> {
        let QueryContext { zone, now, .. } = context;
        let mut windows: Vec<Range<Timestamp>> = Vec::new();
        let mut day = Some(days.first());
        while let Some(today) = day.filter(|day| *day <= days.last()) {
            day = today.tomorrow().ok();
            let Some(mut window) = self.hours.on(today, zone) else { continue };
            window.start = window.start.max(next_minute(now));
            match windows.last_mut() {
                Some(last) if last.end >= window.start => last.end = window.end,
                _ if window.start < window.end => windows.push(window),
                _ => {}
            }
        }
        windows
    }
}

/// Returns the days with one more at each end, because the repeated hours of a clock change can belong to two days.
fn around(days: DayRange) -> DayRange {
    let (first, last) = (days.first().yesterday(), days.last().tomorrow());
    DayRange::new(first.unwrap_or(days.first()), last.unwrap_or(days.last())).unwrap_or(days)
}

/// Returns the first minute that begins at an instant or later.
fn next_minute(at: Timestamp) -> Timestamp {
    if at.minute() == at { at } else { at.minute().saturating_add(SignedDuration::from_mins(1)) }
}

/// Returns the parts of a window in which nothing takes time. `busy` is ordered by start.
fn free_spans(window: &Range<Timestamp>, busy: &[Busy<'_, '_>]) -> Vec<Range<Timestamp>> {
    let mut spans = Vec::new();
    let mut free_from = window.start;
    for time in busy.iter().map(|busy| &busy.time).filter(|time| overlap(window, time)) {
        if free_from < time.start {
            spans.push(free_from..time.start);
        }
        free_from = free_from.max(time.end);
    }
    if free_from < window.end {
        spans.push(free_from..window.end);
    }
    spans
}

fn length(span: &Range<Timestamp>) -> SignedDuration {
    SignedDuration::from_millis(span.end.as_millis().saturating_sub(span.start.as_millis()))
}

#[cfg(test)]
mod tests;
