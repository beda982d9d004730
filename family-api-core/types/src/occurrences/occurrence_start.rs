//! The start of an occurrence as its identifier has it.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use serde::{Serialize, Serializer};

use super::moment::Moment;
use crate::timestamp::Timestamp;

/// The start of an occurrence by the rule of its event, as the identifier of the occurrence has it after the `@`. It
/// stays the same if the occurrence moves.
///
/// ```
/// use family_api_types::jiff::civil::date;
/// use family_api_types::occurrences::OccurrenceStart;
///
/// assert_eq!("20261208".parse(), Ok(OccurrenceStart::Day(date(2026, 12, 8))));
/// assert_eq!("20261208T163000Z".parse(), Ok(OccurrenceStart::At("2026-12-08T16:30:00Z".parse().unwrap())));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OccurrenceStart {
    /// The first day of an occurrence of an all-day event: `20261208`. For another event, the only occurrence that
    /// starts on this day in the time zone of the event.
    Day(Date),
    /// The instant of an occurrence of a timed event, in whole seconds: `20261208T163000Z`.
    At(Timestamp),
}

/// The text is not the start of an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected the start of an occurrence, such as 20261208T163000Z, or a day, such as 20261208")]
pub struct InvalidOccurrenceStart;

impl fmt::Display for OccurrenceStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(day) => day.strftime("%Y%m%d").fmt(f),
            Self::At(at) => at.utc().strftime("%Y%m%dT%H%M%SZ").fmt(f),
        }
    }
}

impl FromStr for OccurrenceStart {
    type Err = InvalidOccurrenceStart;

    fn from_str(text: &str) -> Result<Self, InvalidOccurrenceStart> {
        match Moment::parse(text) {
            Some(Moment::Day(day)) => Ok(Self::Day(day)),
            Some(Moment::Utc(at)) => Ok(Self::At(at)),
            Some(Moment::Local(_) | Moment::Zoned(..)) | None => Err(InvalidOccurrenceStart),
        }
    }
}

impl Serialize for OccurrenceStart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_has_the_form_of_an_identifier() {
        for text in ["20261208", "20261208T163000Z", "00010101", "99991231T235959Z"] {
            assert_eq!(text.parse::<OccurrenceStart>().map(|start| start.to_string()).as_deref(), Ok(text));
        }
        for bad in ["", "2026-12-08", "20261208T163000", "20261208T1630Z", "20260230", "20261208t163000z", "00000101"] {
            assert_eq!(bad.parse::<OccurrenceStart>(), Err(InvalidOccurrenceStart), "{bad}");
        }
    }
}
