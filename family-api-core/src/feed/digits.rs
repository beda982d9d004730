//! Dates and times in the basic format of ISO 8601, as iCalendar has them (RFC 5545, sections 3.3.4 and 3.3.5).
//!
//! Writes the digits directly, as [`Timestamp`](crate::Timestamp) does. A feed has thousands of dates, which took most
//! of the time of an event with `strftime`.

use jiff::civil::{Date, DateTime};

/// A date: `20261201`.
#[derive(Debug, Clone, Copy)]
pub(super) struct BasicDate([u8; 8]);

/// A date and time: `20261201T163000`.
#[derive(Debug, Clone, Copy)]
pub(super) struct BasicDateTime([u8; 15]);

impl BasicDate {
    pub(super) fn of(date: Date) -> Self {
        let mut text = *b"00000000";
        write_digits(&mut text[0..4], date.year());
        write_digits(&mut text[4..6], date.month().into());
        write_digits(&mut text[6..8], date.day().into());
        Self(text)
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl BasicDateTime {
    pub(super) fn of(local: DateTime) -> Self {
        let mut text = *b"00000000T000000";
        text[0..8].copy_from_slice(&BasicDate::of(local.date()).0);
        write_digits(&mut text[9..11], local.hour().into());
        write_digits(&mut text[11..13], local.minute().into());
        write_digits(&mut text[13..15], local.second().into());
        Self(text)
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn dates_have_the_digits_of_strftime() {
        let moments = [
            date(0, 12, 31).at(23, 0, 0, 0),
            date(1, 1, 1).at(0, 0, 0, 0),
            date(987, 6, 5).at(4, 3, 2, 0),
            date(2026, 12, 1).at(16, 30, 59, 999_999_999),
            date(9999, 12, 31).at(23, 59, 59, 0),
        ];
        for moment in moments {
            assert_eq!(BasicDate::of(moment.date()).as_str(), moment.strftime("%Y%m%d").to_string());
            assert_eq!(BasicDateTime::of(moment).as_str(), moment.strftime("%Y%m%dT%H%M%S").to_string());
        }
    }
}
