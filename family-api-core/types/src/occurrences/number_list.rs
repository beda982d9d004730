//! The numbers of a rule part, such as `BYMONTHDAY=1,15,-1`.

use std::ops::RangeInclusive;

use super::InvalidRecurrence;

/// A sorted list of numbers without duplicates. An empty list means that the rule does not have the part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct NumberList(Vec<i16>);

impl NumberList {
    /// Creates a list of one number.
    pub(super) fn of(number: i16) -> Self {
        Self(vec![number])
    }

    /// Parses numbers from 0 or 1 up to the end of `range`.
    pub(super) fn parse(name: &str, text: &str, range: RangeInclusive<i16>) -> Result<Self, InvalidRecurrence> {
        let (least, most) = (*range.start(), *range.end());
        let phrase = || format!("{name} to have numbers from {least} to {most}, separated by commas");
        Self::parse_numbers(text, |number| range.contains(&number)).ok_or_else(|| InvalidRecurrence::expected(phrase()))
    }

    /// Parses numbers from 1 to `most` and from `-most` to -1. A negative number counts from the end.
    pub(super) fn parse_signed(name: &str, text: &str, most: i16) -> Result<Self, InvalidRecurrence> {
        let phrase = || format!("{name} to have numbers from 1 to {most} or from -{most} to -1, separated by commas");
        let is_valid = |number: i16| number != 0 && (-most..=most).contains(&number);
        Self::parse_numbers(text, is_valid).ok_or_else(|| InvalidRecurrence::expected(phrase()))
    }

    fn parse_numbers(text: &str, is_valid: impl Fn(i16) -> bool) -> Option<Self> {
        let mut numbers = text
            .split(',')
            .map(|number| parse_number(number).filter(|number| is_valid(*number)))
            .collect::<Option<Vec<_>>>()?;
        numbers.sort_unstable();
        numbers.dedup();
        Some(Self(numbers))
    }

    /// Tells whether the rule does not have the part.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns how many numbers the list has.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Tells whether the list has a number.
    pub(super) fn contains(&self, number: i16) -> bool {
        self.0.binary_search(&number).is_ok()
    }

    /// Tells whether the list permits a number. A part that the rule does not have permits all.
    pub(super) fn permits(&self, number: i16) -> bool {
        self.is_empty() || self.contains(number)
    }

    /// Tells whether the list permits a position, counted from the start (1, 2, …) and from the end (-1, -2, …).
    pub(super) fn permits_position(&self, from_start: i16, from_end: i16) -> bool {
        self.permits(from_start) || self.contains(from_end)
    }

    /// Returns the numbers in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = i16> {
        self.0.iter().copied()
    }
}

/// Parses an integer of at most 3 digits with an optional sign.
pub(super) fn parse_number(text: &str) -> Option<i16> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = (1..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}
