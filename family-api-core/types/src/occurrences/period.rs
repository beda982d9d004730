//! The periods of a rule: days, weeks, months or years, numbered so that a position in time is found by arithmetic.

use jiff::SignedDuration;
use jiff::civil::{Date, Weekday};

use super::rule::Frequency;

const EPOCH: Date = Date::constant(1970, 1, 1);

/// Numbers the periods of a frequency.
#[derive(Debug, Clone, Copy)]
pub(super) struct Periods {
    frequency: Frequency,
    /// The first day of a week.
    week_start: Weekday,
}

impl Periods {
    pub(super) fn new(frequency: Frequency, week_start: Weekday) -> Self {
        Self { frequency, week_start }
    }

    /// Returns the number of the period that contains a day.
    pub(super) fn index_of(self, day: Date) -> i64 {
        match self.frequency {
            Frequency::Daily => days_since_epoch(day),
            Frequency::Weekly => (days_since_epoch(day) - self.first_week()).div_euclid(7),
            Frequency::Monthly => i64::from(day.year()) * 12 + i64::from(day.month()) - 1,
            Frequency::Yearly => i64::from(day.year()),
        }
    }

    /// Returns the first day of a period, or `None` outside the calendar.
    pub(super) fn first_day(self, index: i64) -> Option<Date> {
        match self.frequency {
            Frequency::Daily => day_at(index),
            Frequency::Weekly => day_at(index.checked_mul(7)?.checked_add(self.first_week())?),
            Frequency::Monthly => {
                let year = i16::try_from(index.div_euclid(12)).ok()?;
                let month = i8::try_from(index.rem_euclid(12) + 1).ok()?;
                Date::new(year, month, 1).ok()
            }
            Frequency::Yearly => Date::new(i16::try_from(index).ok()?, 1, 1).ok(),
        }
    }

    /// Returns the first and the last day of a period, or `None` outside the calendar.
    pub(super) fn days(self, index: i64) -> Option<(Date, Date)> {
        let first = self.first_day(index)?;
        // The last period of the calendar has no next one.
        let last = self.first_day(index.checked_add(1)?).and_then(|next| next.yesterday().ok());
        Some((first, last.unwrap_or(Date::MAX)))
    }

    /// Returns the first day of the week of the epoch, in days since the epoch.
    fn first_week(self) -> i64 {
        -i64::from(EPOCH.weekday().since(self.week_start))
    }
}

fn days_since_epoch(day: Date) -> i64 {
    day.duration_since(EPOCH).as_hours() / 24
}

fn day_at(days_since_epoch: i64) -> Option<Date> {
    EPOCH.checked_add(SignedDuration::from_secs(days_since_epoch.checked_mul(86_400)?)).ok()
}
