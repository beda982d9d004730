//! The spans of the occurrences of one event.

use std::collections::HashSet;
use std::ops::ControlFlow;

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};

use super::calendar_rule::{CalendarRule, Expanded};
use super::event_span::{QueryRange, Span};
use super::exclusions::{Exclusions, seconds};
use super::steps::Steps;
use super::{LocalStart, Override, Recurrence};
use crate::calendar::Zone;
use crate::resource::Event;
use crate::timestamp::Timestamp;

/// The time of an occurrence of an event, and which occurrence it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot<'e> {
    /// The local start by the rule.
    pub(super) key: LocalStart,
    /// The instant of the start by the rule.
    pub(super) by_rule: Timestamp,
    pub(super) span: Span,
    pub(super) change: Option<&'e Override>,
}

/// What the identifier of an occurrence says beside its event: a day, or an instant in whole seconds.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum Identity {
    Day(Date),
    Second(i64),
}

impl Identity {
    pub(super) fn of(key: LocalStart, by_rule: Timestamp) -> Self {
        if key.is_whole_day() { Self::Day(key.date()) } else { Self::Second(seconds(by_rule)) }
    }
}

impl Slot<'_> {
    pub(super) fn identity(&self) -> Identity {
        Identity::of(self.key, self.by_rule)
    }
}

/// The occurrences of one event that overlap a range of days.
#[derive(Debug, Default)]
pub(super) struct Spans<'e> {
    /// Ordered by start. Each start occurs once, except those of changed occurrences.
    pub(super) items: Vec<Slot<'e>>,
    /// Whether later occurrences are missing.
    pub(super) is_cut: bool,
}

impl Spans<'_> {
    /// The spans of an event for which too few steps are left. Even its own dates may be excluded, so it has none.
    pub(super) const CUT: Self = Self { items: Vec::new(), is_cut: true };
}

/// Tells whether an event has no occurrence in the range of a query because it starts later. A changed occurrence may be
/// before the start of its event.
pub(super) fn starts_after(event: &Event, zone: &Zone, range: &QueryRange) -> bool {
    if !event.overrides.is_empty() {
        false
    } else if event.all_day {
        zone.local(event.start_date).date() > range.days.last()
    } else {
        event.start_date >= range.instants.end
    }
}

/// Finds the occurrences of an event in its own zone, at most `max`.
pub(super) fn find<'e>(
    event: &'e Event,
    recurrence: Option<&Recurrence>,
    zone: &Zone,
    range: &QueryRange,
    max: usize,
    steps: &mut Steps,
) -> Spans<'e> {
    // Each moment of EXDATE and RDATE and each change is resolved in the zone, as a visited occurrence is.
    let resolved = recurrence.map_or(0, |recurrence| recurrence.number_of_moments() + event.overrides.as_slice().len());
    if steps.take_visits(resolved).is_none() {
        return Spans::CUT;
    }
    let mut changed = if recurrence.is_some() { changed_slots(event, zone) } else { Vec::new() };
    let mut replaced = HashSet::new();
    // Two local times are the same occurrence if the clock skips one of them.
    changed.retain(|slot| replaced.insert(slot.identity()));
    let mut found = Collector { items: Vec::new(), replaced, max, is_cut: false };
    if event.all_day {
        AllDay::new(event, zone).find(recurrence, range, steps, &mut found);
    } else {
        Timed { event, zone, duration: duration(event) }.find(recurrence, range, steps, &mut found);
    }
    changed.retain(|slot| is_in_range(slot.span, event, zone, range));
    found.finish(changed)
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

/// Returns the changed occurrences of an event, which are not checked against its rule.
pub(super) fn changed_slots<'e>(event: &'e Event, zone: &Zone) -> Vec<Slot<'e>> {
    let own_start = zone.local(event.start_date);
    let slot = |change: &'e Override| {
        let key = change.recurrence_id;
        let by_rule = match key.date_time() {
            // In the second of two equal hours, the local time of the event resolves to the first.
            Some(_) if key == LocalStart::from(own_start) => event.start_date,
            Some(local) => zone.resolve(local)?,
            None => zone.start_of_day(key.date()),
        };
        let span = Span { start: change.start_date, end: change.end_date };
        Some(Slot { key, by_rule, span, change: Some(change) })
    };
    let changes = event.overrides.as_slice().iter();
    changes.filter(|change| change.recurrence_id.is_whole_day() == event.all_day).filter_map(slot).collect()
}

fn is_in_range(span: Span, event: &Event, zone: &Zone, range: &QueryRange) -> bool {
    if event.all_day {
        let first = zone.local(span.start).date();
        first <= range.days.last() && zone.last_day(span.start, span.end) >= range.days.first()
    } else {
        span.overlaps(&range.instants)
    }
}

struct Collector<'e> {
    items: Vec<Slot<'e>>,
    /// The occurrences that are changed, and so not collected.
    replaced: HashSet<Identity>,
    max: usize,
    is_cut: bool,
}

impl<'e> Collector<'e> {
    fn push(&mut self, key: LocalStart, span: Span) -> ControlFlow<()> {
        let slot = Slot { key, by_rule: span.start, span, change: None };
        if self.replaced.contains(&slot.identity()) {
            return ControlFlow::Continue(());
        }
        self.items.push(slot);
        if self.items.len() > self.max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Adds the changed occurrences of the range.
    fn finish(mut self, changed: Vec<Slot<'e>>) -> Spans<'e> {
        // A gap can move a time behind a later one, or onto it.
        self.items.sort_by_key(|slot| slot.span.start);
        // Identifiers of occurrences have whole seconds.
        self.items.dedup_by_key(|slot| seconds(slot.span.start));
        self.items.extend(changed);
        self.items.sort_by_key(|slot| (slot.span.start, slot.key));
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
    fn find(&self, recurrence: Option<&Recurrence>, range: &QueryRange, steps: &mut Steps, found: &mut Collector<'_>) {
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

    fn find(&self, recurrence: Option<&Recurrence>, range: &QueryRange, steps: &mut Steps, found: &mut Collector<'_>) {
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

/// Returns the local time of an instant, such as the start or the end of an all-day event. The start of a day is
/// midnight, also if the clock skips midnight on this day: it need not do so on the days of other occurrences.
pub(crate) fn local_boundary(zone: &Zone, at: Timestamp) -> DateTime {
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

pub(super) fn day_before(day: Date) -> Date {
    day.yesterday().unwrap_or(day)
}

pub(super) fn day_after(day: Date) -> Date {
    day.tomorrow().unwrap_or(day)
}
