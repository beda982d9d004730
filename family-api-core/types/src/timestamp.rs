//! The time type of the API: an instant in UTC with millisecond precision.

use std::fmt;
use std::str::FromStr;

use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{SignedDuration, ToSpan};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// An instant in UTC with millisecond precision, in the years 0001–9999 (HTTP reference, "Instants and dates").
///
/// Input may have any RFC 3339 offset. Fractional digits past the third are cut off, and a leap second is refused.
/// Output always has the form `2026-11-20T10:15:30.123Z`, so that the order of the texts is the order of the instants.
///
/// ```
/// use family_api_types::Timestamp;
///
/// let at: Timestamp = "2026-11-20T12:15:30.123987+02:00".parse()?;
/// assert_eq!(at.to_string(), "2026-11-20T10:15:30.123Z");
/// # Ok::<(), family_api_types::InvalidTimestamp>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "schema::Instant"))]
#[cfg_attr(feature = "schema", schemars(description = "An instant in UTC (RFC 3339), in the years 0001–9999."))]
pub struct Timestamp(i64);

/// The text is not an RFC 3339 instant in the years 0001–9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an RFC 3339 instant")]
pub struct InvalidTimestamp;

impl Timestamp {
    /// `0001-01-01T00:00:00.000Z`.
    pub const MIN: Self = Self(-62_135_596_800_000);
    /// `9999-12-31T23:59:59.999Z`.
    pub const MAX: Self = Self(253_402_300_799_999);
    /// The start of 1970 in UTC.
    pub const UNIX_EPOCH: Self = Self(0);

    /// Returns the instant `millis` milliseconds after the Unix epoch, or `None` outside the years 0001–9999.
    #[must_use]
    pub fn from_millis(millis: i64) -> Option<Self> {
        (Self::MIN.0..=Self::MAX.0).contains(&millis).then_some(Self(millis))
    }

    /// Returns the instant truncated to the minute.
    #[must_use]
    pub const fn minute(self) -> Self {
        // The result is never before `MIN`, because `MIN` is the start of a minute.
        Self(self.0 - self.0.rem_euclid(60_000))
    }

    /// Returns the milliseconds since the Unix epoch.
    #[must_use]
    pub fn as_millis(self) -> i64 {
        self.0
    }

    /// Adds a duration, clamped to the years 0001–9999.
    #[must_use]
    pub fn saturating_add(self, duration: SignedDuration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(millis).clamp(Self::MIN.0, Self::MAX.0))
    }

    /// Adds calendar years, clamped to the years 0001–9999.
    #[must_use]
    pub fn saturating_add_years(self, years: i16) -> Self {
        let later = self.utc().saturating_add(years.years());
        Self::from_local(later, 0).unwrap_or(if years < 0 { Self::MIN } else { Self::MAX })
    }

    /// Returns the date and time in UTC.
    pub(crate) fn utc(self) -> DateTime {
        // jiff has no instant on the last day of the year 9999.
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(instant) => Offset::UTC.to_datetime(instant),
            Err(_) => EPOCH.saturating_add(SignedDuration::from_millis(self.0)),
        }
    }

    /// Returns the instant of the local time `local` at an offset of `offset` seconds from UTC.
    pub(crate) fn from_local(local: DateTime, offset: i64) -> Option<Self> {
        let millis = i64::try_from(local.duration_since(EPOCH).as_millis()).ok()?;
        Self::from_millis(millis - offset * 1_000)
    }
}

/// Writes the digits directly. With `write!`, an instant would take longer than all other fields of its record, and a
/// document has hundreds of instants.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.utc();
        let mut text = *b"0000-00-00T00:00:00.000Z";
        write_digits(&mut text[0..4], at.year());
        write_digits(&mut text[5..7], at.month().into());
        write_digits(&mut text[8..10], at.day().into());
        write_digits(&mut text[11..13], at.hour().into());
        write_digits(&mut text[14..16], at.minute().into());
        write_digits(&mut text[17..19], at.second().into());
        write_digits(&mut text[20..23], at.millisecond());
        f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

/// Fills `output` with the last digits of a number.
fn write_digits(output: &mut [u8], number: i16) {
    let mut rest = usize::from(number.unsigned_abs());
    for digit in output.iter_mut().rev() {
        *digit = b"0123456789"[rest % 10];
        rest /= 10;
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.collect_str(self)
    }
}

/// Parses the text in place, because a document has hundreds of instants.
impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Timestamp;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Timestamp, E> {
                text.parse().map_err(E::custom)
            }
        }

        input.deserialize_str(Text)
    }
}

