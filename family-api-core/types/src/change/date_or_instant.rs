//! A time in a request: an instant, a local time, or a day.

use std::fmt;

use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::calendar::{Zone, parse_date};
use crate::timestamp::Timestamp;
use crate::validation::rules::ValueRule;
use crate::validation::{FieldErrors, Json};

/// The rule for an instant, a local time or a day.
pub(super) const DATE_OR_INSTANT: ValueRule<DateOrInstant> = ValueRule {
    read: |value| {
        const EXPECTED: &str = "expected an RFC 3339 instant, a local time YYYY-MM-DDTHH:MM or a YYYY-MM-DD date";
        Ok(DateOrInstant::parse(value.as_str().unwrap_or_default()).ok_or(EXPECTED)?)
    },
    schema,
};

/// The rule for an instant, a local time, a day, or `""`, which becomes `None`.
pub(super) const DATE_OR_INSTANT_OR_EMPTY: ValueRule<Option<DateOrInstant>> = ValueRule { read: read_or_empty, schema };

fn schema() -> Value {
    json!({ "type": "string", "examples": ["2026-12-24T17:00:00Z", "2026-12-24T18:00", "2026-12-24"] })
}

fn read_or_empty(value: &Json) -> Result<Option<DateOrInstant>, FieldErrors> {
    const EXPECTED: &str = "expected an RFC 3339 instant, a local time YYYY-MM-DDTHH:MM, a YYYY-MM-DD date or null";
    match value.as_str().ok_or(EXPECTED)? {
        "" => Ok(None),
        text => Ok(Some(DateOrInstant::parse(text).ok_or(EXPECTED)?)),
    }
}

/// A time in a request, such as the due date of a task.
///
/// The JSON of an instant with an offset has this offset, so that the service can compare it with the time zone. See
/// [`TimeNotice`](crate::change::TimeNotice).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrInstant {
    /// An instant, and the offset from UTC that it is written with. `None` if the offset is zero.
    At(Timestamp, Option<Offset>),
    /// A local time, in the time zone of the caller's profile.
    Local(DateTime),
    /// A day in the time zone of the caller's profile.
    On(Date),
}

impl DateOrInstant {
    /// Parses an RFC 3339 instant, a local time `YYYY-MM-DDTHH:MM:SS`, or a date `YYYY-MM-DD`. The seconds can be left
    /// out.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(day) = parse_date(text) {
            return Some(Self::On(day));
        }
        let text = with_seconds(text);
        match text.parse() {
            Ok(at) => Some(Self::At(at, written_offset(&text, at))),
            // A local time is an instant without its offset.
            Err(_) => format!("{text}Z").parse().ok().map(|at: Timestamp| Self::Local(at.utc())),
        }
    }

    /// Converts the time to an instant, clamped to the years 0001–9999. A day becomes its start in the time zone
    /// `zone`. A local time is [resolved](Zone::resolve) in the zone.
    #[must_use]
    pub fn in_zone(self, zone: &Zone) -> Timestamp {
        match self {
            Self::At(at, _) => at,
            Self::Local(time) => {
                zone.resolve(time).unwrap_or(if time.year() > 1 { Timestamp::MAX } else { Timestamp::MIN })
            }
            Self::On(date) => zone.start_of_day(date),
        }
    }
}

/// Adds the seconds that RFC 3339 requires to a time without them.
fn with_seconds(text: &str) -> String {
    match text.split_at_checked(16) {
        Some((minutes, rest)) if rest.is_empty() || rest.starts_with(['+', '-', 'Z', 'z']) => {
            format!("{minutes}:00{rest}")
        }
        _ => text.to_owned(),
    }
}

/// Returns the offset of an instant in RFC 3339, or `None` if it is zero. Programs write `+00:00` for UTC, so it says
/// nothing about a time zone.
fn written_offset(text: &str, at: Timestamp) -> Option<Offset> {
    let sign = text.rfind(['+', '-']).filter(|sign| *sign >= 19)?;
    let local: Timestamp = format!("{}Z", text.get(..sign)?).parse().ok()?;
    let seconds = (local.as_millis() - at.as_millis()) / 1_000;
    Offset::from_seconds(seconds.try_into().ok()?).ok().filter(|offset| !offset.is_zero())
}

/// Writes an instant with an offset. Returns `None` if RFC 3339 has no form for it: the offset has seconds, or the local
/// time is outside the years 0001–9999.
fn with_offset(at: Timestamp, offset: Offset) -> Option<String> {
    let local = Timestamp::from_millis(at.as_millis() + i64::from(offset.seconds()) * 1_000)?;
    (offset.seconds() % 60 == 0).then(|| format!("{}{}", local.to_string().trim_end_matches('Z'), offset_text(offset)))
}

/// Writes an offset as in RFC 3339: `+02:00`.
pub(super) fn offset_text(offset: Offset) -> String {
    let sign = if offset.is_negative() { '-' } else { '+' };
    let minutes = offset.seconds().unsigned_abs() / 60;
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

impl From<Timestamp> for DateOrInstant {
    fn from(at: Timestamp) -> Self {
        Self::At(at, None)
    }
}

impl From<DateTime> for DateOrInstant {
    fn from(time: DateTime) -> Self {
        Self::Local(time)
    }
}

impl From<Date> for DateOrInstant {
    fn from(date: Date) -> Self {
        Self::On(date)
    }
}

/// The time as in a request.
impl fmt::Display for DateOrInstant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(at, offset) => match offset.and_then(|offset| with_offset(*at, offset)) {
                Some(text) => f.write_str(&text),
                None => at.fmt(f),
            },
            Self::Local(time) => time.fmt(f),
            Self::On(date) => date.fmt(f),
        }
    }
}

impl Serialize for DateOrInstant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
