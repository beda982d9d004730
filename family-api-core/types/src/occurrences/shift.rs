//! Moves a recurrence together with the start of its event.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime};

use super::edit::{lines, value_of, weekday, with_part};
use super::locate::Made;
use super::moment::Moment;
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
    /// The local start of the event before.
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
        let start = from.local(before.start_date);
        let by = to.local(after.start_date).duration_since(start);
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

    /// Returns the start of an occurrence after the move that the event makes then, or `None` if there is none.
    pub(crate) fn made_key(&self, key: LocalStart, made: &Made) -> Option<LocalStart> {
        let new = if self.moved == Moved::Everything {
            [self.key(key), self.same_instant(key), None]
        } else {
            [Some(key), self.same_day(key), self.key(key)]
        };
        new.into_iter().flatten().find(|key| made.has(*key))
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

    fn same_instant(&self, key: LocalStart) -> Option<LocalStart> {
        Some(self.to.local(self.from.resolve(key.date_time()?)?).into())
    }

    /// Returns the recurrence with another rule and other additional occurrences after the move, or `None` if it is not
    /// valid or no calendar has its moments.
    pub(crate) fn rule_and_additions(&self, text: &str) -> Option<String> {
        rewritten(text, |name, parameters, value| match name {
            "RDATE" => self.values(parameters, value, |text, moment, zone| self.addition(text, moment, zone)),
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
                Some((name, value)) if name.eq_ignore_ascii_case("UNTIL") => {
                    let until = Moment::parse(value)?;
                    if !(self.keeps_instants && matches!(until, Moment::Utc(_))) {
                        shifted = with_part(&shifted, name, &self.moment(until, self.to)?);
                    }
                }
                Some((name, value)) if name.eq_ignore_ascii_case("BYDAY") => {
                    let (old, new) = (self.start.weekday(), self.local(self.start)?.weekday());
                    if value.eq_ignore_ascii_case(weekday(old)) {
                        shifted = with_part(&shifted, name, weekday(new));
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
        let shifted: Option<Vec<_>> = values.map(|(text, moment)| write(text, moment, zone)).collect();
        Some(shifted?.join(","))
    }

    fn addition(&self, text: &str, moment: Moment, zone: &Zone) -> Option<String> {
        match moment {
            Moment::Utc(_) | Moment::Zoned(..) if self.keeps_instants => Some(text.to_owned()),
            Moment::Local(time) if self.keeps_instants => {
                Some(value_of(self.to.local(self.from.resolve(time)?).into()))
            }
            _ => self.moment(moment, zone),
        }
    }

    fn exclusion(&self, text: &str, moment: Moment, zone: &Zone, made: &Made) -> Option<String> {
        let key = self.key_of(moment);
        if let (Moment::Day(day), false) = (moment, self.moved == Moved::Everything)
            && made.has_day(day)
        {
            return Some(text.to_owned());
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
            return Some(match moment {
                Moment::Day(_) => value_of(new),
                Moment::Local(time) | Moment::Zoned(time, _) => value_of(on(time).into()),
                Moment::Utc(at) => utc(self.to.resolve(on(self.from.local(at)))?),
            });
        };
        Some(match moment {
            Moment::Day(_) => value_of(local.date().into()),
            Moment::Local(_) => value_of(new),
            Moment::Utc(_) => utc(self.to.resolve(local)?),
            Moment::Zoned(..) => value_of(zone.local(self.to.resolve(local)?).into()),
        })
    }

    /// Writes a moment after the move in its own form. `zone` is that of a local time with a parameter `TZID`.
    fn moment(&self, moment: Moment, zone: &Zone) -> Option<String> {
        let local = |local: DateTime| value_of(local.into());
        match moment {
            Moment::Day(day) => Some(value_of(self.day(day)?.into())),
            Moment::Local(time) => Some(local(self.local(time)?)),
            Moment::Utc(at) => Some(utc(self.instant(at)?)),
            // An all-day event takes the local day.
            Moment::Zoned(time, _) if self.is_all_day => Some(local(self.day(time.date())?.to_datetime(time.time()))),
            Moment::Zoned(_, at) => Some(local(zone.local(self.instant(at)?))),
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
