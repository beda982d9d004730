//! A date or a date and time in a recurrence: the value of `UNTIL`, `EXDATE` and `RDATE`.

use jiff::civil::{Date, DateTime};

use crate::calendar::Zone;
use crate::timestamp::Timestamp;

/// A moment as RFC 5545 writes it (sections 3.3.4 and 3.3.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    /// `20261123`: a whole day.
    Day(Date),
    /// `20261123T183000`: a local time in the zone of the event.
    Local(DateTime),
    /// `20261123T163000Z`.
    Utc(Timestamp),
    /// A local time in the zone of a parameter `TZID`, and the instant that it is.
    Zoned(DateTime, Timestamp),
}

impl Moment {
    /// Parses a moment without a parameter `TZID`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Some(utc) = text.strip_suffix('Z') {
            return Timestamp::from_local(parse_date_time(utc)?, 0).map(Self::Utc);
        }
        match text.len() {
            8 => parse_date(text).map(Self::Day),
            _ => parse_date_time(text).map(Self::Local),
        }
    }

    /// Interprets a local time in the zone of a parameter `TZID`.
    pub(super) fn in_zone(self, zone: &Zone) -> Option<Self> {
        match self {
            Self::Local(local) => Some(Self::Zoned(local, zone.resolve(local)?)),
            other => Some(other),
        }
    }

    /// Returns the day that the moment means for an all-day event.
    pub(super) fn day(self, zone: &Zone) -> Date {
        match self {
            Self::Day(day) => day,
            Self::Local(local) | Self::Zoned(local, _) => local.date(),
            Self::Utc(at) => zone.local(at).date(),
        }
    }

    /// Returns the instant, or `None` for a whole day.
    pub(super) fn instant(self, zone: &Zone) -> Option<Timestamp> {
        match self {
            Self::Day(_) => None,
            Self::Local(local) => zone.resolve(local),
            Self::Utc(at) | Self::Zoned(_, at) => Some(at),
        }
    }

    /// Returns the start of a timed occurrence at this moment. A whole day gets the time of the event.
    pub(super) fn start(self, zone: &Zone, event_start: DateTime) -> DateTime {
        match self {
            Self::Day(day) => day.to_datetime(event_start.time()),
            Self::Local(local) => local,
            Self::Utc(at) | Self::Zoned(_, at) => zone.local(at),
        }
    }
}

fn parse_date_time(text: &str) -> Option<DateTime> {
    let (date, time) = text.split_once('T')?;
    if time.len() != 6 {
        return None;
    }
    let date = parse_date(date)?;
    let part = |from: usize| time.get(from..from + 2).and_then(parse_digits);
    let time = jiff::civil::Time::new(small(part(0)?)?, small(part(2)?)?, small(part(4)?)?, 0).ok()?;
    Some(date.to_datetime(time))
}

fn parse_date(text: &str) -> Option<Date> {
    if text.len() != 8 {
        return None;
    }
    let year = parse_digits(text.get(..4)?)?;
    let month = parse_digits(text.get(4..6)?)?;
    let day = parse_digits(text.get(6..)?)?;
    Date::new(year, small(month)?, small(day)?).ok().filter(|date| date.year() >= 1)
}

fn parse_digits(text: &str) -> Option<i16> {
    if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}

fn small(number: i16) -> Option<i8> {
    i8::try_from(number).ok()
}
