//! The local start of an occurrence, which identifies it within its event.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, DateTime, Time};
use serde::{Deserialize, Serialize};

/// The start of an occurrence by the rule of its event, in the time zone of the event: a date for an all-day event, and
/// otherwise a local date and time in whole seconds. It identifies the occurrence within the event, also if the
/// occurrence moves (RFC 5545, section 3.8.4.4).
///
/// A local time stays the same if the rules of the zone change, or if the clock skips or repeats the time.
///
/// ```
/// use family_api_types::jiff::civil::date;
/// use family_api_types::occurrences::LocalStart;
///
/// assert_eq!(LocalStart::from(date(2026, 12, 8)).to_string(), "2026-12-08");
/// assert_eq!("2026-12-08T18:30:00".parse(), Ok(LocalStart::from(date(2026, 12, 8).at(18, 30, 0, 0))));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
#[cfg_attr(
    feature = "schema",
    schemars(description = "A local date and time without offset, such as `2026-12-08T18:30:00`, or a date.")
)]
pub struct LocalStart {
    date: Date,
    /// Without a fraction of a second. `None` for a whole day.
    time: Option<Time>,
}

/// The text is not a local start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a local date and time, such as 2026-12-08T18:30:00, or a date")]
pub struct InvalidLocalStart;

impl LocalStart {
    /// Returns the local date.
    #[must_use]
    pub fn date(self) -> Date {
        self.date
    }

    /// Returns the local date and time, or `None` for a whole day.
    #[must_use]
    pub fn date_time(self) -> Option<DateTime> {
        self.time.map(|time| self.date.to_datetime(time))
    }

    /// Returns whether this is the start of an occurrence that takes whole days.
    #[must_use]
    pub fn is_whole_day(self) -> bool {
        self.time.is_none()
    }
}

/// Creates the start of an occurrence of an all-day event.
impl From<Date> for LocalStart {
    fn from(date: Date) -> Self {
        Self { date, time: None }
    }
}

/// Creates the start of an occurrence of a timed event. A fraction of a second is cut off.
impl From<DateTime> for LocalStart {
    fn from(local: DateTime) -> Self {
        let time = local.time();
        Self { date: local.date(), time: Some(time.with().subsec_nanosecond(0).build().unwrap_or(time)) }
    }
}

impl fmt::Display for LocalStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.date_time() {
            Some(local) => fmt::Display::fmt(&local, f),
            None => fmt::Display::fmt(&self.date, f),
        }
    }
}

impl fmt::Debug for LocalStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for LocalStart {
    type Err = InvalidLocalStart;

    fn from_str(text: &str) -> Result<Self, InvalidLocalStart> {
        let parsed = match text.len() {
            10 => text.parse::<Date>().map(Self::from),
            _ => text.parse::<DateTime>().map(Self::from),
        };
        // jiff accepts more formats than this one.
        parsed.ok().filter(|start| start.to_string() == text).ok_or(InvalidLocalStart)
    }
}

impl TryFrom<String> for LocalStart {
    type Error = InvalidLocalStart;

    fn try_from(text: String) -> Result<Self, InvalidLocalStart> {
        text.parse()
    }
}

impl From<LocalStart> for String {
    fn from(start: LocalStart) -> Self {
        start.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_start_has_one_form() {
        for text in ["2026-12-08", "2026-12-08T18:30:00", "0000-12-31T12:00:00", "2026-12-08T00:00:00"] {
            assert_eq!(text.parse::<LocalStart>().map(|start| start.to_string()).as_deref(), Ok(text));
        }
        for bad in [
            "",
            "20261208",
            "2026-12-08T18:30",
            "2026-12-08 18:30:00",
            "2026-12-08T18:30:00.5",
            "2026-12-08T18:30:00Z",
            "2026-12-08T18:30:60",
            "2026-02-30",
            "-000001-12-08",
        ] {
            assert_eq!(bad.parse::<LocalStart>(), Err(InvalidLocalStart), "{bad}");
        }
        let day: LocalStart = "2026-12-08".parse().unwrap();
        let midnight: LocalStart = "2026-12-08T00:00:00".parse().unwrap();
        assert!(day.is_whole_day() && day < midnight);
    }

    #[test]
    fn a_fraction_of_a_second_is_no_part_of_a_local_start() {
        let local = "2026-12-08T18:30:00.999".parse::<jiff::civil::DateTime>().unwrap();
        assert_eq!(LocalStart::from(local).to_string(), "2026-12-08T18:30:00");
    }
}
