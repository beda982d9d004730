//! The occurrences of an event in the form in which programs of others read them alike: a rule, its exclusions and its
//! changed occurrences, and single occurrences for what the rule cannot say.

use std::collections::{HashMap, HashSet};
use std::ops::{ControlFlow, Range};

use jiff::civil::{Date, DateTime};
use jiff::tz::AmbiguousOffset;
use jiff::{SignedDuration, ToSpan};

use super::calendar_rule::{CalendarRule, Expanded};
use super::event_span::Span;
use super::locate::Series;
use super::rule::End;
use super::spans::{Identity, Slot, changed_slots, day_after, day_before};
use super::steps::Steps;
use super::{LocalStart, Override};
use crate::calendar::Zone;
use crate::resource::Event;
use crate::timestamp::Timestamp;

/// The maximum number of single occurrences of an event. The earliest are kept.
pub const MAX_SINGLE_OCCURRENCES: usize = 1_000;

/// How many years after the window exclusions and changes still count. A later one counts when the window has moved.
const YEARS_OF_EXCEPTIONS: i64 = 8;

/// Unrolls the recurring events of one calendar. The work for all of them together is bounded.
#[derive(Debug)]
pub struct Unroller(Steps);

/// The occurrences of a recurring event.
///
/// Programs differ on rules whose start is not an occurrence, on whole days as exclusions, on additional occurrences, on
/// the times that a clock skips or repeats, and on the end of an occurrence during which the clock changes. The form has
/// none of these, so programs that follow RFC 5545 compute the occurrences of [`expand`](super::expand).
#[derive(Debug)]
pub struct Unrolled<'e> {
    /// The rule. `None` if all occurrences are single.
    pub rule: Option<UnrolledRule>,
    /// The changed occurrences and the single ones.
    pub occurrences: Vec<UnrolledOccurrence<'e>>,
    /// How many single occurrences were left out, because there were too many.
    pub left_out: usize,
}

/// A rule whose start is its first occurrence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnrolledRule {
    /// The first occurrence, in the time zone of the event.
    pub start: LocalStart,
    /// When the first occurrence starts.
    pub start_date: Timestamp,
    /// When the first occurrence ends.
    pub end_date: Timestamp,
    /// The value of `RRULE`, without `COUNT`. `UNTIL` is a date if the event takes whole days, or else in UTC.
    pub text: String,
    /// The occurrences of the rule that do not exist.
    pub excluded: Vec<LocalStart>,
}

/// An occurrence with its own dates.
#[derive(Debug, Clone, Copy)]
pub struct UnrolledOccurrence<'e> {
    /// The local start by the rule.
    pub key: LocalStart,
    /// Whether it replaces an occurrence of [`Unrolled::rule`].
    pub is_of_rule: bool,
    /// When it starts.
    pub start_date: Timestamp,
    /// When it ends.
    pub end_date: Timestamp,
    /// The change, if the event has one.
    pub change: Option<&'e Override>,
}

/// The work to unroll an event is bounded, and its rule needs more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the occurrences take too much work to find")]
pub struct TooMuchWork;

impl Unroller {
    /// Creates an unroller for the events of one calendar.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "each calendar has one")]
    pub fn new() -> Self {
        Self(Steps::of_feed())
    }

    /// Unrolls an event in its zone, or returns `None` if it does not recur, or its recurrence is not valid.
    ///
    /// The occurrences equal those of [`expand`](super::expand) in the window. Later ones are only those of the rule, if
    /// there is one. `keeps_rule` says whether it can be written: not in a zone whose clock changes by no lasting rule.
    ///
    /// # Errors
    /// [`TooMuchWork`] if the occurrences are not known.
    pub fn unroll<'e>(
        &mut self,
        event: &'e Event,
        zone: &'e Zone,
        window: &Range<Timestamp>,
        keeps_rule: bool,
    ) -> Result<Option<Unrolled<'e>>, TooMuchWork> {
        let Some(series) = Series::of(event, zone) else {
            return Ok(None);
        };
        let steps = &mut self.0;
        steps.begin_event_of_feed(series.recurrence.has_count());
        let text = event.recurrence.as_deref().unwrap_or_default();
        let resolved = series.recurrence.number_of_moments() + event.overrides.as_slice().len();
        steps.take_text(text).and_then(|()| steps.take_visits(resolved)).ok_or(TooMuchWork)?;
        let made = Made::find(&series, window, steps)?;
        let mut sorted = Sorted::new(&series, window);
        sorted.sort(&made);
        let is_kept = keeps_rule && series.recurrence.rule().is_portable();
        Ok(Some(sorted.finish(&series, &made, window, is_kept)))
    }
}

