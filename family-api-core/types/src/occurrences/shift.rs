//! Moves a recurrence together with the start of its event.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime};

use super::edit::{lines, value_of, weekday, with_part};
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
}

/// What moves with the start of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moved {
    /// The excluded occurrences.
    Exceptions,
    /// Every occurrence: also the additional ones, the weekday and the end of the rule.
    Everything,
}

impl<'a> Shift<'a> {
    /// Returns how an event has moved. The zones are those of the event before and after.
    pub(crate) fn of(before: &Event, from: &'a Zone, after: &Event, to: &'a Zone) -> Self {
        let start = from.local(before.start_date);
        let by = to.local(after.start_date).duration_since(start);
        Self { from, to, start, by, is_all_day: before.all_day }
    }

    /// Returns whether every occurrence stays.
    pub(crate) fn is_none(&self) -> bool {
        self.by.is_zero() && self.from == self.to
    }

    /// Returns the start of an occurrence after the move, or `None` if no calendar has it.
    pub(crate) fn key(&self, key: LocalStart) -> Option<LocalStart> {
        match key.date_time() {
            Some(local) => self.local(local).map(LocalStart::from),
            None => self.day(key.date()).map(LocalStart::from),
        }
    }

    /// Returns the recurrence after the move, or `None` if it is not valid or no calendar has its moments.
    pub(crate) fn recurrence(&self, text: &str, moved: Moved) -> Option<String> {
        Recurrence::parse(text).ok()?;
        let mut shifted = String::with_capacity(text.len());
        for line in lines(text) {
            let unfolded = line.unfolded();
            let (name, parameters, value) = split_line(&unfolded);
            let head = unfolded.strip_suffix(value)?;
            let new = match name.to_ascii_uppercase().as_str() {
                "EXDATE" => format!("{head}{}", self.values(parameters, value)?),
                "RDATE" if moved == Moved::Everything => format!("{head}{}", self.values(parameters, value)?),
                "RRULE" if moved == Moved::Everything => format!("{head}{}", self.rule(value)?),
                _ => line.text.to_owned(),
            };
            shifted.push_str(line.separator);
            shifted.push_str(&new);
        }
        shifted.push_str(text.get(text.trim_end().len()..)?);
        Some(shifted)
    }

    /// Moves the weekday and the end of a rule. Several weekdays stay.
    fn rule(&self, rule: &str) -> Option<String> {
        let mut shifted = rule.to_owned();
        for part in rule.split(';') {
            match part.split_once('=') {
                Some((name, value)) if name.eq_ignore_ascii_case("UNTIL") => {
                    shifted = with_part(&shifted, name, &self.moment(Moment::parse(value)?, self.to)?);
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

    fn values(&self, parameters: &str, values: &str) -> Option<String> {
        let own = parse_parameters(parameters).ok()?;
        let zone = own.as_ref().unwrap_or(self.to);
        let moments = parse_moments(parameters, values).ok()?;
        let shifted: Option<Vec<_>> = moments.into_iter().map(|moment| self.moment(moment, zone)).collect();
        Some(shifted?.join(","))
    }

    /// Writes a moment after the move in its own form. `zone` is that of a local time with a parameter `TZID`.
    fn moment(&self, moment: Moment, zone: &Zone) -> Option<String> {
        let local = |local: DateTime| value_of(local.into());
        match moment {
            Moment::Day(day) => Some(value_of(self.day(day)?.into())),
            Moment::Local(time) => Some(local(self.local(time)?)),
            Moment::Utc(at) => Some(format!("{}Z", local(self.instant(at)?.utc()))),
            // An all-day event takes the local day.
            Moment::Zoned(time, _) if self.is_all_day => Some(local(self.day(time.date())?.to_datetime(time.time()))),
            Moment::Zoned(_, at) => Some(local(zone.local(self.instant(at)?))),
        }
    }

    fn local(&self, local: DateTime) -> Option<DateTime> {
        local.checked_add(self.by).ok()
    }

    /// Moves a whole day as the occurrence on it.
    fn day(&self, day: Date) -> Option<Date> {
        Some(self.local(day.to_datetime(self.start.time()))?.date())
    }

    fn instant(&self, at: Timestamp) -> Option<Timestamp> {
        self.to.resolve(self.local(self.from.local(at))?)
    }
}
