//! The due date of a task.

use jiff::civil::Date;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::calendar::{Zone, parse_date};
use crate::timestamp::Timestamp;
use crate::validation::rules::ValueRule;
use crate::validation::{FieldErrors, Json};

const EXPECTED: &str = "expected an RFC 3339 instant, a YYYY-MM-DD date or null";

/// The rule for an instant, a day, or `""`, which becomes `None`.
pub(super) const RULE: ValueRule<Option<DueDate>> = ValueRule {
    read: DueDate::read,
    schema: || json!({ "type": "string", "examples": ["2026-11-20T10:15:30Z", "2026-11-20"] }),
};

/// The due date of a task in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueDate {
    /// At an instant.
    At(Timestamp),
    /// At the start of a day in the time zone of the caller's profile.
    On(Date),
}

impl DueDate {
    /// Converts the due date to an instant. A day starts in the time zone `zone`.
    #[must_use]
    pub fn in_zone(self, zone: &Zone) -> Timestamp {
        match self {
            Self::At(at) => at,
            Self::On(date) => zone.start_of_day(date),
        }
    }

    fn read(value: &Json) -> Result<Option<Self>, FieldErrors> {
        let text = value.as_str().ok_or(EXPECTED)?;
        if text.is_empty() {
            return Ok(None);
        }
        let day = parse_date(text).map(Self::On);
        let due = day.or_else(|| text.parse().ok().map(Self::At));
        Ok(Some(due.ok_or(EXPECTED)?))
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
