//! The `VTIMEZONE` of a zone (RFC 5545, section 3.6.5).

use std::ops::Range;

use jiff::civil::{Date, DateTime, Time, Weekday, date};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp as Instant, ToSpan};

use super::line::Lines;
use crate::Timestamp;
use crate::calendar::Zone;

/// The years whose clock changes show the lasting rule of a zone. The database lists the changes of some zones one by one,
/// up to 2087. After 28 years, the weekdays of all dates repeat.
const LASTING_YEARS: Range<i16> = 2101..2129;

/// The year in which the rules of a `VTIMEZONE` begin. Some programs read no earlier one.
const FIRST_YEAR: i16 = 1970;

/// The lasting rules by which the clock of a zone changes: none, or two a year.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct YearlyRules {
    /// The offset, if it never changes.
    fixed: Option<Offset>,
    changes: Vec<YearlyChange>,
}

/// A change of the clock in each year.
#[derive(Debug, Clone, Copy, PartialEq)]
struct YearlyChange {
    before: Offset,
    after: Offset,
    /// The local time before the change.
    time: Time,
    day: YearlyDay,
}

/// The first day of a kind from a day of a month on.
#[derive(Debug, Clone, Copy, PartialEq)]
struct YearlyDay {
    weekday: Weekday,
    month: i8,
    earliest: i8,
}

/// A change of the clock.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Change {
    before: Offset,
    after: Offset,
    local: DateTime,
}

impl YearlyRules {
    /// The rules of UTC.
    pub(super) const UTC: Self = Self { fixed: Some(Offset::UTC), changes: Vec::new() };

    /// Returns the lasting rules of a zone, if it has them and they hold in the whole window.
    pub(super) fn of(zone: &Zone, window: &Range<Timestamp>) -> Option<Self> {
        let rules = TimeZone::get(zone.as_str()).ok()?;
        let (from, to) = (LASTING_YEARS.start, LASTING_YEARS.end);
        let lasting = changes(&rules, start_of(from)?..start_of(to)?);
        let found = if lasting.is_empty() {
            Self { fixed: Some(rules.to_offset(start_of(from)?)), changes: Vec::new() }
        } else {
            Self { fixed: None, changes: yearly_changes(&lasting)? }
        };
        // A day more, because the window has the occurrences that end in it.
        let since = instant(window.start).saturating_sub(SignedDuration::from_hours(24 * 31)).ok()?;
        let until = instant(window.end);
        let expected = found.changes_between(since..until);
        let is_fixed = found.fixed.is_none_or(|fixed| rules.to_offset(since) == fixed);
        (is_fixed && changes(&rules, since..until) == expected).then_some(found)
    }

    fn changes_between(&self, range: Range<Instant>) -> Vec<Change> {
        let years = range.start.to_zoned(TimeZone::UTC).year() - 1..=range.end.to_zoned(TimeZone::UTC).year() + 1;
        let of_year = |year| self.changes.iter().filter_map(move |change| change.in_year(year));
        let mut found: Vec<_> = years.flat_map(of_year).filter(|change| range.contains(&change.at())).collect();
        found.sort_by_key(Change::at);
        found
    }

    pub(super) fn write(&self, name: &str, lines: &mut Lines) {
        lines.add("BEGIN", "VTIMEZONE");
        lines.add("TZID", name);
        if let Some(fixed) = self.fixed {
            let start = date(FIRST_YEAR, 1, 1).at(0, 0, 0, 0);
            write_observance("STANDARD", start, (fixed, fixed), None, lines);
        }
        for change in &self.changes {
            let kind = if change.after > change.before { "DAYLIGHT" } else { "STANDARD" };
            if let Some(first) = change.in_year(FIRST_YEAR) {
                write_observance(kind, first.local, (change.before, change.after), Some(&change.day.text()), lines);
            }
        }
        lines.add("END", "VTIMEZONE");
    }
}

fn write_observance(
    kind: &str,
    start: DateTime,
    (before, after): (Offset, Offset),
    rule: Option<&str>,
    lines: &mut Lines,
) {
    lines.add("BEGIN", kind);
    lines.add("DTSTART", &start.strftime("%Y%m%dT%H%M%S").to_string());
    if let Some(rule) = rule {
        lines.add("RRULE", rule);
    }
    lines.add("TZOFFSETFROM", &offset_text(before));
    lines.add("TZOFFSETTO", &offset_text(after));
    lines.add("END", kind);
}

