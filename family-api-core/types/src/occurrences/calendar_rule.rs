//! A rule together with the start of its event: the civil dates and times of the occurrences.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use jiff::civil::{Date, DateTime, Time};

use super::number_list::NumberList;
use super::period::Periods;
use super::rule::{End, Frequency, Rule, RuleWeekday};
use super::steps::Steps;

/// A rule whose missing parts are taken from the start of the event.
#[derive(Debug)]
pub(super) struct CalendarRule {
    rule: Rule,
    start: DateTime,
    /// The times of each day, in order.
    times: Vec<Time>,
    periods: Periods,
}

/// Why an expansion ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expanded {
    /// All occurrences of the range were visited.
    Completely,
    /// The visitor stopped, or no steps were left.
    Partly,
}

impl Rule {
    /// Returns the rule with the parts that it takes from the start of its event.
    pub(super) fn completed_by(&self, start: DateTime) -> Self {
        let mut rule = self.clone();
        let day = start.date();
        if !rule.selects_days() {
            match rule.frequency {
                Frequency::Daily => {}
                Frequency::Weekly => rule.weekdays.push(RuleWeekday { number: None, weekday: day.weekday() }),
                Frequency::Monthly => rule.month_days = NumberList::of(day.day().into()),
                Frequency::Yearly => {
                    rule.month_days = NumberList::of(day.day().into());
                    if rule.months.is_empty() {
                        rule.months = NumberList::of(day.month().into());
                    }
                }
            }
        } else if !rule.week_numbers.is_empty()
            && rule.weekdays.is_empty()
            && rule.month_days.is_empty()
            && rule.year_days.is_empty()
        {
            rule.weekdays.push(RuleWeekday { number: None, weekday: day.weekday() });
        }
        for (part, of_start) in
            [(&mut rule.hours, start.hour()), (&mut rule.minutes, start.minute()), (&mut rule.seconds, start.second())]
        {
            if part.is_empty() {
                *part = NumberList::of(of_start.into());
            }
        }
        rule
    }
}

impl CalendarRule {
    /// Combines a rule with the start of its event. An all-day event has no times, so `BYHOUR`, `BYMINUTE` and
    /// `BYSECOND` are ignored (RFC 5545, section 3.3.10).
    pub(super) fn new(rule: &Rule, start: DateTime, is_all_day: bool) -> Self {
        let rule = rule.completed_by(start);
        let times = if is_all_day { vec![start.time()] } else { times(&rule, start.time()) };
        let periods = Periods::new(rule.frequency, rule.week_start);
        Self { rule, start, times, periods }
    }

    /// Visits the occurrences after the start whose dates are in a range, in ascending order.
    pub(super) fn visit(
        &self,
        from: Date,
        to: Date,
        steps: &mut Steps,
        mut visitor: impl FnMut(DateTime) -> ControlFlow<()>,
    ) -> Expanded {
        let mut remaining = match self.rule.end {
            // The start is the first occurrence.
            End::Count(count) => Some(count - 1),
            End::Never | End::Until(_) => None,
        };
        let from = from.max(self.start.date());
        let origin = self.periods.index_of(self.start.date());
        let skipped = match remaining {
            // Occurrences before the range must be counted.
            Some(_) => 0,
            None => (self.periods.index_of(from) - origin) / self.rule.interval,
        };
        let mut index = origin + skipped * self.rule.interval;
        loop {
            let Some((first, last)) = self.periods.days(index) else {
                return Expanded::Completely;
            };
            if first > to || remaining == Some(0) {
                return Expanded::Completely;
            }
            // Without COUNT and BYSETPOS, days outside the range need not be tested.
            let is_clipped = remaining.is_none() && self.rule.positions.is_empty();
            let (first, last) = if is_clipped { (first.max(from), last.min(to)) } else { (first, last) };
            let Some(days) = self.days(first, last, steps) else {
                return Expanded::Partly;
            };
            for occurrence in self.occurrences(&days).into_iter().filter(|occurrence| *occurrence > self.start) {
                match &mut remaining {
                    Some(0) => return Expanded::Completely,
                    Some(remaining) => *remaining -= 1,
                    None => {}
                }
                if (from..=to).contains(&occurrence.date())
                    && (steps.take_visit().is_none() || visitor(occurrence).is_break())
                {
                    return Expanded::Partly;
                }
            }
            index += self.rule.interval;
            if let (Some(left), Some(of_period)) = (&mut remaining, self.occurrences_of_period()) {
                // Jumps to the range. Only the first period may have fewer occurrences, as they begin at the start.
                let periods = ((self.periods.index_of(from) - index) / self.rule.interval).max(0);
                *left = left.saturating_sub(u32::try_from(periods).unwrap_or(u32::MAX).saturating_mul(of_period));
                index += periods * self.rule.interval;
            }
        }
    }

