//! Days, weeks from Monday and ranges of days in an IANA time zone (HTTP reference, "Instants and dates").

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{SignedDuration, ToSpan};
use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// An IANA time zone, by its name: `Europe/Madrid`.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
pub struct Zone {
    name: String,
    rules: TimeZone,
}

/// The text is not the name of a time zone in the IANA database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an IANA time zone")]
pub struct UnknownZone;

impl Zone {
    /// Returns Coordinated Universal Time.
    #[must_use]
    pub fn utc() -> Self {
        Self { name: "UTC".to_owned(), rules: TimeZone::UTC }
    }

    /// Returns the name of the zone, unchanged from the input.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// Returns the first instant whose local date is `date` or later, clamped to the years 0001–9999.
    ///
    /// The instant is midnight, or the first one if midnight occurs twice. If the local clock skips midnight or the
    /// whole day, the instant is the end of the skipped time.
    #[must_use]
    pub fn start_of_day(&self, date: Date) -> Timestamp {
        let nearest_end = if date.year() > 1 { Timestamp::MAX } else { Timestamp::MIN };
        self.first_instant(date).unwrap_or(nearest_end)
    }

    fn first_instant(&self, date: Date) -> Option<Timestamp> {
        let midnight = date.at(0, 0, 0, 0);
        let offset = match self.ambiguity(midnight) {
            AmbiguousOffset::Unambiguous { offset } => offset,
            AmbiguousOffset::Fold { before, .. } => before,
            AmbiguousOffset::Gap { before, .. } => return self.transition_at(date, before),
        };
        Timestamp::from_local(midnight, i64::from(offset.seconds()))
    }

    /// Returns the transition that skips midnight of `date`.
    fn transition_at(&self, date: Date, before: Offset) -> Option<Timestamp> {
        let inside = before.to_timestamp(date.at(0, 0, 0, 0)).ok()?;
        let just_after = inside.checked_add(SignedDuration::from_nanos(1)).ok()?;
        let transition = self.rules.preceding(just_after).next()?;
        Timestamp::from_millis(transition.timestamp().as_millisecond())
    }

    /// Returns the instant of a local date and time, or `None` outside the years 0001–9999.
    ///
    /// A time that the clock skips has the offset before the gap, so it moves forward by the length of the gap. If a
    /// time occurs twice, the first one counts (RFC 5545, section 3.3.5).
    #[must_use]
    pub fn resolve(&self, local: DateTime) -> Option<Timestamp> {
        let offset = match self.ambiguity(local) {
            AmbiguousOffset::Unambiguous { offset } => offset,
            AmbiguousOffset::Fold { before, .. } | AmbiguousOffset::Gap { before, .. } => before,
        };
        Timestamp::from_local(local, i64::from(offset.seconds()))
    }

    /// Returns whether the local clock skips or repeats a time.
    pub(crate) fn ambiguity(&self, local: DateTime) -> AmbiguousOffset {
        self.rules.to_ambiguous_timestamp(local).offset()
    }

    /// Returns the local date and time at an instant, clamped to the years that a calendar date can have.
    #[must_use]
    pub fn local(&self, at: Timestamp) -> DateTime {
        match jiff::Timestamp::from_millisecond(at.as_millis()) {
            Ok(instant) => self.rules.to_offset(instant).to_datetime(instant),
            Err(_) => at.utc().saturating_add(SignedDuration::from_secs(self.offset(at).seconds().into())),
        }
    }

    /// Returns the offset from UTC at an instant.
    pub(crate) fn offset(&self, at: Timestamp) -> Offset {
        // jiff has no offset for the last day of the year 9999. The offset of the day before applies.
        let instant = jiff::Timestamp::from_millisecond(at.as_millis()).unwrap_or(jiff::Timestamp::MAX);
        self.rules.to_offset(instant)
    }

    /// Returns the instants of a range at which the offset can change.
    pub(crate) fn changes(&self, range: &Range<Timestamp>) -> Vec<Timestamp> {
        let start = jiff::Timestamp::from_millisecond(range.start.as_millis()).unwrap_or(jiff::Timestamp::MAX);
        let at = self.rules.following(start).map_while(|change| {
            let at = Timestamp::from_millis(change.timestamp().as_millisecond())?;
            (at <= range.end).then_some(at)
        });
        at.collect()
    }

    /// Returns the latest day that has begun at an instant.
    ///
    /// This is the local date, with one exception: if the local clock is set back across midnight, the repeated evening
    /// belongs to the new day.
    #[must_use]
    pub fn day_of(&self, at: Timestamp) -> Date {
        let date = self.date(at);
        match date.tomorrow() {
            Ok(tomorrow) if self.start_of_day(tomorrow) <= at => tomorrow,
            _ => date,
        }
    }

