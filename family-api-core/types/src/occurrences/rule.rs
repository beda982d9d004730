//! A recurrence rule (`RRULE`, RFC 5545, section 3.3.10).

use jiff::civil::Weekday;

use super::moment::Moment;
use super::number_list::NumberList;

/// The period of a rule. Rules that repeat within a day are not supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frequency {
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

/// When a rule ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    Never,
    /// After this number of occurrences. The event itself is the first one.
    Count(u32),
    /// After this moment, inclusive.
    Until(Moment),
}

/// A weekday of `BYDAY`. With a number, only that one in the month or year. A negative number counts from the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RuleWeekday {
    pub(super) number: Option<i16>,
    pub(super) weekday: Weekday,
}

/// A valid rule. An empty list means that the rule does not have the part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) frequency: Frequency,
    /// At least 1.
    pub(super) interval: i64,
    pub(super) end: End,
    /// The first day of a week (`WKST`).
    pub(super) week_start: Weekday,
    pub(super) months: NumberList,
    pub(super) week_numbers: NumberList,
    pub(super) year_days: NumberList,
    pub(super) month_days: NumberList,
    pub(super) weekdays: Vec<RuleWeekday>,
    pub(super) hours: NumberList,
    pub(super) minutes: NumberList,
    pub(super) seconds: NumberList,
    /// Positions in the occurrences of a period (`BYSETPOS`).
    pub(super) positions: NumberList,
}

impl Rule {
    /// Creates a rule that has only a frequency.
    pub(super) fn new(frequency: Frequency) -> Self {
        Self {
            frequency,
            interval: 1,
            end: End::Never,
            week_start: Weekday::Monday,
            months: NumberList::default(),
            week_numbers: NumberList::default(),
            year_days: NumberList::default(),
            month_days: NumberList::default(),
            weekdays: Vec::new(),
            hours: NumberList::default(),
            minutes: NumberList::default(),
            seconds: NumberList::default(),
            positions: NumberList::default(),
        }
    }

    /// Tells whether the rule selects days by a part other than `BYMONTH`.
    pub(super) fn selects_days(&self) -> bool {
        !(self.week_numbers.is_empty()
            && self.year_days.is_empty()
            && self.month_days.is_empty()
            && self.weekdays.is_empty())
    }

    /// Returns the maximum number of occurrences on one day.
    pub(super) fn times_of_day(&self) -> usize {
        self.hours.len().max(1) * self.minutes.len().max(1) * self.seconds.len().max(1)
    }
}
