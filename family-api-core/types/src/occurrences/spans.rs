//! The spans of the occurrences of one event.

use std::ops::ControlFlow;

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};

use super::calendar_rule::{CalendarRule, Expanded};
use super::event_span::{QueryRange, Span};
use super::exclusions::{Exclusions, seconds};
use super::steps::Steps;
use super::{LocalStart, Recurrence};
use crate::calendar::Zone;
use crate::resource::Event;
use crate::timestamp::Timestamp;

/// The time of an occurrence of an event, and which occurrence it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) key: LocalStart,
    pub(super) span: Span,
}

/// The occurrences of one event that overlap a range of days.
#[derive(Debug, Default)]
pub(super) struct Spans {
    /// Ordered by start, each start once.
    pub(super) items: Vec<Slot>,
    /// Whether later occurrences are missing.
    pub(super) is_cut: bool,
}

impl Spans {
    /// The spans of an event for which too few steps are left. Even its own dates may be excluded, so it has none.
    pub(super) const CUT: Self = Self { items: Vec::new(), is_cut: true };
}

/// Tells whether an event has no occurrence in the range of a query because it starts later.
pub(super) fn starts_after(event: &Event, zone: &Zone, range: &QueryRange) -> bool {
    if event.all_day {
        zone.local(event.start_date).date() > range.days.last()
    } else {
        event.start_date >= range.instants.end
    }
}

/// Finds the occurrences of an event in its own zone, at most `max`.
pub(super) fn find(
    event: &Event,
    recurrence: Option<&Recurrence>,
    zone: &Zone,
    range: &QueryRange,
    max: usize,
    steps: &mut Steps,
) -> Spans {
    let mut found = Collector { items: Vec::new(), max, is_cut: false };
    // Each moment of EXDATE and RDATE is resolved in the zone, as a visited occurrence is.
    if steps.take_visits(recurrence.map_or(0, Recurrence::number_of_moments)).is_none() {
        return Spans::CUT;
    }
    if event.all_day {
        AllDay::new(event, zone).find(recurrence, range, steps, &mut found);
    } else {
        Timed { event, zone, duration: duration(event) }.find(recurrence, range, steps, &mut found);
    }
    found.finish()
}

/// Returns the start and the end of the occurrence that the rule of an event makes at a local time, which is not that
/// of the event itself.
pub(super) fn of_local_start(event: &Event, zone: &Zone, local: DateTime) -> Option<(Timestamp, Timestamp)> {
    let span = if event.all_day {
        AllDay::new(event, zone).span(local.date())?
    } else {
        Timed { event, zone, duration: duration(event) }.span(local)?
    };
    Some((span.start, span.end))
}

struct Collector {
    items: Vec<Slot>,
    max: usize,
    is_cut: bool,
}

impl Collector {
    fn push(&mut self, key: LocalStart, span: Span) -> ControlFlow<()> {
        self.items.push(Slot { key, span });
        if self.items.len() > self.max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn finish(mut self) -> Spans {
        // A gap can move a time behind a later one, or onto it.
        self.items.sort_by_key(|slot| slot.span.start);
        // Identifiers of occurrences have whole seconds.
        self.items.dedup_by_key(|slot| seconds(slot.span.start));
        self.is_cut |= self.items.len() > self.max;
        self.items.truncate(self.max);
        Spans { items: self.items, is_cut: self.is_cut }
    }
}

/// A timed event. Its occurrences last as long as the event.
struct Timed<'e> {
    event: &'e Event,
    zone: &'e Zone,
    duration: SignedDuration,
}

fn duration(event: &Event) -> SignedDuration {
    SignedDuration::from_millis(event.end_date.as_millis() - event.start_date.as_millis())
}

impl Timed<'_> {
    fn find(&self, recurrence: Option<&Recurrence>, range: &QueryRange, steps: &mut Steps, found: &mut Collector) {
        let range = &range.instants;
        let own = Span { start: self.event.start_date, end: self.event.end_date };
        let start = self.zone.local(own.start);
        let excluded = recurrence.map(Recurrence::excluded).unwrap_or_default();
        let exclusions = Exclusions::of_timed(excluded, self.zone);
        let is_excluded = exclusions.has_start(start, own.start);
        if own.overlaps(range) && !is_excluded && found.push(start.into(), own).is_break() {
            return;
        }
        let Some(recurrence) = recurrence else {
            return;
        };
        let mut visit = |local: DateTime, is_of_rule: bool| {
            let Some(span) = self.span(local).filter(|span| span.overlaps(range)) else {
                return ControlFlow::Continue(());
            };
            let is_permitted = !is_of_rule || recurrence.permits_start(self.zone, local, span.start);
            if !is_permitted || exclusions.has_start(local, span.start) {
                return ControlFlow::Continue(());
            }
            found.push(local.into(), span)
        };
        // A day more at both ends, because a gap can move a time to another day.
        let earliest = range.start.saturating_add(-self.duration.max(SignedDuration::ZERO));
        let from = day_before(self.zone.local(earliest).date());
        let last_moment = range.end.saturating_add(SignedDuration::from_millis(-1));
        let last = recurrence.last_day(self.zone).unwrap_or(Date::MAX).min(self.zone.local(last_moment).date());
        let rule = CalendarRule::new(recurrence.rule(), start, false);
        let expanded = rule.visit(from, day_after(last), steps, |local| visit(local, true));
        // An event has no occurrence before its start: storages do not list it for an earlier range.
        for local in recurrence.additional_starts(self.zone, start).filter(|local| *local > start) {
            // Visits all of them, because they need not be in order.
            let _ = visit(local, false);
        }
        found.is_cut |= expanded == Expanded::Partly;
    }

    fn span(&self, local: DateTime) -> Option<Span> {
        let start = self.zone.resolve(local)?;
        Some(Span { start, end: start.saturating_add(self.duration) })
    }
}

