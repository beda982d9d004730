//! Decides whether a rule permits a day.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::rule::{Frequency, Rule, RuleWeekday};

impl Rule {
    /// Tells whether the rule permits a day: every part that selects days must permit it.
    pub(super) fn permits_day(&self, day: Date) -> bool {
        self.permits_month(day)
            && self.permits_week_number(day)
            && self.year_days.permits_position(day.day_of_year(), day.day_of_year() - day.days_in_year() - 1)
            && self.permits_month_day(day)
            && self.permits_weekday(day)
    }

    /// Tells whether the rule permits the month of a day.
    pub(super) fn permits_month(&self, day: Date) -> bool {
        self.months.permits(day.month().into())
    }

    fn permits_month_day(&self, day: Date) -> bool {
        let from_start = i16::from(day.day());
        self.month_days.permits_position(from_start, from_start - i16::from(day.days_in_month()) - 1)
    }

    fn permits_week_number(&self, day: Date) -> bool {
        if self.week_numbers.is_empty() {
            return true;
        }
        let Some((year, week)) = week_number(day, self.week_start) else {
            return false;
        };
        // December 28 is always in the last week of its year.
        let last = Date::new(year, 12, 28).ok().and_then(|day| week_number(day, self.week_start));
        last.is_some_and(|(_, weeks)| self.week_numbers.permits_position(week, week - weeks - 1))
    }

    fn permits_weekday(&self, day: Date) -> bool {
        self.weekdays.is_empty() || self.weekdays.iter().any(|weekday| self.is_weekday(*weekday, day))
    }

    fn is_weekday(&self, rule: RuleWeekday, day: Date) -> bool {
        if rule.weekday != day.weekday() {
            return false;
        }
        let Some(number) = rule.number else {
            return true;
        };
        // In a yearly rule, a weekday is counted in the year. With months, it is counted in each month.
        let is_of_year = self.frequency == Frequency::Yearly && self.months.is_empty();
        let (position, length) = if is_of_year {
            (day.day_of_year(), day.days_in_year())
        } else {
            (day.day().into(), day.days_in_month().into())
        };
        number == (position - 1) / 7 + 1 || number == -((length - position) / 7 + 1)
    }
}

/// Returns the number of the week of a day, and the year that the week belongs to. The first week of a year is the
/// first one with at least four days in that year, so a week belongs to the year of its fourth day.
fn week_number(day: Date, week_start: Weekday) -> Option<(i16, i16)> {
    let since_start = i64::from(day.weekday().since(week_start));
    let fourth_day = day.checked_add((3 - since_start).days()).ok()?;
    Some((fourth_day.year(), (fourth_day.day_of_year() - 1) / 7 + 1))
}
