//! Edits of a recurrence as text: excludes single occurrences, and ends or splits a series.
//!
//! An edit keeps what it does not change: the order of lines and parts, the case of names, and unknown spellings. To
//! exclude an occurrence and to include it again also keeps every byte, with folded lines and spaces at the end.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use jiff::civil::{Date, DateTime, Weekday};

use super::calendar_rule::{CalendarRule, Expanded};
use super::exclusions::{Exclusions, seconds, whole_seconds};
use super::moment::Moment;
use super::recurrence::{parse_moments, split_line};
use super::rule::End;
use super::steps::Steps;
use super::{LocalStart, Recurrence};
use crate::calendar::Zone;
use crate::resource::Event;
use crate::timestamp::Timestamp;

/// The recurrences of a series that is split into two events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SplitRecurrence {
    /// The recurrence of the event with the earlier occurrences.
    pub(crate) before: String,
    /// The recurrence of the event that starts at the split.
    pub(crate) following: String,
}

/// Excludes an occurrence by an `EXDATE` in local form.
pub(crate) fn exclude(recurrence: &str, start: LocalStart) -> String {
    let mut text = recurrence.to_owned();
    let parameters = parameters_of(start);
    let is_same_form = |line: &&Line<'_>| {
        let unfolded = line.unfolded();
        let (name, others, _) = split_line(&unfolded);
        name.eq_ignore_ascii_case("EXDATE") && others.eq_ignore_ascii_case(parameters)
    };
    if let Some(line) = lines(recurrence).iter().find(is_same_form) {
        text.insert_str(line.end, &format!(",{}", value_of(start)));
    } else {
        let end_of_line = if recurrence.contains("\r\n") { "\r\n" } else { "\n" };
        let semicolon = if parameters.is_empty() { "" } else { ";" };
        let line = format!("{end_of_line}EXDATE{semicolon}{parameters}:{}", value_of(start));
        text.insert_str(recurrence.trim_end().len(), &line);
    }
    text
}

/// Removes every `EXDATE` that excludes an occurrence. Returns `None` if there is none, if the recurrence is not valid, or
/// if an `EXDATE` is a whole day that excludes several occurrences of a timed event: without it, the others would return.
/// `has_others` is whether the event has others on this day. Those of several times of the rule are known.
pub(crate) fn include(recurrence: &str, start: LocalStart, zone: &Zone, has_others: bool) -> Option<String> {
    let parsed = Recurrence::parse(recurrence).ok()?;
    let has_several_times = parsed.rule().times_of_day() > 1 || has_others;
    let is_day = |moment: &Moment| *moment == Moment::Day(start.date());
    if has_several_times && !start.is_whole_day() && parsed.excluded().iter().any(is_day) {
        return None;
    }
    let is_kept = |moment: Moment| match start.date_time() {
        None => !Exclusions::of_all_day(&[moment], zone).has_day(start.date()),
        Some(time) => {
            let is_same = |at: Timestamp| whole_seconds(zone.local(at)) == whole_seconds(time);
            let exclusions = Exclusions::of_timed(&[moment], zone);
            let is_excluded = zone.resolve(time).is_some_and(|at| exclusions.has_start(time, at));
            !is_excluded && !moment.instant(zone).is_some_and(is_same)
        }
    };
    Some(with_exclusions(recurrence, is_kept)).filter(|text| text != recurrence)
}

/// Excludes the occurrences of some days one by one, in the place of the days.
pub(crate) fn exclude_one_by_one(recurrence: &str, days: &BTreeMap<Date, Vec<LocalStart>>) -> String {
    let is_kept = |moment: Moment| !matches!(moment, Moment::Day(day) if days.contains_key(&day));
    days.values().flatten().fold(with_exclusions(recurrence, is_kept), |text, start| exclude(&text, *start))
}

/// Returns a recurrence with some of its `EXDATE`s. It is valid.
fn with_exclusions(recurrence: &str, is_kept: impl Fn(Moment) -> bool) -> String {
    let mut text = String::with_capacity(recurrence.len());
    for line in lines(recurrence) {
        if let Some(kept) = line.with_moments(&is_kept) {
            text.push_str(if text.is_empty() { "" } else { line.separator });
            text.push_str(&kept);
        }
    }
    text.push_str(recurrence.get(recurrence.trim_end().len()..).unwrap_or_default());
    text
}