/// An all-day event. Its occurrences take as many civil days as the event.
struct AllDay<'e> {
    zone: &'e Zone,
    own: Span,
    start: DateTime,
    end_time: Time,
    /// The number of days from the first day to the local date of the end.
    days_to_end: SignedDuration,
    /// The number of days after the first one. One less than `days_to_end` if the event ends when a day begins.
    further_days: SignedDuration,
}

impl<'e> AllDay<'e> {
    fn new(event: &Event, zone: &'e Zone) -> Self {
        let (start, end) = (local_boundary(zone, event.start_date), local_boundary(zone, event.end_date));
        let days_until = |day: Date| day.duration_since(start.date()).max(SignedDuration::ZERO);
        let days_to_end = days_until(end.date());
        let further_days = days_until(zone.last_day(event.start_date, event.end_date));
        let own = Span { start: event.start_date, end: event.end_date };
        Self { zone, own, start, end_time: end.time(), days_to_end, further_days }
    }

    fn find(&self, recurrence: Option<&Recurrence>, range: &QueryRange, steps: &mut Steps, found: &mut Collector) {
        let days = range.days;
        let is_in_range = |first: Date| first <= days.last() && self.last_day(first) >= days.first();
        let first = self.start.date();
        let excluded = recurrence.map(Recurrence::excluded).unwrap_or_default();
        let exclusions = Exclusions::of_all_day(excluded, self.zone);
        if is_in_range(first) && !exclusions.has_day(first) && found.push(first.into(), self.own).is_break() {
            return;
        }
        let Some(recurrence) = recurrence else {
            return;
        };
        let mut visit = |day: Date| match self.span(day) {
            Some(span) if is_in_range(day) && !exclusions.has_day(day) => found.push(day.into(), span),
            _ => ControlFlow::Continue(()),
        };
        let from = days.first().saturating_sub(self.further_days);
        let last = recurrence.last_day(self.zone).unwrap_or(Date::MAX).min(days.last());
        let rule = CalendarRule::new(recurrence.rule(), self.start, true);
        let expanded = rule.visit(from, last, steps, |local| visit(local.date()));
        for day in recurrence.additional_days(self.zone).filter(|day| *day > first) {
            let _ = visit(day);
        }
        found.is_cut |= expanded == Expanded::Partly;
    }

    fn last_day(&self, first: Date) -> Date {
        first.saturating_add(self.further_days)
    }

    fn span(&self, first: Date) -> Option<Span> {
        if first == self.start.date() {
            return Some(self.own);
        }
        let start = instant_on(self.zone, first, self.start.time())?;
        let end_day = first.saturating_add(self.days_to_end);
        Some(Span { start, end: instant_on(self.zone, end_day, self.end_time)? })
    }
}

/// Returns the local time of the start or the end of an all-day event. The start of a day is midnight, also if the clock
/// skips midnight on this day: it need not do so on the days of other occurrences.
fn local_boundary(zone: &Zone, at: Timestamp) -> DateTime {
    let local = zone.local(at);
    let midnight = local.date().to_datetime(Time::midnight());
    if zone.start_of_day(local.date()) == at { midnight } else { local }
}

/// Returns the instant of a local time on a day. If a gap would move it to the next day, returns the last instant of
/// the day. Only a day that the zone skips as a whole gives an instant of another day.
fn instant_on(zone: &Zone, day: Date, time: Time) -> Option<Timestamp> {
    let at = zone.resolve(day.to_datetime(time))?;
    let Ok(next) = day.tomorrow() else {
        return Some(at);
    };
    let last = zone.start_of_day(next).saturating_add(SignedDuration::from_millis(-1));
    Some(if last >= zone.start_of_day(day) { at.min(last) } else { at })
}

fn day_before(day: Date) -> Date {
    day.yesterday().unwrap_or(day)
}

fn day_after(day: Date) -> Date {
    day.tomorrow().unwrap_or(day)
}