    /// Returns the number of occurrences of a period, if each period has the same number.
    fn occurrences_of_period(&self) -> Option<u32> {
        let Rule { frequency, months, month_days, weekdays, .. } = &self.rule;
        let has_other_parts =
            !(self.rule.week_numbers.is_empty() && self.rule.year_days.is_empty() && self.rule.positions.is_empty());
        // Each month has the days 1 to 28.
        let has_safe_days = weekdays.is_empty() && month_days.iter().all(|day| (1..=28).contains(&day));
        let days = match frequency {
            _ if has_other_parts => None,
            Frequency::Daily if months.is_empty() && weekdays.is_empty() && month_days.is_empty() => Some(1),
            Frequency::Weekly if months.is_empty() => Some(weekdays.len()),
            Frequency::Monthly if months.is_empty() && has_safe_days => Some(month_days.len()),
            Frequency::Yearly if has_safe_days => {
                let months = if months.is_empty() { 12 } else { months.len() };
                Some(months * month_days.len())
            }
            _ => None,
        };
        u32::try_from(days? * self.times.len()).ok()
    }

    /// Returns the days of a period that the rule permits, or `None` if there are no steps left.
    fn days(&self, first: Date, last: Date, steps: &mut Steps) -> Option<Vec<Date>> {
        let mut days = Vec::new();
        let mut next = Some(first);
        // Counts the period also if it has no days.
        steps.take()?;
        while let Some(day) = next.filter(|day| *day <= last) {
            steps.take()?;
            if !self.rule.permits_month(day) {
                next = day.last_of_month().tomorrow().ok();
                continue;
            }
            if self.rule.permits_day(day) {
                days.push(day);
            }
            next = day.tomorrow().ok();
        }
        Some(days)
    }

    /// Returns the occurrences on the days of one period, in order.
    fn occurrences(&self, days: &[Date]) -> Vec<DateTime> {
        let positions = &self.rule.positions;
        if positions.is_empty() {
            return days.iter().flat_map(|day| self.times.iter().map(|time| day.to_datetime(*time))).collect();
        }
        // A period may have more occurrences than fit in an `i16`: 366 days of 96 times.
        let count = days.len() * self.times.len();
        let indices: BTreeSet<usize> = positions.iter().filter_map(|position| index_of(position, count)).collect();
        indices.into_iter().filter_map(|index| self.occurrence(days, index)).collect()
    }

    /// Returns an occurrence by its index in the occurrences on the days of one period.
    fn occurrence(&self, days: &[Date], index: usize) -> Option<DateTime> {
        let day = days.get(index.checked_div(self.times.len())?)?;
        let time = self.times.get(index.checked_rem(self.times.len())?)?;
        Some(day.to_datetime(*time))
    }
}

/// Returns the index of a position of `BYSETPOS` in a list: 1 is the first, and -1 the last.
fn index_of(position: i16, count: usize) -> Option<usize> {
    let distance = usize::from(position.unsigned_abs());
    let index = if position > 0 { distance.checked_sub(1)? } else { count.checked_sub(distance)? };
    Some(index).filter(|index| *index < count)
}

/// Returns the times of a day. The rule is complete.
fn times(rule: &Rule, start: Time) -> Vec<Time> {
    let mut times = Vec::with_capacity(rule.times_of_day());
    for hour in rule.hours.iter() {
        for minute in rule.minutes.iter() {
            for second in rule.seconds.iter() {
                times.extend(time(start, hour, minute, second));
            }
        }
    }
    times
}

/// Returns a time with the fraction of a second of the start.
fn time(start: Time, hour: i16, minute: i16, second: i16) -> Option<Time> {
    let small = |number: i16| i8::try_from(number).ok();
    Time::new(small(hour)?, small(minute)?, small(second)?, start.subsec_nanosecond()).ok()
}
