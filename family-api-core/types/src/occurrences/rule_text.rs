//! Writes a rule in the form that other programs read alike.

use std::fmt::Write;

use jiff::civil::Weekday;

use super::number_list::NumberList;
use super::rule::{Frequency, Rule, RuleWeekday};

impl Rule {
    /// Tells whether programs agree on the occurrences of the rule. They differ on the first week of a year, on the days
    /// of a year beside other parts, and on the positions in a period that began before the start.
    pub(super) fn is_portable(&self) -> bool {
        self.week_numbers.is_empty() && self.year_days.is_empty() && self.positions.is_empty()
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
