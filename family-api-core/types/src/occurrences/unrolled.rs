//! The occurrences of an event in the form in which programs of others read them alike: a rule, its exclusions and its
//! changed occurrences, and single occurrences for what the rule cannot say.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use jiff::civil::{Date, DateTime};
use jiff::tz::AmbiguousOffset;

use super::event_span::Span;
use super::locate::Series;
use super::rule::End;
use super::rule_starts::RuleStarts;
use super::spans::{Identity, Slot, changed_slots};
use super::steps::Steps;
use super::{LocalStart, Override};
use crate::calendar::Zone;
use crate::resource::Event;
use crate::timestamp::Timestamp;

/// The maximum number of single occurrences of an event. The earliest are kept.
pub const MAX_SINGLE_OCCURRENCES: usize = 1_000;

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
        let is_portable = series.recurrence.rule().completed_by(series.own).is_portable(event.all_day);
        let keeps_rule = keeps_rule && is_portable;
        let is_plain = resolved == 0 && !series.recurrence.has_count();
        if keeps_rule && is_plain {
            let made = RuleStarts::find_irregular(&series, window, steps)?;
            let sorted = Sorted::new(&series, window, &made);
            if !sorted.has_ambiguous_start {
                return Ok(Some(sorted.finish(&made, window, true)));
            }
        }
        let made = RuleStarts::find(&series, window, steps)?;
        let sorted = Sorted::new(&series, window, &made);
        let keeps_rule = keeps_rule && !sorted.has_ambiguous_start;
        Ok(Some(sorted.finish(&made, window, keeps_rule)))
    }
}

pub(super) fn is_from(from: Timestamp, span: Span) -> bool {
    span.end > from || span.start >= from
}

/// Returns whether all programs agree when an occurrence starts and ends: its start and its end are local times that occur
/// once, and the clock does not change between them.
pub(super) fn is_regular(series: &Series<'_>, local: DateTime, span: Span) -> bool {
    let zone = series.zone;
    series.event.all_day
        || occurs_once(zone, local)
            && occurs_once(zone, zone.local(span.end))
            && zone.offset(span.start) == zone.offset(span.end)
}

fn occurs_once(zone: &Zone, local: DateTime) -> bool {
    matches!(zone.ambiguity(local), AmbiguousOffset::Unambiguous { .. })
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
    /// Whether the clock skips or repeats a start of the rule. node-ical moves all later starts with a skipped one, and
    /// takes the second of two for an occurrence that is changed.
    has_ambiguous_start: bool,
    starts: Vec<Start<'e>>,
    single: Vec<UnrolledOccurrence<'e>>,
}

impl<'s, 'e> Sorted<'s, 'e> {
    fn new(series: &'s Series<'e>, window: &Range<Timestamp>, made: &RuleStarts) -> Self {
        let mut changed = HashMap::new();
        for slot in changed_slots(series.event, series.zone) {
            // Two local times are the same occurrence if the clock skips one of them.
            changed.entry(slot.identity()).or_insert(slot);
        }
        let (found, starts, single) = (HashSet::new(), Vec::new(), Vec::new());
        let mut sorted =
            Self { series, from: window.start, changed, found, has_ambiguous_start: false, starts, single };
        sorted.sort(made);
        sorted
    }

    fn sort(&mut self, made: &RuleStarts) {
        let series = self.series;
        let mut of_rule = HashSet::new();
        if !made.has_own {
            self.add_single(series.own);
        }
        for local in &made.starts {
            let Some((start, end)) = series.span(*local) else { continue };
            let span = Span { start, end };
            if !is_from(self.from, span) {
                continue;
            }
            let key = series.key(*local);
            of_rule.insert(key);
            self.has_ambiguous_start |= !series.event.all_day && !occurs_once(series.zone, *local);
            let is_regular = is_regular(series, *local, span);
            let fate = self.fate(*local, key, span, is_regular);
            self.starts.push(Start { key, span, fate, can_be_first: is_regular });
        }
        let mut additional = series.additional();
        additional.sort_unstable();
        for local in additional.into_iter().filter(|local| *local > series.own) {
            self.add_single(local);
        }
        let from = self.from;
        let others = self.changed.values().filter(|slot| !of_rule.contains(&slot.key) && is_from(from, slot.span));
        self.single.extend(others.map(|slot| occurrence(slot.key, slot.span, slot.change)));
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

    /// Adds an occurrence that the rule does not make, unless it is excluded, changed or a repetition.
    fn add_single(&mut self, local: DateTime) {
        let Some((start, end)) = self.series.span(local) else { return };
        let (key, span) = (self.series.key(local), Span { start, end });
        let identity = Identity::of(key, start);
        let is_shown = !self.changed.contains_key(&identity) && !self.series.excludes(local, start);
        if is_shown && is_from(self.from, span) && self.found.insert(identity) {
            self.single.push(occurrence(key, span, None));
        }
    }

    fn finish(self, made: &RuleStarts, window: &Range<Timestamp>, keeps_rule: bool) -> Unrolled<'e> {
        let Self { series, starts, mut single, .. } = self;
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

fn occurrence(key: LocalStart, span: Span, change: Option<&Override>) -> UnrolledOccurrence<'_> {
    UnrolledOccurrence { key, is_of_rule: false, start_date: span.start, end_date: span.end, change }
}

/// Writes the rule with all its parts, and with its end.
fn rule_text(series: &Series<'_>, made: &RuleStarts) -> String {
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