/// Ends the series of an event before an occurrence, which is not the first one: lowers `COUNT`, or sets `UNTIL`.
/// Returns `None` if the event has no valid recurrence, or too many occurrences to count.
pub(crate) fn end_before(event: &Event, zone: &Zone, start: LocalStart) -> Option<String> {
    let series = Series::of(event, zone)?;
    let at = series.time_of(start);
    series.before(at, series.count_before(at)?.0)
}

/// Splits the series of an event at an occurrence of its rule, which is not the first one. The occurrences of the event
/// with the recurrence `before`, and of an event that starts at the split with the recurrence `following`, are those of
/// the series.
///
/// Returns `None` if the rule does not make this occurrence: an `RDATE` need not be in a period of the rule, so the
/// rule cannot start there. Also returns `None` as [`end_before`] does.
pub(crate) fn split(event: &Event, zone: &Zone, start: LocalStart) -> Option<SplitRecurrence> {
    let series = Series::of(event, zone)?;
    let at = series.time_of(start);
    let (count, is_of_rule) = series.count_before(at)?;
    if !is_of_rule {
        return None;
    }
    Some(SplitRecurrence { before: series.before(at, count)?, following: series.following(at, count)? })
}

/// Returns the parameters of an `EXDATE` of the form of a start.
fn parameters_of(start: LocalStart) -> &'static str {
    if start.is_whole_day() { "VALUE=DATE" } else { "" }
}

/// Writes a start as the value of an `EXDATE`.
pub(super) fn value_of(start: LocalStart) -> String {
    match start.date_time() {
        Some(time) => time.strftime("%Y%m%dT%H%M%S").to_string(),
        None => start.date().strftime("%Y%m%d").to_string(),
    }
}

/// A line of a recurrence. It can be folded over several lines of the text (RFC 5545, section 3.1).
pub(super) struct Line<'t> {
    /// The end of the line before it.
    pub(super) separator: &'t str,
    pub(super) text: &'t str,
    /// Where the line ends in the recurrence.
    end: usize,
}

pub(super) fn lines(recurrence: &str) -> Vec<Line<'_>> {
    let body = recurrence.trim_end();
    let is_fold = |at: usize| body.get(at + 1..).is_some_and(|rest| rest.starts_with([' ', '\t']));
    let ends = body.match_indices('\n').map(|(at, _)| at).filter(|at| !is_fold(*at));
    let mut lines = Vec::new();
    let (mut start, mut separator) = (0, "");
    for at in ends.chain([body.len()]) {
        let text = body.get(start..at).unwrap_or_default();
        let text = if at == body.len() { text } else { text.strip_suffix('\r').unwrap_or(text) };
        lines.push(Line { separator, text, end: start + text.len() });
        separator = body.get(start + text.len()..=at).unwrap_or_default();
        start = at + 1;
    }
    lines
}

fn unfolded(text: &str) -> String {
    text.replace("\r\n", "\n").replace("\n ", "").replace("\n\t", "")
}

impl Line<'_> {
    pub(super) fn unfolded(&self) -> String {
        unfolded(self.text)
    }

    /// Returns the line with some of its `EXDATE`s, or `None` if none is left. The line is valid.
    fn with_moments(&self, is_kept: impl Fn(Moment) -> bool) -> Option<String> {
        let line = self.unfolded();
        let (name, parameters, _) = split_line(&line);
        let Some((head, values)) = self.text.split_once(':').filter(|_| name.eq_ignore_ascii_case("EXDATE")) else {
            return Some(self.text.to_owned());
        };
        let is_kept = |value: &&str| {
            let moments = parse_moments(parameters, &unfolded(value)).unwrap_or_default();
            moments.into_iter().all(&is_kept)
        };
        let kept: Vec<&str> = values.split(',').filter(is_kept).collect();
        (!kept.is_empty()).then(|| format!("{head}:{}", kept.join(",")))
    }
}

