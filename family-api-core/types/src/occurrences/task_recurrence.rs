//! The recurrence of a task, which names its start itself.

use std::fmt;
use std::ops::ControlFlow;

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime};

use super::calendar_rule::{CalendarRule, Expanded};
use super::edit::{lines, value_of};
use super::exclusions::Exclusions;
use super::moment::Moment;
use super::rule::End;
use super::spans::{day_after, day_before};
use super::steps::Steps;
use super::{InvalidRecurrence, MAX_RECURRENCE_LENGTH, Recurrence};
use crate::calendar::Zone;
use crate::resource::{Event, Task};
use crate::timestamp::Timestamp;

/// The maximum length of the recurrence of a task, in bytes: a line `DTSTART`, and the recurrence of an event.
pub const MAX_TASK_RECURRENCE_LENGTH: usize = MAX_RECURRENCE_LENGTH + 64;

/// The recurrence of a task: a local start in a time zone, and the recurrence of a timed event that starts then. The
/// task is due at the occurrences of that event.
///
/// ```
/// use family_api_types::occurrences::TaskRecurrence;
///
/// let text = "DTSTART;TZID=Europe/Kyiv:20261207T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO";
/// assert_eq!(TaskRecurrence::parse(text)?.to_string(), text);
/// assert!(TaskRecurrence::parse("RRULE:FREQ=WEEKLY").is_err());
/// # Ok::<(), family_api_types::occurrences::InvalidRecurrence>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TaskRecurrence {
    zone: Zone,
    start: DateTime,
    /// The lines after `DTSTART`, each with its name.
    lines: String,
    recurrence: Recurrence,
}

/// The work to find an occurrence is bounded, and the rule needs more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the next occurrence takes too much work to find")]
pub(crate) struct TooManySteps;

impl TaskRecurrence {
    /// Parses a line `DTSTART` with a local time in a zone, and the lines of a [`Recurrence`].
    ///
    /// # Errors
    /// [`InvalidRecurrence`] says what is expected.
    pub fn parse(text: &str) -> Result<Self, InvalidRecurrence> {
        let expected = || InvalidRecurrence::expected("a line DTSTART;TZID=Europe/Kyiv:20261207T090000 and an RRULE");
        let (start, lines) = text.split_once('\n').ok_or_else(expected)?;
        let (zone, start) =
            start.strip_prefix("DTSTART;TZID=").and_then(|start| start.split_once(':')).ok_or_else(expected)?;
        match (zone.parse(), Moment::parse(start)) {
            (Ok(zone), Some(Moment::Local(start))) => Self::new(zone, start, lines),
            _ => Err(expected()),
        }
    }

    /// Returns an event without length that takes place whenever a task is due by its rule, with the id of the task, so
    /// that many tasks can be [expanded](super::Expansion) together. `None` if the task does not recur.
    #[must_use]
    pub fn event_of(task: &Task) -> Option<Event> {
        let Self { zone, start, lines, .. } = Self::parse(task.recurrence.as_deref()?).ok()?;
        let at = zone.resolve(start)?;
        let event = Event::new(task.id.as_str().parse().ok()?, "", at, at, task.created_at);
        Some(Event { recurrence: Some(lines), time_zone: zone.as_str().parse().ok(), ..event })
    }

    /// Checks that the rule matches at least one day, as [`Recurrence::check_satisfiable`].
    ///
    /// # Errors
    /// [`InvalidRecurrence`] if the rule never matches.
    pub fn check_satisfiable(&self) -> Result<(), InvalidRecurrence> {
        self.recurrence.check_satisfiable()
    }

    /// Returns whether a text names the start.
    pub(crate) fn has_start(text: &str) -> bool {
        text.to_ascii_uppercase().contains("DTSTART")
    }

    /// Checks a text with or without a start.
    pub(crate) fn check(text: &str) -> Result<(), InvalidRecurrence> {
        let recurrence =
            if Self::has_start(text) { Self::parse(text) } else { Self::new(Zone::utc(), DateTime::default(), text) };
        recurrence?.check_satisfiable()
    }

