//! Moves a recurrence together with the start of its event.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};

use super::edit::{exclude_one_by_one, lines, value_of, weekday, with_part};
use super::locate::Made;
use super::moment::Moment;
use super::parse_rule::parse_weekday;
use super::recurrence::{parse_moments, parse_parameters, split_line};
use super::{LocalStart, Recurrence};
use crate::calendar::Zone;
use crate::resource::Event;
use crate::timestamp::Timestamp;

/// How the occurrences of a series move, as civil times.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shift<'a> {
    from: &'a Zone,
    to: &'a Zone,
    /// The local start of the event before. An all-day event starts at midnight, also if the clock skips it.
    start: DateTime,
    by: SignedDuration,
    is_all_day: bool,
    /// Whether only the time zone of a timed event changes.
    keeps_instants: bool,
    moved: Moved,
}

/// What moves with the start of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moved {
    /// The changes of occurrences. The change has set the recurrence.
    Changes,
    /// The exceptions: the changes of occurrences, and the excluded ones.
    Exceptions,
    /// Every occurrence: also the additional ones, the weekday and the end of the rule.
    Everything,
}

impl<'a> Shift<'a> {
    /// Returns how an event has moved. The zones are those of the event before and after.
    pub(crate) fn of(before: &Event, from: &'a Zone, after: &Event, to: &'a Zone, moved: Moved) -> Self {
        let local = |zone: &Zone, at: Timestamp| {
            let local = zone.local(at);
            if before.all_day { local.date().to_datetime(Time::midnight()) } else { local }
        };
        let start = local(from, before.start_date);
        let by = local(to, after.start_date).duration_since(start);
        let keeps_instants = !before.all_day && from != to && before.start_date == after.start_date;
        Self { from, to, start, by, is_all_day: before.all_day, keeps_instants, moved }
    }

    /// Returns whether every occurrence stays.
    pub(crate) fn is_none(&self) -> bool {
        self.by.is_zero() && self.from == self.to
    }

    /// Returns the days on which exceptions between two days can be before or after the move.
    pub(crate) fn days(&self, first: Date, last: Date) -> (Date, Date) {
        let margin = self.by.abs().saturating_add(SignedDuration::from_hours(48));
        (first.saturating_sub(margin), last.saturating_add(margin))
    }

    /// Returns the first day of the event before, with its time after the move.
    pub(crate) fn earlier_start(&self) -> Option<DateTime> {
        Some(self.start.date().to_datetime(self.local(self.start)?.time()))
    }

    /// Returns the start of an occurrence after the move that the event makes then, or `None` if there is none. If the
    /// occurrences before the start were added, it can be one of them.
    pub(crate) fn made_key(&self, key: LocalStart, made: &Made) -> Option<LocalStart> {
        // An exception can have the time to which the clock moves its occurrence.
        let skipped = || self.skipped(self.from.resolve(key.date_time()?)?);
        self.made_key_of(key, made).or_else(|| self.made_key_of(skipped()?.into(), made))
    }

    fn made_key_of(&self, key: LocalStart, made: &Made) -> Option<LocalStart> {
        let new = if self.moved == Moved::Everything {
            [self.key(key), self.same_instant(key), None]
        } else {
            [Some(key), self.same_day(key), self.key(key)]
        };
        new.into_iter().flatten().find(|key| made.has(*key) || made.is_too_early(*key))
    }

    /// Returns the start of an occurrence that moves as the event, or `None` if no calendar has it.
    pub(crate) fn key(&self, key: LocalStart) -> Option<LocalStart> {
        match key.date_time() {
            Some(local) => self.local(local).map(LocalStart::from),
            None => self.day(key.date()).map(LocalStart::from),
        }
    }

    /// Returns the start of an occurrence on the same day with the new time of the event, if it had the old one.
    pub(crate) fn same_day(&self, key: LocalStart) -> Option<LocalStart> {
        let own = key.date().to_datetime(self.start.time());
        let is_own = key == LocalStart::from(own);
        is_own.then(|| Some(key.date().to_datetime(self.local(self.start)?.time()).into())).flatten()
    }

    /// Returns the local time that the clock skips, and that it moves to an instant.
    fn skipped(&self, at: Timestamp) -> Option<DateTime> {
        let day = SignedDuration::from_hours(24);
        let skipped = self.from.local(at.saturating_add(-day)).checked_add(day).ok()?;
        (skipped != self.from.local(at) && self.from.resolve(skipped) == Some(at)).then_some(skipped)
    }

