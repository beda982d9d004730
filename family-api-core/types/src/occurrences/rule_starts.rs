//! The local starts that the rule of an event makes.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, ToSpan};

use super::calendar_rule::{CalendarRule, Expanded};
use super::event_span::Span;
use super::locate::Series;
use super::rule::End;
use super::spans::{day_after, day_before};
use super::steps::Steps;
use super::unrolled::{TooMuchWork, is_from, is_regular};
use crate::timestamp::Timestamp;

/// How many years after the window exclusions and changes still count. A later one counts when the window has moved.
const YEARS_OF_EXCEPTIONS: i64 = 8;

/// The local starts that the rule of an event makes.
pub(super) struct RuleStarts {
    /// Those from the start of the window on, in order.
    pub(super) starts: Vec<DateTime>,
    /// Whether the rule makes the start of the event.
    pub(super) has_own: bool,
    /// The last one, if the rule ends after a number of them.
    pub(super) last: Option<DateTime>,
}

impl RuleStarts {
    /// Finds all starts.
    pub(super) fn find(series: &Series<'_>, window: &Range<Timestamp>, steps: &mut Steps) -> Result<Self, TooMuchWork> {
        let (from, to) = (first_day(series, window.start), last_day(series, window));
        let mut made = Self::own(series, from);
        let visited_to = if series.recurrence.has_count() { Date::MAX } else { to };
        let expanded = series.visit(from, visited_to, steps, |local| {
            made.last = Some(local);
            if local.date() <= to {
                made.starts.push(local);
            }
            ControlFlow::Continue(())
        });
        if expanded == Expanded::Partly { Err(TooMuchWork) } else { Ok(made) }
    }

    /// Finds the first regular start, and those near a change of the clock. All others are regular if the event has no
    /// exclusions, additions and changes.
    pub(super) fn find_irregular(
        series: &Series<'_>,
        window: &Range<Timestamp>,
        steps: &mut Steps,
    ) -> Result<Self, TooMuchWork> {
        let from = first_day(series, window.start);
        let mut made = Self::own(series, from);
        let is_first = |local: DateTime| {
            let span = series.span(local).map(|(start, end)| Span { start, end });
            span.is_some_and(|span| is_from(window.start, span) && is_regular(series, local, span))
        };
        let mut starts: BTreeSet<DateTime> = made.starts.iter().copied().collect();
        let mut has_first = made.starts.iter().any(|local| is_first(*local));
        let mut is_complete = true;
        if !has_first {
            let expanded = series.visit(from, last_day(series, window), steps, |local| {
                starts.insert(local);
                has_first = is_first(local);
                if has_first { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            is_complete = has_first || expanded == Expanded::Completely;
        }
        let changes = if series.event.all_day { Vec::new() } else { series.zone.changes(window) };
        for change in changes {
            let (from, to) = (first_day(series, change), day_after(series.zone.local(change).date()));
            let expanded = series.visit(from, to, steps, |local| {
                starts.insert(local);
                ControlFlow::Continue(())
            });
            is_complete &= expanded == Expanded::Completely;
        }
        made.starts = starts.into_iter().collect();
        if is_complete { Ok(made) } else { Err(TooMuchWork) }
    }

    fn own(series: &Series<'_>, from: Date) -> Self {
        let has_own = makes_own(series);
        let starts = if has_own && series.own.date() >= from { vec![series.own] } else { Vec::new() };
        Self { starts, has_own, last: None }
    }
}

impl Series<'_> {
    /// Visits the starts after that of the event that the rule makes on some days, until its end.
    fn visit(
        &self,
        from: Date,
        to: Date,
        steps: &mut Steps,
        mut visitor: impl FnMut(DateTime) -> ControlFlow<()>,
    ) -> Expanded {
        let Self { event, recurrence, zone, own, .. } = self;
        CalendarRule::new(recurrence.rule(), *own, event.all_day).visit(from, to, steps, |local| {
            if recurrence.permits(zone, local, event.all_day) { visitor(local) } else { ControlFlow::Continue(()) }
        })
    }
}

/// Returns the first day on which an occurrence can start that has not ended at an instant. A gap can move a time to
/// another day, and a day can be shorter than another.
fn first_day(series: &Series<'_>, at: Timestamp) -> Date {
    let length = series.event.end_date.as_millis() - series.event.start_date.as_millis();
    let earliest = at.saturating_add(SignedDuration::from_millis(-length.max(0)));
    day_before(day_before(series.zone.local(earliest).date()))
}

/// Returns the last day of the window, or of the exclusions and changes after it.
fn last_day(series: &Series<'_>, window: &Range<Timestamp>) -> Date {
    let Series { event, recurrence, zone, .. } = series;
    let end = day_after(zone.local(window.end).date());
    let excluded = recurrence.excluded().iter().map(|moment| day_after(moment.day(zone)));
    let changed = event.overrides.as_slice().iter().map(|change| change.recurrence_id.date());
    let last = excluded.chain(changed).max().unwrap_or(end);
    last.min(end.saturating_add(YEARS_OF_EXCEPTIONS.years())).max(end)
}

/// Returns whether the rule makes the start of its event.
fn makes_own(series: &Series<'_>) -> bool {
    let Series { event, recurrence, zone, own, .. } = series;
    let mut rule = recurrence.rule().completed_by(*own);
    rule.interval = 1;
    rule.end = End::Never;
    let before = if event.all_day { 86_400 } else { 1 };
    let before = own.saturating_sub(SignedDuration::from_secs(before));
    let mut is_made = false;
    let _ = CalendarRule::new(&rule, before, event.all_day).visit(own.date(), own.date(), &mut Steps::new(), |local| {
        is_made |= local == *own;
        ControlFlow::Continue(())
    });
    is_made && recurrence.permits(zone, *own, event.all_day)
}