impl From<Timestamp> for String {
    fn from(at: Timestamp) -> Self {
        at.to_string()
    }
}

impl TryFrom<String> for Timestamp {
    type Error = InvalidTimestamp;

    fn try_from(text: String) -> Result<Self, InvalidTimestamp> {
        text.parse()
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, InvalidTimestamp> {
        parse(text.as_bytes()).ok_or(InvalidTimestamp)
    }
}

/// Parses `date-time` of RFC 3339, section 5.6. Date libraries accept more formats than the RFC.
fn parse(text: &[u8]) -> Option<Timestamp> {
    let (local, rest) = text.split_at_checked(19)?;
    let [b'-', b'-', b'T' | b't', b':', b':'] = [local[4], local[7], local[10], local[13], local[16]] else {
        return None;
    };
    let (fraction, zone) = split_fraction(rest)?;
    let field = |range: std::ops::Range<usize>| number(&local[range]);
    let small = |range: std::ops::Range<usize>| field(range).and_then(|n| i8::try_from(n).ok());
    let local = DateTime::new(
        field(0..4)?,
        small(5..7)?,
        small(8..10)?,
        small(11..13)?,
        small(14..16)?,
        small(17..19)?,
        i32::from(fraction) * 1_000_000,
    )
    .ok()?;
    Timestamp::from_local(local, offset_seconds(zone)?)
}

/// Splits `.123987Z` into 123 milliseconds and `Z`.
fn split_fraction(text: &[u8]) -> Option<(i16, &[u8])> {
    let Some(digits) = text.strip_prefix(b".") else {
        return Some((0, text));
    };
    let length = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    let (digits, zone) = digits.split_at(length);
    let mut millis = [b'0'; 3];
    for (output, digit) in millis.iter_mut().zip(digits) {
        *output = *digit;
    }
    (length > 0).then_some(())?;
    Some((number(&millis)?, zone))
}

/// Parses an offset such as `Z` or `+02:00` into seconds.
fn offset_seconds(zone: &[u8]) -> Option<i64> {
    let (sign, digits) = match zone {
        b"Z" | b"z" => return Some(0),
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let [h1, h2, b':', m1, m2] = digits else { return None };
    let (hours, minutes) = (number(&[*h1, *h2])?, number(&[*m1, *m2])?);
    (hours < 24 && minutes < 60).then_some(sign * (i64::from(hours) * 3_600 + i64::from(minutes) * 60))
}

fn number(digits: &[u8]) -> Option<i16> {
    digits.iter().try_fold(0_i16, |number, digit| {
        let digit = digit.is_ascii_digit().then(|| i16::from(digit - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

#[cfg(feature = "schema")]
mod schema {
    pub(super) struct Instant;

    impl schemars::JsonSchema for Instant {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Timestamp".into()
        }

        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({ "type": "string", "format": "date-time" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reformat(text: &str) -> Option<String> {
        text.parse::<Timestamp>().ok().map(|at| at.to_string())
    }

    #[test]
    fn any_offset_parses_and_formats_as_utc() {
        for (input, output) in [
            ("2026-11-20T10:15:30Z", "2026-11-20T10:15:30.000Z"),
            ("2026-11-20t10:15:30.1z", "2026-11-20T10:15:30.100Z"),
            ("2026-11-20T10:15:30.123999999999-00:30", "2026-11-20T10:45:30.123Z"),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(reformat(input).as_deref(), Some(output));
        }
        assert_eq!(Timestamp::MIN.to_string(), "0001-01-01T00:00:00.000Z");
        assert_eq!(Timestamp::MAX.to_string(), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn invalid_instants_do_not_parse() {
        for bad in [
            "",
            "2026-11-20",
            "2026-11-20T10:15:30",
            "2026-11-20 10:15:30Z",
            "2026-11-20T10:15Z",
            "2026-11-20T10:15:60Z",
            "2016-12-31T23:59:60Z",
            "2026-02-30T10:15:30Z",
            "2026-11-20T24:00:00Z",
            "2026-11-20T10:15:30.Z",
            "2026-11-20T10:15:30,5Z",
            "2026-11-20T10:15:30+2:00",
            "2026-11-20T10:15:30+0200",
            "2026-11-20T10:15:30+24:00",
            "2026-11-20T10:15:30Z[Europe/Kyiv]",
            "0000-12-31T23:59:59Z",
            "0001-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
            "+2026-11-20T10:15:30Z",
            "２０２６-11-20T10:15:30Z",
        ] {
            assert_eq!(reformat(bad), None, "{bad:?}");
        }
    }
}