    /// Returns the last day of an all-day event. An event that ends when a day begins does not include that day. Every
    /// event includes the day on which it starts.
    #[must_use]
    pub fn last_day(&self, start: Timestamp, end: Timestamp) -> Date {
        self.date(end.saturating_add(SignedDuration::from_millis(-1)).max(start))
    }

    /// Returns whether a day begins at an instant.
    #[must_use]
    pub fn is_start_of_day(&self, at: Timestamp) -> bool {
        self.start_of_day(self.day_of(at)) == at
    }

    /// Returns the local date of an instant.
    fn date(&self, at: Timestamp) -> Date {
        self.local(at).date()
    }
}

/// The name of an IANA time zone, as an event stores it. Unlike a [`Zone`], it has no rules, so it is small and is read
/// quickly.
///
/// Parsing checks the name. Deserializing does not: a stored name can be newer or older than the database of this
/// program, and its event must stay readable.
///
/// ```
/// use family_api_types::calendar::ZoneName;
///
/// let name: ZoneName = "Europe/Kyiv".parse()?;
/// assert!(name.zone().is_some());
/// assert!("Europe/Nowhere".parse::<ZoneName>().is_err());
/// # Ok::<(), family_api_types::calendar::UnknownZone>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
#[cfg_attr(feature = "schema", schemars(description = "The name of an IANA time zone: `Europe/Madrid`."))]
pub struct ZoneName(String);

impl ZoneName {
    /// Returns a name that was checked when it was stored. It is not checked again.
    #[must_use]
    pub fn stored(name: String) -> Self {
        Self(name)
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the zone, or `None` if the database of this program lacks it.
    #[must_use]
    pub fn zone(&self) -> Option<Zone> {
        self.0.parse().ok()
    }
}

impl fmt::Display for ZoneName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ZoneName {
    type Err = UnknownZone;

    fn from_str(name: &str) -> Result<Self, UnknownZone> {
        name.parse::<Zone>().map(Self::from)
    }
}

impl From<Zone> for ZoneName {
    fn from(zone: Zone) -> Self {
        Self(zone.name)
    }
}

impl From<&Zone> for ZoneName {
    fn from(zone: &Zone) -> Self {
        Self(zone.name.clone())
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Zone({})", self.name)
    }
}

impl TryFrom<String> for Zone {
    type Error = UnknownZone;

    fn try_from(name: String) -> Result<Self, UnknownZone> {
        // jiff ignores case in names, and accepts `Etc/Unknown`, which is not in the IANA database.
        match TimeZone::get(&name) {
            Ok(rules) if rules.iana_name() == Some(&name) && name != "Etc/Unknown" => Ok(Self { name, rules }),
            _ => Err(UnknownZone),
        }
    }
}

impl FromStr for Zone {
    type Err = UnknownZone;

    fn from_str(name: &str) -> Result<Self, UnknownZone> {
        name.to_owned().try_into()
    }
}

impl From<Zone> for String {
    fn from(zone: Zone) -> Self {
        zone.name
    }
}

/// Parses a calendar date in the years 0001–9999. The only accepted format is `YYYY-MM-DD`.
#[must_use]
pub fn parse_date(text: &str) -> Option<Date> {
    let has_date_byte = |(at, byte): (usize, u8)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() };
    if text.len() != 10 || !text.bytes().enumerate().all(has_date_byte) {
        return None;
    }
    text.parse().ok().filter(|date: &Date| date.year() >= 1)
}

/// The current day and the current week, as ranges of instants. The end of each range is exclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatsPeriods {
    /// The current day.
    pub today: Range<Timestamp>,
    /// The current week. It starts on Monday.
    pub week: Range<Timestamp>,
}

impl StatsPeriods {
    /// Returns the day and the week of `now` in the zone.
    #[must_use]
    pub fn at(now: Timestamp, zone: &Zone) -> Self {
        let today = zone.day_of(now);
        let since_monday = today.weekday().since(Weekday::Monday);
        let monday = today.saturating_sub(i64::from(since_monday).days());
        let days =
            |from: Date, length: i64| zone.start_of_day(from)..zone.start_of_day(from.saturating_add(length.days()));
        Self { today: days(today, 1), week: days(monday, 7) }
    }
}

/// The range of instants that limits a list of events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventRange {
    /// Minimum `startDate` of an event, inclusive. `None` is no limit.
    pub from: Option<Timestamp>,
    /// Maximum `endDate` of an event, inclusive. `None` is no limit.
    pub to: Option<Timestamp>,
}