/// A recurring event in its zone.
struct Series<'e> {
    text: &'e str,
    recurrence: Recurrence,
    zone: &'e Zone,
    is_all_day: bool,
    start: DateTime,
}

impl<'e> Series<'e> {
    fn of(event: &'e Event, zone: &'e Zone) -> Option<Self> {
        let text = event.recurrence.as_deref()?;
        let recurrence = Recurrence::parse(text).ok()?;
        Some(Self { text, recurrence, zone, is_all_day: event.all_day, start: zone.local(event.start_date) })
    }

    /// Returns a start in the form in which the rule makes it.
    fn time_of(&self, start: LocalStart) -> DateTime {
        match start.date_time() {
            None => start.date().to_datetime(self.start.time()),
            Some(time) => {
                let fraction = self.start.subsec_nanosecond();
                time.with().subsec_nanosecond(fraction).build().unwrap_or(time)
            }
        }
    }

    /// Returns the number of occurrences of the rule before a time, and whether the rule makes one at this time. The
    /// number is exact only for a rule with `COUNT`. The start of the event is the first occurrence.
    fn count_before(&self, at: DateTime) -> Option<(u32, bool)> {
        let rule = CalendarRule::new(self.recurrence.rule(), self.start, self.is_all_day);
        let from = if self.recurrence.has_count() { self.start.date() } else { at.date() };
        let (mut count, mut found) = (1, None);
        let expanded = rule.visit(from, at.date(), &mut Steps::of_write(), |local| {
            if local < at {
                count += 1;
                return ControlFlow::Continue(());
            }
            found = Some(local);
            ControlFlow::Break(())
        });
        let is_complete = found.is_some() || expanded == Expanded::Completely;
        is_complete.then_some((count, found == Some(at) && self.recurrence.permits(self.zone, at, self.is_all_day)))
    }

    /// Returns the recurrence of the occurrences before a time. The rule has `count` of them.
    fn before(&self, at: DateTime, count: u32) -> Option<String> {
        let (name, end) = if self.recurrence.has_count() {
            ("COUNT", count.to_string())
        } else if self.is_all_day {
            ("UNTIL", at.date().yesterday().ok()?.strftime("%Y%m%d").to_string())
        } else {
            // The last second before the occurrence.
            let last = Timestamp::from_millis((seconds(self.zone.resolve(at)?) - 1) * 1_000)?;
            ("UNTIL", last.utc().strftime("%Y%m%dT%H%M%SZ").to_string())
        };
        let ends_earlier = self.ends_before(at);
        Some(self.text(
            |rule| if ends_earlier { rule.to_owned() } else { with_part(rule, name, &end) },
            |is_excluded, moment| self.is_before(moment, at) || self.excludes_day_of(is_excluded, moment, at),
        ))
    }

    /// Tells whether the rule ends before a time by its own `UNTIL`: the occurrence at this time is an `RDATE`.
    fn ends_before(&self, at: DateTime) -> bool {
        match self.recurrence.rule().end {
            End::Until(until) if self.is_all_day => until.day(self.zone) < at.date(),
            End::Until(Moment::Day(day)) => day < at.date(),
            End::Until(until) => until.instant(self.zone) < self.zone.resolve(at),
            End::Never | End::Count(_) => false,
        }
    }

    /// Returns the recurrence of an event that starts at an occurrence of the rule. The rule has `count` before it.
    fn following(&self, at: DateTime, count: u32) -> Option<String> {
        // The clock can skip the time of the occurrence.
        let start = self.zone.local(self.zone.resolve(at)?);
        let has_other_time = !self.is_all_day && start.time() != self.start.time();
        let mut moved = Vec::new();
        let text = self.text(
            |rule| {
                let rule = self
                    .parts_of_start(start)
                    .iter()
                    .fold(rule.to_owned(), |rule, (name, value)| with_part(&rule, name, value));
                match self.recurrence.count() {
                    Some(all) => with_part(&rule, "COUNT", &all.saturating_sub(count).max(1).to_string()),
                    None => rule,
                }
            },
            |is_excluded, moment| match moment {
                _ if self.is_before(moment, at) => false,
                // A whole day has the time of the event, which is another one then.
                Moment::Day(day) if has_other_time && !is_excluded => {
                    moved.push(value_of(day.to_datetime(self.start.time()).into()));
                    false
                }
                _ => true,
            },
        );
        Some(if moved.is_empty() { text } else { format!("{text}\nRDATE:{}", moved.join(",")) })
    }

