//! A time in a request: an instant, or a day in the time zone of the caller's profile.

use jiff::civil::Date;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::calendar::{Zone, parse_date};
use crate::timestamp::Timestamp;
use crate::validation::rules::ValueRule;
use crate::validation::{FieldErrors, Json};

/// The rule for an instant or a day.
pub(super) const DATE_OR_INSTANT: ValueRule<DateOrInstant> = ValueRule {
    read: |value| {
        let text = value.as_str().unwrap_or_default();
        Ok(DateOrInstant::parse(text).ok_or("expected an RFC 3339 instant or a YYYY-MM-DD date")?)
    },
    schema,
};

/// The rule for an instant, a day, or `""`, which becomes `None`.
pub(super) const DATE_OR_INSTANT_OR_EMPTY: ValueRule<Option<DateOrInstant>> = ValueRule { read: read_or_empty, schema };

fn schema() -> Value {
    json!({ "type": "string", "examples": ["2026-12-24T17:00:00Z", "2026-12-24"] })
}

fn read_or_empty(value: &Json) -> Result<Option<DateOrInstant>, FieldErrors> {
    const EXPECTED: &str = "expected an RFC 3339 instant, a YYYY-MM-DD date or null";
    match value.as_str().ok_or(EXPECTED)? {
        "" => Ok(None),
        text => Ok(Some(DateOrInstant::parse(text).ok_or(EXPECTED)?)),
    }
}

/// A time in a request, such as the due date of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrInstant {
    /// An instant.
    At(Timestamp),
    /// A day in the time zone of the caller's profile.
    On(Date),
}

impl DateOrInstant {
    /// Converts the time to an instant. A day becomes its start in the time zone `zone`.
    #[must_use]
    pub fn in_zone(self, zone: &Zone) -> Timestamp {
        match self {
            Self::At(at) => at,
            Self::On(date) => zone.start_of_day(date),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let day = parse_date(text).map(Self::On);
        day.or_else(|| text.parse().ok().map(Self::At))
    }
}

impl From<Timestamp> for DateOrInstant {
    fn from(at: Timestamp) -> Self {
        Self::At(at)
    }
}

impl From<Date> for DateOrInstant {
    fn from(date: Date) -> Self {
        Self::On(date)
    }
}

impl Serialize for DateOrInstant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::At(at) => serializer.collect_str(at),
            Self::On(date) => serializer.collect_str(date),
        }
    }
}