impl EventRange {
    /// Returns the range from the start of the day `from` to the end of the day `to`, in the zone.
    #[must_use]
    pub fn of_days(from: Option<Date>, to: Option<Date>, zone: &Zone) -> Self {
        Self {
            from: from.map(|day| zone.start_of_day(day)),
            to: to.and_then(|day| day.tomorrow().ok()).map(|next| zone.start_of_day(next)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(zone: &str, date: &str) -> String {
        let zone: Zone = zone.parse().unwrap();
        zone.start_of_day(parse_date(date).unwrap()).to_string()
    }

    #[test]
    fn local_time_has_the_offset_of_the_zone_in_the_first_and_last_year() {
        for (zone, at, shown) in [
            ("UTC", "2026-11-20T10:15:30.123Z", "2026-11-20T10:15:30.123"),
            ("Europe/Madrid", "2026-07-20T22:30:00Z", "2026-07-21T00:30:00"),
            ("UTC", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999"),
            ("Etc/GMT+12", "0001-01-01T00:00:00Z", "0000-12-31T12:00:00"),
            ("Asia/Tokyo", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999999999"),
        ] {
            assert_eq!(zone.parse::<Zone>().unwrap().local(at.parse().unwrap()).to_string(), shown, "{zone} {at}");
        }
    }

    #[test]
    fn a_day_begins_at_midnight_or_after_the_skipped_time() {
        for (zone, date, first) in [
            ("UTC", "2026-11-20", "2026-11-20T00:00:00.000Z"),
            ("Asia/Kolkata", "2026-11-20", "2026-11-19T18:30:00.000Z"),
            // Midnight is skipped.
            ("America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z"),
            ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z"),
            ("Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00.000Z"),
            // The skipped hour begins before midnight.
            ("America/Toronto", "1919-03-31", "1919-03-31T04:30:00.000Z"),
            // Midnight occurs twice.
            ("America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z"),
            // 2011-12-30 does not exist, so it begins when 2011-12-31 begins.
            ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"),
            ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00.000Z"),
            // The ends of the calendar.
            ("Asia/Tokyo", "0001-01-01", "0001-01-01T00:00:00.000Z"),
            ("Etc/GMT+12", "9999-12-31", "9999-12-31T12:00:00.000Z"),
        ] {
            assert_eq!(start(zone, date), first, "{zone} {date}");
        }
    }

    #[test]
    fn weeks_begin_on_monday_across_a_clock_change() {
        let zone: Zone = "America/Havana".parse().unwrap();
        let sunday = "2026-11-01T15:00:00Z".parse().unwrap();
        let periods = StatsPeriods::at(sunday, &zone);
        assert_eq!(periods.week.start.to_string(), "2026-10-26T04:00:00.000Z");
        assert_eq!(periods.week.end.to_string(), "2026-11-02T05:00:00.000Z");
        assert_eq!(periods.today.start.to_string(), "2026-11-01T04:00:00.000Z");
        assert_eq!(periods.today.end.to_string(), "2026-11-02T05:00:00.000Z");
    }

    #[test]
    fn a_repeated_evening_belongs_to_the_new_day() {
        // At 00:01 of the 7th the clock was set back to 23:01 of the 6th.
        let now = "2010-11-07T03:00:00Z".parse().unwrap();
        let today = StatsPeriods::at(now, &"America/St_Johns".parse().unwrap()).today;
        assert!(today.contains(&now), "{today:?}");
    }

    #[test]
    fn only_iana_names_in_their_exact_case_are_zones() {
        for good in ["UTC", "Europe/Kyiv", "Europe/Kiev", "Etc/GMT+12"] {
            assert_eq!(good.parse::<Zone>().map(|zone| zone.as_str().to_owned()).as_deref(), Ok(good));
        }
        for bad in ["", "utc", "europe/kyiv", "Europe/Nowhere", "Etc/Unknown", "+02:00", "EST5EDT4", "/etc/localtime"] {
            assert_eq!(bad.parse::<Zone>(), Err(UnknownZone), "{bad}");
        }
    }

    #[test]
    fn a_stored_name_is_read_also_if_no_zone_has_it() {
        let newer: ZoneName = serde_json::from_str(r#""Europe/Nowhere""#).unwrap();
        assert_eq!((newer.as_str(), newer.zone()), ("Europe/Nowhere", None));
        assert_eq!(serde_json::to_string(&newer).unwrap(), r#""Europe/Nowhere""#);
        assert_eq!("Europe/Nowhere".parse::<ZoneName>(), Err(UnknownZone));
        let kyiv: Zone = "Europe/Kyiv".parse().unwrap();
        assert_eq!(ZoneName::from(&kyiv).zone(), Some(kyiv));
    }

    #[test]
    fn only_existing_dates_of_four_digit_years_parse() {
        assert!(parse_date("2024-02-29").is_some());
        for bad in [
            "",
            "2026-02-29",
            "2026-13-01",
            "2026-1-01",
            "0000-01-01",
            "2026-01-01Z",
            "20260101",
            "-026-01-01",
            "2026-01-0１",
        ] {
            assert!(parse_date(bad).is_none(), "{bad}");
        }
    }
}
