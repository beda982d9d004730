//! Parses the value of an `RRULE` (RFC 5545, section 3.3.10).

use jiff::civil::Weekday;

use super::InvalidRecurrence;
use super::moment::Moment;
use super::number_list::{NumberList, parse_number};
use super::rule::{End, Frequency, Rule, RuleWeekday};

/// The maximum of `INTERVAL`.
const MAX_INTERVAL: i64 = 10_000;
/// The maximum of `COUNT`.
const MAX_COUNT: u32 = 10_000;
/// The maximum number of times a day, from `BYHOUR`, `BYMINUTE` and `BYSECOND`.
const MAX_TIMES_OF_DAY: usize = 96;

impl Rule {
    /// Parses a rule, such as `FREQ=WEEKLY;BYDAY=MO`. Ignores the case of letters.
    pub(super) fn parse(text: &str) -> Result<Self, InvalidRecurrence> {
        let text = text.to_ascii_uppercase();
        let parts = split_parts(&text)?;
        let mut rule = Self::new(parse_frequency(&parts)?);
        for (name, value) in parts {
            rule.set(name, value)?;
        }
        rule.check_combinations()?;
        Ok(rule)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), InvalidRecurrence> {
        match name {
            "FREQ" => {}
            "INTERVAL" => self.interval = parse_integer(name, value, MAX_INTERVAL)?,
            "COUNT" => self.set_end(End::Count(parse_integer(name, value, MAX_COUNT)?))?,
            "UNTIL" => self.set_end(End::Until(parse_until(value)?))?,
            "WKST" => self.week_start = parse_weekday(value).ok_or_else(|| expected("WKST to be one of MO to SU"))?,
            "BYMONTH" => self.months = NumberList::parse(name, value, 1..=12)?,
            "BYWEEKNO" => self.week_numbers = NumberList::parse_signed(name, value, 53)?,
            "BYYEARDAY" => self.year_days = NumberList::parse_signed(name, value, 366)?,
            "BYMONTHDAY" => self.month_days = NumberList::parse_signed(name, value, 31)?,
            "BYDAY" => self.weekdays = parse_weekdays(value)?,
            "BYHOUR" => self.hours = NumberList::parse(name, value, 0..=23)?,
            "BYMINUTE" => self.minutes = NumberList::parse(name, value, 0..=59)?,
            "BYSECOND" => self.seconds = NumberList::parse(name, value, 0..=59)?,
            "BYSETPOS" => self.positions = NumberList::parse_signed(name, value, 366)?,
            _ => return Err(expected("only the parts of an RRULE in RFC 5545, such as FREQ, INTERVAL and BYDAY")),
        }
        Ok(())
    }

    fn set_end(&mut self, end: End) -> Result<(), InvalidRecurrence> {
        if self.end != End::Never {
            return Err(expected("either COUNT or UNTIL, not both"));
        }
        self.end = end;
        Ok(())
    }

    /// Refuses the combinations that RFC 5545 forbids, and too many times a day.
    fn check_combinations(&self) -> Result<(), InvalidRecurrence> {
        let is_yearly = self.frequency == Frequency::Yearly;
        let is_counted = self.weekdays.iter().any(|weekday| weekday.number.is_some());
        if !self.week_numbers.is_empty() && !is_yearly {
            return Err(expected("BYWEEKNO only with FREQ=YEARLY"));
        }
        if !self.year_days.is_empty() && !is_yearly {
            return Err(expected("BYYEARDAY only with FREQ=YEARLY"));
        }
        if !self.month_days.is_empty() && self.frequency == Frequency::Weekly {
            return Err(expected("no BYMONTHDAY with FREQ=WEEKLY"));
        }
        if is_counted && !matches!(self.frequency, Frequency::Monthly | Frequency::Yearly) {
            return Err(expected("BYDAY without numbers, unless FREQ is MONTHLY or YEARLY"));
        }
        if is_counted && !self.week_numbers.is_empty() {
            return Err(expected("BYDAY without numbers beside BYWEEKNO"));
        }
        if self.times_of_day() > MAX_TIMES_OF_DAY {
            return Err(expected(format!("at most {MAX_TIMES_OF_DAY} times a day from BYHOUR, BYMINUTE and BYSECOND")));
        }
        let selects_times = !(self.hours.is_empty() && self.minutes.is_empty() && self.seconds.is_empty());
        let has_other_part = self.selects_days() || !self.months.is_empty() || selects_times;
        if !self.positions.is_empty() && !has_other_part {
            return Err(expected("BYSETPOS only beside another part that begins with BY"));
        }
        Ok(())
    }
}

