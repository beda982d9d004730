//! Writes a rule in the form that other programs read alike.

use std::fmt::Write;

use jiff::civil::Weekday;

use super::number_list::NumberList;
use super::rule::{Frequency, Rule, RuleWeekday};

impl Rule {
    /// Tells whether programs agree on the occurrences of the rule, which is [complete](Self::completed_by).
    ///
    /// They differ on weeks of the year, on days of the year, and on positions in a period that began before the start.
    /// ical.js, the library of Thunderbird, computes others, or loops, for days of the month beside weekdays or in a daily
    /// rule, for months in a monthly rule, for several times in a month or year, and in a yearly rule for a day that one
    /// of its months lacks, and for days from the end of a month. node-ical computes others for weekdays in a daily
    /// rule with an interval.
    pub(super) fn is_portable(&self, is_all_day: bool) -> bool {
        let Self { week_numbers, year_days, month_days, weekdays, positions, months, .. } = self;
        let has_one_time = is_all_day || self.times_of_day() == 1;
        let has_one_kind_of_day = month_days.is_empty() || weekdays.is_empty();
        let is_usual = match self.frequency {
            Frequency::Daily => month_days.is_empty() && (self.interval == 1 || weekdays.is_empty()),
            Frequency::Weekly => true,
            Frequency::Monthly => has_one_time && has_one_kind_of_day && months.is_empty(),
            Frequency::Yearly => has_one_time && has_one_kind_of_day && self.has_days_in_each_month(),
        };
        let has_usual_positions = || {
            self.frequency == Frequency::Monthly
                && !weekdays.is_empty()
                && weekdays.iter().all(|weekday| weekday.number.is_none())
        };
        is_usual && week_numbers.is_empty() && year_days.is_empty() && (positions.is_empty() || has_usual_positions())
    }

    /// Tells whether the rule names months, and each has all days of the month of the rule.
    fn has_days_in_each_month(&self) -> bool {
        let days_of = |month: i16| match month {
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let fewest = self.months.iter().map(days_of).min();
        fewest.is_some_and(|fewest| self.month_days.iter().all(|day| (1..=fewest).contains(&day)))
    }

    /// Writes the rule, which is [complete](Self::completed_by), without its end. The times are left out if a start has
    /// them: each is a single one, or the event takes whole days.
    pub(super) fn text(&self, is_all_day: bool) -> String {
        let mut text = format!("FREQ={}", self.frequency.as_str());
        let mut add = |name: &str, value: &str| {
            // Writing to a string does not fail.
            let _ = write!(text, ";{name}={value}");
        };
        if self.interval != 1 {
            add("INTERVAL", &self.interval.to_string());
        }
        if self.week_start != Weekday::Monday && self.interval != 1 && self.frequency == Frequency::Weekly {
            add("WKST", weekday_text(self.week_start));
        }
        let mut lists = vec![("BYMONTH", &self.months), ("BYMONTHDAY", &self.month_days)];
        if !is_all_day {
            let times = [("BYHOUR", &self.hours), ("BYMINUTE", &self.minutes), ("BYSECOND", &self.seconds)];
            lists.extend(times.into_iter().filter(|(_, list)| list.len() > 1));
        }
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            add(name, &numbers_text(list));
        }
        if !self.weekdays.is_empty() {
            let weekdays: Vec<_> = self.weekdays.iter().map(|weekday| weekday.text()).collect();
            add("BYDAY", &weekdays.join(","));
        }
        if !self.positions.is_empty() {
            add("BYSETPOS", &numbers_text(&self.positions));
        }
        text
    }
}

impl Frequency {
    fn as_str(self) -> &'static str {
        match self {
            Self::Daily => "DAILY",
            Self::Weekly => "WEEKLY",
            Self::Monthly => "MONTHLY",
            Self::Yearly => "YEARLY",
        }
    }
}

impl RuleWeekday {
    fn text(self) -> String {
        let weekday = weekday_text(self.weekday);
        self.number.map_or_else(|| weekday.to_owned(), |number| format!("{number}{weekday}"))
    }
}

fn numbers_text(numbers: &NumberList) -> String {
    let numbers: Vec<_> = numbers.iter().map(|number| number.to_string()).collect();
    numbers.join(",")
}

fn weekday_text(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Monday => "MO",
        Weekday::Tuesday => "TU",
        Weekday::Wednesday => "WE",
        Weekday::Thursday => "TH",
        Weekday::Friday => "FR",
        Weekday::Saturday => "SA",
        Weekday::Sunday => "SU",
    }
}
