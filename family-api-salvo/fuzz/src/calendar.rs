//! Days, weeks and ranges in every time zone (HTTP reference, "Instants and dates").

use std::sync::LazyLock;

use arbitrary::{Arbitrary, Unstructured};
use family_api_core::Timestamp;
use family_api_core::calendar::{EventRange, StatsPeriods, Zone};
use family_api_core::change::DateOrInstant;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;

/// All time zones of this build.
static ZONES: LazyLock<Vec<Zone>> =
    LazyLock::new(|| jiff::tz::db().available().filter_map(|name| name.as_str().parse().ok()).collect());

/// A generated time zone, two days and an instant.
#[derive(Arbitrary, Debug)]
struct Input {
    zone: u16,
    days: [(u16, u16); 2],
    at: i64,
    /// The distance of tested instants from the start of a day.
    offset_millis: u32,
}

/// Checks that a day starts at its first instant, that days have no gaps between them, and that the statistics periods
/// contain the current time.
pub fn calendar(data: &[u8]) {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let zone = &ZONES[usize::from(input.zone) % ZONES.len()];
    let [first, second] = input.days.map(|(year, day)| date(year, day));
    for day in [first, next_offset_change(zone, first)] {
        check_start_of_day(zone, day, i64::from(input.offset_millis));
        check_ranges(zone, day, second);
        check_periods(zone, near_start_of_day(zone, day, input.offset_millis));
    }
    let span = Timestamp::MAX.as_millis() - Timestamp::MIN.as_millis();
    let at = Timestamp::from_millis(Timestamp::MIN.as_millis() + input.at.rem_euclid(span)).unwrap();
    check_periods(zone, at);
}

fn date(year: u16, day: u16) -> Date {
    let year = i16::try_from(1 + year % 9_999).unwrap();
    Date::new(year, 1, 1).unwrap().saturating_add((i64::from(day) % 366).days())
}

/// Returns the next day on which the zone changes its UTC offset, or `from` if there is none.
fn next_offset_change(zone: &Zone, from: Date) -> Date {
    let rules = TimeZone::get(zone.as_str()).unwrap();
    let from = from.to_zoned(TimeZone::UTC).map_or(jiff::Timestamp::MAX, |from| from.timestamp());
    let change = rules.following(from).next().map_or(from, |change| change.timestamp());
    change.to_zoned(rules).date()
}

/// Returns an instant at most one hour before or after the start of a day, when clock changes are likely.
fn near_start_of_day(zone: &Zone, date: Date, offset_millis: u32) -> Timestamp {
    let millis = zone.start_of_day(date).as_millis() + i64::from(offset_millis) % 7_200_000 - 3_600_000;
    Timestamp::from_millis(millis).unwrap_or(Timestamp::MIN)
}

fn check_start_of_day(zone: &Zone, date: Date, offset_millis: i64) {
    let start = zone.start_of_day(date);
    if let Ok(next) = date.tomorrow() {
        assert!(start <= zone.start_of_day(next), "{zone:?} {date}");
    }
    assert_eq!(DateOrInstant::On(date).in_zone(zone), start);
    // The first and last days of the calendar extend beyond the range of `Timestamp`.
    if (2..9_999).contains(&date.year()) {
        assert!(zone.local(start).date() >= date, "{zone:?} {date} starts at {start}");
        for before in [1, 1 + offset_millis] {
            let before = Timestamp::from_millis(start.as_millis() - before).unwrap();
            assert!(zone.local(before).date() < date, "{zone:?} {date} has already started at {before}");
        }
    }
}

fn check_ranges(zone: &Zone, from: Date, to: Date) {
    let range = EventRange::of_days(Some(from), Some(to), zone);
    assert_eq!(range.from, Some(zone.start_of_day(from)));
    assert_eq!(range.to, to.tomorrow().ok().map(|next| zone.start_of_day(next)));
    assert!(from > to || range.to.is_none() || range.from <= range.to, "{zone:?} {from} {to}");
    assert_eq!(EventRange::of_days(None, None, zone), EventRange::default());
}

fn check_periods(zone: &Zone, now: Timestamp) {
    let day = zone.day_of(now);
    let StatsPeriods { today, week } = StatsPeriods::at(now, zone);
    if (2..9_999).contains(&day.year()) {
        assert!(today.contains(&now), "{zone:?} {now} {today:?}");
        assert!(week.contains(&now), "{zone:?} {now} {week:?}");
        assert_eq!(today.start, zone.start_of_day(day));
        assert!(week.start <= today.start && today.end <= week.end, "{zone:?} {now}");
        let monday = (0..7).map(|back| day.saturating_sub(back.days())).find(|day| day.weekday() == Weekday::Monday);
        assert_eq!(monday.map(|monday| zone.start_of_day(monday)), Some(week.start), "{zone:?} {now}");
    }
}