fn expected(phrase: impl Into<std::borrow::Cow<'static, str>>) -> InvalidRecurrence {
    InvalidRecurrence::expected(phrase)
}

/// Splits a rule into names and values. Ignores a semicolon at the end.
fn split_parts(text: &str) -> Result<Vec<(&str, &str)>, InvalidRecurrence> {
    let text = text.strip_suffix(';').unwrap_or(text);
    let mut parts: Vec<(&str, &str)> = Vec::new();
    for part in text.split(';') {
        let (name, value) = part.split_once('=').ok_or_else(|| {
            expected("an RRULE value of parts NAME=VALUE, separated by semicolons: FREQ=WEEKLY;BYDAY=MO")
        })?;
        if parts.iter().any(|(known, _)| *known == name) {
            return Err(expected("each part of the RRULE only once"));
        }
        parts.push((name, value));
    }
    Ok(parts)
}

fn parse_frequency(parts: &[(&str, &str)]) -> Result<Frequency, InvalidRecurrence> {
    let value = parts.iter().find(|(name, _)| *name == "FREQ").map(|(_, value)| *value);
    match value {
        Some("DAILY") => Ok(Frequency::Daily),
        Some("WEEKLY") => Ok(Frequency::Weekly),
        Some("MONTHLY") => Ok(Frequency::Monthly),
        Some("YEARLY") => Ok(Frequency::Yearly),
        Some("HOURLY" | "MINUTELY" | "SECONDLY") => Err(expected(
            "FREQ to be DAILY, WEEKLY, MONTHLY or YEARLY. For several times a day, use FREQ=DAILY and BYHOUR",
        )),
        _ => Err(expected("FREQ to be DAILY, WEEKLY, MONTHLY or YEARLY")),
    }
}

/// Parses an integer from 1 to `most`, of at most 5 digits.
fn parse_integer<N: std::str::FromStr + From<u16> + PartialOrd + Copy + std::fmt::Display>(
    name: &str,
    value: &str,
    most: N,
) -> Result<N, InvalidRecurrence> {
    let is_number = (1..=5).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_digit());
    let number = if is_number { value.parse().ok() } else { None };
    number
        .filter(|number| (N::from(1)..=most).contains(number))
        .ok_or_else(|| expected(format!("{name} to be from 1 to {most}")))
}

fn parse_until(value: &str) -> Result<Moment, InvalidRecurrence> {
    Moment::parse(value)
        .ok_or_else(|| expected("UNTIL to be a date or a date and time: 20261130, 20261130T183000 or 20261130T163000Z"))
}

fn parse_weekdays(value: &str) -> Result<Vec<RuleWeekday>, InvalidRecurrence> {
    let mut weekdays = Vec::new();
    for item in value.split(',') {
        let weekday = parse_rule_weekday(item)
            .ok_or_else(|| expected("BYDAY to have days such as MO, 1MO or -1MO, with numbers from 1 to 53"))?;
        if !weekdays.contains(&weekday) {
            weekdays.push(weekday);
        }
    }
    Ok(weekdays)
}

fn parse_rule_weekday(item: &str) -> Option<RuleWeekday> {
    let (number, weekday) = item.split_at_checked(item.len().checked_sub(2)?)?;
    let weekday = parse_weekday(weekday)?;
    if number.is_empty() {
        return Some(RuleWeekday { number: None, weekday });
    }
    let number = parse_number(number).filter(|number| *number != 0 && (-53..=53).contains(number))?;
    Some(RuleWeekday { number: Some(number), weekday })
}

pub(super) fn parse_weekday(text: &str) -> Option<Weekday> {
    match text {
        "MO" => Some(Weekday::Monday),
        "TU" => Some(Weekday::Tuesday),
        "WE" => Some(Weekday::Wednesday),
        "TH" => Some(Weekday::Thursday),
        "FR" => Some(Weekday::Friday),
        "SA" => Some(Weekday::Saturday),
        "SU" => Some(Weekday::Sunday),
        _ => None,
    }
}