/// The local starts that the rule of an event makes.
struct Made {
    /// Those from the start of the window on, in order.
    starts: Vec<DateTime>,
    /// Whether the rule makes the start of the event.
    has_own: bool,
    /// The last one, if the rule ends after a number of them.
    last: Option<DateTime>,
}

impl Made {
    fn find(series: &Series<'_>, window: &Range<Timestamp>, steps: &mut Steps) -> Result<Self, TooMuchWork> {
        let Series { event, recurrence, zone, own, .. } = series;
        let own = *own;
        let length = event.end_date.as_millis() - event.start_date.as_millis();
        let earliest = window.start.saturating_add(SignedDuration::from_millis(-length.max(0)));
        // A day more, because a gap can move a time to another day, and a day can be shorter than another.
        let from = day_before(day_before(zone.local(earliest).date()));
        let to = last_day(series, window);
        let mut made = Self { starts: Vec::new(), has_own: makes_own(series), last: None };
        if made.has_own && own.date() >= from {
            made.starts.push(own);
        }
        let visited_to = if recurrence.has_count() { Date::MAX } else { to };
        let rule = CalendarRule::new(recurrence.rule(), own, event.all_day);
        let expanded = rule.visit(from, visited_to, steps, |local| {
            if recurrence.permits(zone, local, event.all_day) {
                made.last = Some(local);
                if local.date() <= to {
                    made.starts.push(local);
                }
            }
            ControlFlow::Continue(())
        });
        if expanded == Expanded::Partly { Err(TooMuchWork) } else { Ok(made) }
    }
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

/// What becomes of a start that the rule makes.
enum Fate<'e> {
    /// The rule says when it is.
    Regular,
    /// It does not exist.
    Excluded,
    /// It needs a component of its own.
    Own(UnrolledOccurrence<'e>),
}

/// A start that the rule makes, its fate, and whether the first occurrence of a rule can be at it.
struct Start<'e> {
    key: LocalStart,
    span: Span,
    fate: Fate<'e>,
    can_be_first: bool,
}

/// The occurrences of an event from the start of the window on.
struct Sorted<'s, 'e> {
    series: &'s Series<'e>,
    from: Timestamp,
    changed: HashMap<Identity, Slot<'e>>,
    found: HashSet<Identity>,
    starts: Vec<Start<'e>>,
    single: Vec<UnrolledOccurrence<'e>>,
}

impl<'s, 'e> Sorted<'s, 'e> {
    fn new(series: &'s Series<'e>, window: &Range<Timestamp>) -> Self {
        let mut changed = HashMap::new();
        for slot in changed_slots(series.event, series.zone) {
            // Two local times are the same occurrence if the clock skips one of them.
            changed.entry(slot.identity()).or_insert(slot);
        }
        let (found, starts, single) = (HashSet::new(), Vec::new(), Vec::new());
        Self { series, from: window.start, changed, found, starts, single }
    }

    fn sort(&mut self, made: &Made) {
        let own = self.series.own;
        let mut of_rule = HashSet::new();
        if !made.has_own {
            self.add_single(own);
        }
        for local in &made.starts {
            let Some((start, end)) = self.series.span(*local) else { continue };
            let span = Span { start, end };
            let key = self.series.key(*local);
            if !self.is_in_window(span) {
                continue;
            }
            of_rule.insert(key);
            let is_regular = self.is_regular(*local, span);
            let fate = self.fate(*local, key, span, is_regular);
            self.starts.push(Start { key, span, fate, can_be_first: is_regular });
        }
        let mut additional = self.series.additional();
        additional.sort_unstable();
        for local in additional.into_iter().filter(|local| *local > own) {
            self.add_single(local);
        }
        let changed: Vec<_> = self.changed.values().filter(|slot| !of_rule.contains(&slot.key)).copied().collect();
        for slot in changed {
            if self.is_in_window(slot.span) {
                self.single.push(occurrence(slot.key, slot.span, slot.change));
            }
        }
    }

    fn is_in_window(&self, span: Span) -> bool {
        span.end > self.from || span.start >= self.from
    }