    /// Tells whether a moment belongs to the occurrences before a time.
    fn is_before(&self, moment: Moment, at: DateTime) -> bool {
        if self.is_all_day {
            moment.day(self.zone) < at.date()
        } else {
            whole_seconds(moment.start(self.zone, self.start)) < whole_seconds(at)
        }
    }

    /// Tells whether a moment excludes all occurrences of the day of a split.
    fn excludes_day_of(&self, is_excluded: bool, moment: Moment, at: DateTime) -> bool {
        is_excluded && !self.is_all_day && moment == Moment::Day(at.date())
    }

    /// Returns the parts that the rule takes from the start of the event, if it would take others from another start.
    fn parts_of_start(&self, other: DateTime) -> Vec<(&'static str, String)> {
        let (start, rule) = (self.start, self.recurrence.rule());
        let (own, others) = (rule.completed_by(start), rule.completed_by(other));
        let weekday = || weekday(start.weekday()).to_owned();
        let mut parts = Vec::new();
        parts.extend((own.weekdays != others.weekdays).then(|| ("BYDAY", weekday())));
        parts.extend((own.month_days != others.month_days).then(|| ("BYMONTHDAY", start.day().to_string())));
        parts.extend((own.months != others.months).then(|| ("BYMONTH", start.month().to_string())));
        if !self.is_all_day {
            parts.extend((own.hours != others.hours).then(|| ("BYHOUR", start.hour().to_string())));
            parts.extend((own.minutes != others.minutes).then(|| ("BYMINUTE", start.minute().to_string())));
            parts.extend((own.seconds != others.seconds).then(|| ("BYSECOND", start.second().to_string())));
        }
        parts
    }

    /// Returns the recurrence with another rule, and with some of its moments. `is_kept` gets whether the moment is an
    /// `EXDATE`.
    fn text(&self, rule: impl Fn(&str) -> String, mut is_kept: impl FnMut(bool, Moment) -> bool) -> String {
        let mut kept_lines = Vec::new();
        for line in lines(self.text) {
            let line = line.unfolded();
            let (name, parameters, value) = split_line(&line);
            let head = line.strip_suffix(value).unwrap_or_default();
            if name.eq_ignore_ascii_case("RRULE") {
                kept_lines.push(format!("{head}{}", rule(value)));
                continue;
            }
            let is_excluded = name.eq_ignore_ascii_case("EXDATE");
            // The recurrence is valid, so its moments are.
            let moments = parse_moments(parameters, value).unwrap_or_default();
            let values = value.split(',').zip(moments).filter(|(_, moment)| is_kept(is_excluded, *moment));
            let values: Vec<&str> = values.map(|(value, _)| value).collect();
            if !values.is_empty() {
                kept_lines.push(format!("{head}{}", values.join(",")));
            }
        }
        kept_lines.join("\n")
    }
}

/// Sets a part of a rule. A new part comes last.
pub(super) fn with_part(rule: &str, name: &str, value: &str) -> String {
    let is_closed = rule.ends_with(';');
    let mut is_set = false;
    let mut parts: Vec<String> = Vec::new();
    for part in rule.strip_suffix(';').unwrap_or(rule).split(';') {
        match part.split_once('=') {
            Some((known, _)) if known.eq_ignore_ascii_case(name) => {
                is_set = true;
                parts.push(format!("{known}={value}"));
            }
            _ => parts.push(part.to_owned()),
        }
    }
    if !is_set {
        parts.push(format!("{name}={value}"));
    }
    format!("{}{}", parts.join(";"), if is_closed { ";" } else { "" })
}

/// Returns a weekday as `BYDAY` has it.
pub(super) const fn weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "MO",
        Weekday::Tuesday => "TU",
        Weekday::Wednesday => "WE",
        Weekday::Thursday => "TH",
        Weekday::Friday => "FR",
        Weekday::Saturday => "SA",
        Weekday::Sunday => "SU",
    }
}