    fn same_instant(&self, key: LocalStart) -> Option<LocalStart> {
        Some(self.to.local(self.from.resolve(key.date_time()?)?).into())
    }

    /// Returns the recurrence with another rule and other additional occurrences after the move, or `None` if it is not
    /// valid. A moment stays if no calendar has it after the move. `by_rule` has the occurrences of the rule before.
    pub(crate) fn rule_and_additions(&self, text: &str, by_rule: &Made) -> Option<String> {
        rewritten(text, |name, parameters, value| match name {
            "RDATE" => self.values(parameters, value, |text, moment, zone| self.addition(text, moment, zone, by_rule)),
            "RRULE" => self.rule(value),
            _ => Some(value.to_owned()),
        })
    }

    /// Returns the recurrence with the excluded occurrences after the move, or `None` as
    /// [`rule_and_additions`](Self::rule_and_additions) does. `made` has the occurrences after the move.
    pub(crate) fn exclusions(&self, text: &str, made: &Made) -> Option<String> {
        rewritten(text, |name, parameters, value| match name {
            "EXDATE" => self.values(parameters, value, |text, moment, zone| self.exclusion(text, moment, zone, made)),
            _ => Some(value.to_owned()),
        })
    }

    /// Returns the recurrence of a timed event that excludes occurrences one by one, in the place of each day that
    /// would exclude others after the move, or `None` if there is no such day.
    pub(crate) fn one_by_one(&self, text: &str, (before, after): (&Made, &Made)) -> Option<String> {
        let recurrence = Recurrence::parse(text).ok()?;
        let split = recurrence.excluded().iter().copied().filter_map(|moment| {
            let Moment::Day(day) = moment else { return None };
            let new = self.day(day)?;
            let is_unknown = before.is_unknown(day.into()) || after.is_unknown(new.into());
            let is_kept = || {
                let keys: BTreeSet<_> = before.on(day).filter_map(|key| self.made_key(key, after)).collect();
                after.on(new).eq(keys)
            };
            (!is_unknown && !is_kept()).then(|| (day, before.on(day).collect()))
        });
        let split: BTreeMap<_, _> = split.collect();
        (!split.is_empty()).then(|| exclude_one_by_one(text, &split))
    }

    /// Returns the days of the excluded occurrences before the move.
    pub(crate) fn excluded_days(&self, text: &str) -> Vec<Date> {
        let excluded = Recurrence::parse(text).map(|recurrence| recurrence.excluded().to_vec()).unwrap_or_default();
        excluded.into_iter().map(|moment| self.key_of(moment).date()).collect()
    }

    /// Returns the occurrence that a moment excludes.
    fn key_of(&self, moment: Moment) -> LocalStart {
        if self.is_all_day { moment.day(self.from).into() } else { moment.start(self.from, self.start).into() }
    }

    /// Moves the weekday and the end of a rule. Several weekdays stay.
    fn rule(&self, rule: &str) -> Option<String> {
        let mut shifted = rule.to_owned();
        for part in rule.split(';') {
            match part.split_once('=') {
                // In another zone too, the last occurrence moves by the civil time of the others, and the end with it.
                Some((name, value)) if name.eq_ignore_ascii_case("UNTIL") => {
                    let until = Moment::parse(&value.to_ascii_uppercase())?;
                    if let Some(until) = self.moment(until, self.to) {
                        shifted = with_part(&shifted, name, &until);
                    }
                }
                Some((name, value)) if name.eq_ignore_ascii_case("BYDAY") => {
                    let days = self.local(self.start)?.weekday().since(self.start.weekday());
                    if let Some(own) = parse_weekday(&value.to_ascii_uppercase()) {
                        shifted = with_part(&shifted, name, weekday(own.wrapping_add(days)));
                    }
                }
                _ => {}
            }
        }
        Some(shifted)
    }

    /// Writes moments after the move. `write` gets the text of each, and returns `None` outside of the calendar.
    fn values(
        &self,
        parameters: &str,
        values: &str,
        write: impl Fn(&str, Moment, &Zone) -> Option<String>,
    ) -> Option<String> {
        let own = parse_parameters(parameters).ok()?;
        let zone = own.as_ref().unwrap_or(self.to);
        let moments = parse_moments(parameters, values).ok()?;
        let values = values.split(',').zip(moments);
        let shifted = values.map(|(text, moment)| write(text, moment, zone).unwrap_or_else(|| text.to_owned()));
        Some(shifted.collect::<Vec<_>>().join(","))
    }