/// Returns the changes of a zone in a range of instants, in order.
fn changes(rules: &TimeZone, range: Range<Instant>) -> Vec<Change> {
    let before_start = range.start.saturating_sub(SignedDuration::from_nanos(1)).unwrap_or(range.start);
    let mut before = rules.to_offset(before_start);
    let mut found = Vec::new();
    for transition in rules.following(before_start).take_while(|transition| transition.timestamp() < range.end) {
        let after = transition.offset();
        // Some transitions change only the name of the offset.
        if after != before {
            found.push(Change { before, after, local: before.to_datetime(transition.timestamp()) });
        }
        before = after;
    }
    found
}

/// Returns the two changes of each year, if all years have the same.
fn yearly_changes(lasting: &[Change]) -> Option<Vec<YearlyChange>> {
    let mut found: Vec<YearlyChange> = Vec::new();
    for first in lasting.get(..2)? {
        let alike = lasting.iter().filter(|change| (change.before, change.after) == (first.before, first.after));
        let days: Vec<Date> = alike.map(|change| change.local.date()).collect();
        let day = YearlyDay {
            weekday: first.local.weekday(),
            month: first.local.month(),
            earliest: days.iter().map(|day| day.day()).min()?,
        };
        found.push(YearlyChange { before: first.before, after: first.after, time: first.local.time(), day });
    }
    let mut expected: Vec<_> =
        LASTING_YEARS.flat_map(|year| found.iter().filter_map(move |change| change.in_year(year))).collect();
    expected.sort_by_key(Change::at);
    (expected == lasting).then_some(found)
}

impl Change {
    fn at(&self) -> Instant {
        self.before.to_timestamp(self.local).unwrap_or(Instant::MAX)
    }
}

impl YearlyChange {
    fn in_year(&self, year: i16) -> Option<Change> {
        let Self { before, after, time, day } = *self;
        Some(Change { before, after, local: day.in_year(year)?.to_datetime(time) })
    }
}

impl YearlyDay {
    fn in_year(self, year: i16) -> Option<Date> {
        let earliest = Date::new(year, self.month, self.earliest).ok()?;
        earliest.checked_add(i64::from(self.weekday.since(earliest.weekday())).days()).ok()
    }

    fn text(self) -> String {
        let weekday = match self.weekday {
            Weekday::Monday => "MO",
            Weekday::Tuesday => "TU",
            Weekday::Wednesday => "WE",
            Weekday::Thursday => "TH",
            Weekday::Friday => "FR",
            Weekday::Saturday => "SA",
            Weekday::Sunday => "SU",
        };
        let month = self.month;
        let days_in_month = date(FIRST_YEAR, month, 1).days_in_month();
        match self.earliest {
            earliest if month != 2 && earliest == days_in_month - 6 => {
                format!("FREQ=YEARLY;BYMONTH={month};BYDAY=-1{weekday}")
            }
            earliest if earliest % 7 == 1 => format!("FREQ=YEARLY;BYMONTH={month};BYDAY={}{weekday}", earliest / 7 + 1),
            earliest => {
                let days: Vec<_> = (earliest..earliest + 7).map(|day| day.to_string()).collect();
                format!("FREQ=YEARLY;BYMONTH={month};BYMONTHDAY={};BYDAY={weekday}", days.join(","))
            }
        }
    }
}

fn instant(at: Timestamp) -> Instant {
    Instant::from_millisecond(at.as_millis()).unwrap_or(Instant::MAX)
}

fn start_of(year: i16) -> Option<Instant> {
    Offset::UTC.to_timestamp(date(year, 1, 1).at(0, 0, 0, 0)).ok()
}

/// Writes an offset: `+0200`, or `-033052` with seconds.
fn offset_text(offset: Offset) -> String {
    let sign = if offset.is_negative() { '-' } else { '+' };
    let seconds = offset.seconds().unsigned_abs();
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if seconds == 0 {
        format!("{sign}{hours:02}{minutes:02}")
    } else {
        format!("{sign}{hours:02}{minutes:02}{seconds:02}")
    }
}