    /// Returns the recurrence that starts at the first time of its rule from a local time on. Returns `None` if there is
    /// none. The length of the interval does not matter for the first time.
    pub(crate) fn starting(zone: &Zone, from: DateTime, lines: &str) -> Result<Option<Self>, InvalidRecurrence> {
        let from = from.with().subsec_nanosecond(0).build().unwrap_or(from);
        let recurrence = Self::new(zone.clone(), from, lines)?;
        Ok(recurrence.first_match().map(|start| Self { start, ..recurrence }))
    }

    fn new(zone: Zone, start: DateTime, text: &str) -> Result<Self, InvalidRecurrence> {
        let named = |line: String| if line.contains(':') { line } else { format!("RRULE:{line}") };
        let lines: Vec<_> = lines(text).iter().map(|line| named(line.unfolded())).collect();
        let lines = lines.join("\n");
        let recurrence = Recurrence::parse(&lines)?;
        Ok(Self { zone, start, lines, recurrence })
    }

    /// Returns the first time of the rule at the start or after it. An event has an occurrence at its start also if the
    /// rule does not match it.
    fn first_match(&self) -> Option<DateTime> {
        let mut rule = self.recurrence.rule().completed_by(self.start);
        rule.interval = 1;
        rule.end = End::Never;
        let before = self.start.saturating_sub(SignedDuration::from_secs(1));
        let mut first = None;
        let rule = CalendarRule::new(&rule, before, false);
        let _ = rule.visit(self.start.date(), Date::MAX, &mut Steps::new(), |local| {
            first = Some(local);
            ControlFlow::Break(())
        });
        // The text of a start has four digits of its year.
        first.filter(|first| first.year() >= 1 && self.recurrence.permits(&self.zone, *first, false))
    }

    /// Returns the first occurrence at an instant or after it, as [`first_after`](Self::first_after).
    pub(crate) fn first_from(&self, at: Timestamp) -> Result<Option<Timestamp>, TooManySteps> {
        self.first_after(at.saturating_add(SignedDuration::from_millis(-1)))
    }

    /// Returns the first occurrence after an instant, or `None` if there is none.
    ///
    /// # Errors
    /// [`TooManySteps`] if it is not known whether there is one.
    pub(crate) fn first_after(&self, after: Timestamp) -> Result<Option<Timestamp>, TooManySteps> {
        let Self { zone, start, recurrence, .. } = self;
        let exclusions = Exclusions::of_timed(recurrence.excluded(), zone);
        let start_of =
            |local: DateTime| zone.resolve(local).filter(|at| *at > after && !exclusions.has_start(local, *at));
        let additional = recurrence.additional_starts(zone, *start).filter(|local| local > start);
        let mut first = additional.chain([*start]).filter_map(start_of).min();
        // A day more at both ends, because a gap can move a time to another day.
        let from = day_before(zone.local(after).date());
        let last = first.map_or(Date::MAX, |first| day_after(zone.local(first).date()));
        let last = recurrence.last_day(zone).map_or(last, |end| last.min(day_after(end)));
        let mut is_found = false;
        let rule = CalendarRule::new(recurrence.rule(), *start, false);
        let expanded = rule.visit(from, last, &mut Steps::new(), |local| {
            let Some(at) = start_of(local).filter(|at| recurrence.permits_start(zone, local, *at)) else {
                return ControlFlow::Continue(());
            };
            first = Some(first.map_or(at, |first| first.min(at)));
            // A gap can move a time behind the next one.
            is_found = zone.local(at) == local;
            if is_found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if expanded == Expanded::Partly && !is_found { Err(TooManySteps) } else { Ok(first) }
    }
}

/// The text that [`parse`](TaskRecurrence::parse) reads.
impl fmt::Display for TaskRecurrence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DTSTART;TZID={}:{}\n{}", self.zone.as_str(), value_of(self.start.into()), self.lines)
    }
}