    fn addition(&self, text: &str, moment: Moment, zone: &Zone, by_rule: &Made) -> Option<String> {
        match moment {
            // The rule makes it too, and would make another one at another time after the move.
            _ if by_rule.has(self.key_of(moment)) => self.moment(moment, zone),
            Moment::Utc(_) | Moment::Zoned(..) if self.keeps_instants => Some(text.to_owned()),
            Moment::Local(time) if self.keeps_instants => written(self.to.local(self.from.resolve(time)?).into()),
            _ => self.moment(moment, zone),
        }
    }

    fn exclusion(&self, text: &str, moment: Moment, zone: &Zone, made: &Made) -> Option<String> {
        let key = self.key_of(moment);
        match moment {
            Moment::Day(_) if self.moved == Moved::Everything => return self.moment(moment, zone),
            Moment::Day(day) if made.has_day(day) => return Some(text.to_owned()),
            _ => {}
        }
        let Some(new) = self.made_key(key, made) else {
            return self.moment(moment, zone);
        };
        if new == key && self.from == self.to {
            return Some(text.to_owned());
        }
        let Some(local) = new.date_time() else {
            // The day changes, and the time of the moment stays.
            let on = |time: DateTime| new.date().to_datetime(time.time());
            return match moment {
                Moment::Day(_) => written(new),
                Moment::Local(time) | Moment::Zoned(time, _) => written(on(time).into()),
                Moment::Utc(at) => Some(utc(self.to.resolve(on(self.from.local(at)))?)),
            };
        };
        match moment {
            Moment::Day(_) => written(local.date().into()),
            Moment::Local(_) => written(new),
            Moment::Utc(_) => Some(utc(self.to.resolve(local)?)),
            Moment::Zoned(..) => written(zone.local(self.to.resolve(local)?).into()),
        }
    }

    /// Writes a moment after the move in its own form. `zone` is that of a local time with a parameter `TZID`.
    fn moment(&self, moment: Moment, zone: &Zone) -> Option<String> {
        match moment {
            Moment::Day(day) => written(self.day(day)?.into()),
            Moment::Local(time) => written(self.local(time)?.into()),
            Moment::Utc(at) => Some(utc(self.instant(at)?)),
            // An all-day event takes the local day.
            Moment::Zoned(time, _) if self.is_all_day => {
                written(self.day(time.date())?.to_datetime(time.time()).into())
            }
            Moment::Zoned(_, at) => written(zone.local(self.instant(at)?).into()),
        }
    }

    /// Moves a local time, or returns `None` if its year has no four digits, because no text has it then.
    fn local(&self, local: DateTime) -> Option<DateTime> {
        local.checked_add(self.by).ok().filter(|local| local.year() >= 0)
    }

    /// Moves a whole day as the occurrence on it.
    fn day(&self, day: Date) -> Option<Date> {
        Some(self.local(day.to_datetime(self.start.time()))?.date())
    }

    fn instant(&self, at: Timestamp) -> Option<Timestamp> {
        self.to.resolve(self.local(self.from.local(at))?)
    }
}

/// Writes a moment, or returns `None` if no recurrence can have it: its years begin with 1.
fn written(start: LocalStart) -> Option<String> {
    (start.date().year() >= 1).then(|| value_of(start))
}

fn utc(at: Timestamp) -> String {
    format!("{}Z", value_of(at.utc().into()))
}

/// Returns a recurrence with other values of its lines, or `None` if it is not valid. `write` gets the name, the
/// parameters and the value of a line, and returns the new value, or `None` if there is no recurrence.
fn rewritten(text: &str, write: impl Fn(&str, &str, &str) -> Option<String>) -> Option<String> {
    Recurrence::parse(text).ok()?;
    let mut shifted = String::with_capacity(text.len());
    for line in lines(text) {
        let unfolded = line.unfolded();
        let (name, parameters, value) = split_line(&unfolded);
        let head = unfolded.strip_suffix(value)?;
        shifted.push_str(line.separator);
        match write(&name.to_ascii_uppercase(), parameters, value)? {
            new if new != value => shifted.extend([head, &new]),
            _ => shifted.push_str(line.text),
        }
    }
    shifted.push_str(text.get(text.trim_end().len()..)?);
    Some(shifted)
}