    fn fate(&mut self, local: DateTime, key: LocalStart, span: Span, is_regular: bool) -> Fate<'e> {
        let identity = Identity::of(key, span.start);
        match self.changed.get(&identity) {
            Some(slot) if slot.key == key => Fate::Own(occurrence(key, slot.span, slot.change)),
            Some(_) => Fate::Excluded,
            None if self.series.excludes(local, span.start) || !self.found.insert(identity) => Fate::Excluded,
            None if is_regular => Fate::Regular,
            None => Fate::Own(occurrence(key, span, None)),
        }
    }

    /// Returns whether all programs agree when an occurrence starts and ends: its start is a local time that occurs once,
    /// and the clock does not change before its end.
    fn is_regular(&self, local: DateTime, span: Span) -> bool {
        let zone = self.series.zone;
        self.series.event.all_day
            || matches!(zone.ambiguity(local), AmbiguousOffset::Unambiguous { .. })
                && zone.offset(span.start) == zone.offset(span.end)
    }

    /// Adds an occurrence that the rule does not make, unless it is excluded, changed or a repetition.
    fn add_single(&mut self, local: DateTime) {
        let Some((start, end)) = self.series.span(local) else { return };
        let (key, span) = (self.series.key(local), Span { start, end });
        let identity = Identity::of(key, start);
        let is_shown = !self.changed.contains_key(&identity) && !self.series.excludes(local, start);
        if is_shown && self.is_in_window(span) && self.found.insert(identity) {
            self.single.push(occurrence(key, span, None));
        }
    }

    fn finish(self, series: &Series<'_>, made: &Made, window: &Range<Timestamp>, keeps_rule: bool) -> Unrolled<'e> {
        let Self { starts, mut single, .. } = self;
        let can_be_first = |start: &Start<'_>| start.can_be_first && !matches!(start.fate, Fate::Excluded);
        let first = starts.iter().position(can_be_first).filter(|_| keeps_rule);
        let mut rule = first.and_then(|first| starts.get(first)).map(|first| UnrolledRule {
            start: first.key,
            start_date: first.span.start,
            end_date: first.span.end,
            text: rule_text(series, made),
            excluded: Vec::new(),
        });
        let mut changed = Vec::new();
        for (index, Start { key, span, fate, .. }) in starts.into_iter().enumerate() {
            let rule = rule.as_mut().filter(|_| first.is_some_and(|first| index >= first));
            match (fate, rule) {
                (Fate::Excluded, Some(rule)) => rule.excluded.push(key),
                (Fate::Own(own), Some(_)) => changed.push(UnrolledOccurrence { is_of_rule: true, ..own }),
                (Fate::Own(own), None) => single.push(own),
                (Fate::Regular, None) if span.start < window.end => single.push(occurrence(key, span, None)),
                (Fate::Regular | Fate::Excluded, _) => {}
            }
        }
        single.sort_by_key(|occurrence| (occurrence.start_date, occurrence.key));
        let left_out = single.len().saturating_sub(MAX_SINGLE_OCCURRENCES);
        single.truncate(MAX_SINGLE_OCCURRENCES);
        Unrolled { rule, occurrences: changed.into_iter().chain(single).collect(), left_out }
    }
}

fn occurrence<'e>(key: LocalStart, span: Span, change: Option<&'e Override>) -> UnrolledOccurrence<'e> {
    UnrolledOccurrence { key, is_of_rule: false, start_date: span.start, end_date: span.end, change }
}

/// Writes the rule with all its parts, and with its end.
fn rule_text(series: &Series<'_>, made: &Made) -> String {
    let Series { event, recurrence, zone, own, .. } = series;
    let rule = recurrence.rule().completed_by(*own);
    let text = rule.text(event.all_day);
    let last_of = |day: Date| zone.resolve(day.at(23, 59, 59, 0));
    let (day, at) = match rule.end {
        End::Never => return text,
        End::Count(_) => {
            let last = made.last.unwrap_or(*own);
            (last.date(), zone.resolve(last))
        }
        End::Until(moment) => {
            let day = moment.day(zone);
            (day, moment.instant(zone).or_else(|| last_of(day)))
        }
    };
    if event.all_day {
        return format!("{text};UNTIL={}", day.strftime("%Y%m%d"));
    }
    format!("{text};UNTIL={}", at.unwrap_or(Timestamp::MAX).utc().strftime("%Y%m%dT%H%M%SZ"))
}
