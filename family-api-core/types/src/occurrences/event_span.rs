//! The range of days of a query, and the time that an event takes.

use std::ops::Range;

use jiff::civil::Date;

use crate::calendar::Zone;
use crate::timestamp::Timestamp;

/// The maximum number of days of a query.
pub const MAX_DAYS: i64 = 366;

/// A range of local days, both inclusive: at most [`MAX_DAYS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayRange {
    first: Date,
    last: Date,
}

/// The range is empty, or has more than [`MAX_DAYS`] days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a range of 1 to {MAX_DAYS} days")]
pub struct InvalidDayRange;

impl DayRange {
    /// Creates a range from its first and its last day.
    ///
    /// # Errors
    /// [`InvalidDayRange`] if the last day is before the first, or if the range is too long.
    pub fn new(first: Date, last: Date) -> Result<Self, InvalidDayRange> {
        let days = last.duration_since(first).as_hours() / 24 + 1;
        if (1..=MAX_DAYS).contains(&days) { Ok(Self { first, last }) } else { Err(InvalidDayRange) }
    }

    /// Returns the first day.
    #[must_use]
    pub fn first(self) -> Date {
        self.first
    }

    /// Returns the last day.
    #[must_use]
    pub fn last(self) -> Date {
        self.last
    }
}

/// The range of a query in its two forms. The days are those of an all-day event in its own zone: 2 March is the same
/// day for every reader.
#[derive(Debug)]
pub(super) struct QueryRange {
    pub(super) days: DayRange,
    /// The instants of the days in the zone of the reader.
    pub(super) instants: Range<Timestamp>,
}

impl QueryRange {
    pub(super) fn new(days: DayRange, reader: &Zone) -> Self {
        let end = days.last.tomorrow().map_or(Timestamp::MAX, |next| reader.start_of_day(next));
        Self { days, instants: reader.start_of_day(days.first)..end }
    }
}

/// The instants of an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Span {
    pub(super) start: Timestamp,
    pub(super) end: Timestamp,
}

impl Span {
    /// Tells whether the span has a moment in a range. A span without length has the moment of its start.
    pub(super) fn overlaps(self, range: &Range<Timestamp>) -> bool {
        let is_moment = self.end <= self.start;
        self.start < range.end && (self.end > range.start || (is_moment && self.start >= range.start))
    }
}
