//! The due date of a task.

use jiff::civil::Date;
use serde::{Serialize, Serializer};

use crate::Timestamp;
use crate::calendar::{Zone, parse_date};
use crate::change::{FieldErrors, Json};

const EXPECTED: &str = "expected an RFC 3339 instant, a YYYY-MM-DD date or null";

/// The due date of a task in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueDate {
    /// At an instant.
    At(Timestamp),
    /// At the start of a day in the time zone of the caller's profile.
    On(Date),
}

impl DueDate {
    /// Converts the due date to an instant, for a caller in the zone.
    #[must_use]
    pub fn in_zone(self, zone: &Zone) -> Timestamp {
        match self {
            Self::At(at) => at,
            Self::On(date) => zone.start_of_day(date),
        }
    }

    /// Parses an instant or a day. `""` is `None`.
    pub(super) fn read(value: &Json) -> Result<Option<Self>, FieldErrors> {
        let text = value.as_str().ok_or(EXPECTED)?;
        if text.is_empty() {
            return Ok(None);
        }
        let day = parse_date(text).map(Self::On);
        let due = day.or_else(|| text.parse().ok().map(Self::At));
        Ok(Some(due.ok_or(EXPECTED)?))
    }

    /// Checks that a day is in the years 0001–9999.
    pub(super) fn check(self) -> Result<(), &'static str> {
        match self {
            Self::On(date) if date.year() < 1 => Err(EXPECTED),
            Self::At(_) | Self::On(_) => Ok(()),
        }
    }
}

impl From<Timestamp> for DueDate {
    fn from(at: Timestamp) -> Self {
        Self::At(at)
    }
}

impl From<Date> for DueDate {
    fn from(date: Date) -> Self {
        Self::On(date)
    }
}

impl Serialize for DueDate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::At(at) => serializer.collect_str(at),
            Self::On(date) => serializer.collect_str(date),
        }
    }
}
