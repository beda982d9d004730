//! Days, weeks and ranges in every time zone (HTTP reference, "Instants and dates").

use std::sync::LazyLock;

use arbitrary::{Arbitrary, Unstructured};
use family_api_core::Timestamp;
use family_api_core::calendar::{EventRange, StatsPeriods, Zone};
use family_api_core::change::DueDate;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;

/// All time zones of this build.
static ZONES: LazyLock<Vec<Zone>> =
    LazyLock::new(|| jiff::tz::db().available().filter_map(|name| name.as_str().parse().ok()).collect());

/// A generated query of a zone.
#[derive(Arbitrary, Debug)]
struct Input {
    zone: u16,
    days: [(u16, u16); 2],
    at: i64,
    earlier: u32,
}

/// A day starts at its first instant. Days have no gaps between them. "Today" and the week contain "now".
pub fn calendar(data: &[u8]) {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let zone = &ZONES[usize::from(input.zone) % ZONES.len()];
    let [first, second] = input.days.map(|(year, day)| date(year, day));
    for day in [first, changing(zone, first)] {
        start(zone, day, i64::from(input.earlier));
        ranges(zone, day, second);
        now(zone, near(zone, day, input.earlier));
    }
    let span = Timestamp::MAX.as_millis() - Timestamp::MIN.as_millis();
    let at = Timestamp::from_millis(Timestamp::MIN.as_millis() + input.at.rem_euclid(span)).unwrap();
    now(zone, at);
}

fn date(year: u16, day: u16) -> Date {
    let year = i16::try_from(1 + year % 9_999).unwrap();
    Date::new(year, 1, 1).unwrap().saturating_add((i64::from(day) % 366).days())
}

/// Returns the next day on which the zone changes its clock, if any.
fn changing(zone: &Zone, from: Date) -> Date {
    let rules = TimeZone::get(zone.as_str()).unwrap();
    let from = from.to_zoned(TimeZone::UTC).map_or(jiff::Timestamp::MAX, |from| from.timestamp());
    let change = rules.following(from).next().map_or(from, |change| change.timestamp());
    change.to_zoned(rules).date()
}

/// Returns an instant in the hours around the start of a day, when clock changes are likely.
fn near(zone: &Zone, date: Date, earlier: u32) -> Timestamp {
    let millis = zone.start_of_day(date).as_millis() + i64::from(earlier) % 7_200_000 - 3_600_000;
    Timestamp::from_millis(millis).unwrap_or(Timestamp::MIN)
}

fn start(zone: &Zone, date: Date, earlier: i64) {
    let start = zone.start_of_day(date);
    if let Ok(next) = date.tomorrow() {
        assert!(start <= zone.start_of_day(next), "{zone:?} {date}");
    }
    assert_eq!(DueDate::On(date).in_zone(zone), start);
    // The first and last days of the calendar extend beyond the range of `Timestamp`.
    if (2..9_999).contains(&date.year()) {
        assert!(zone.local(start).date() >= date, "{zone:?} {date} begins at {start}");
        for before in [1, 1 + earlier] {
            let before = Timestamp::from_millis(start.as_millis() - before).unwrap();
            assert!(zone.local(before).date() < date, "{zone:?} {date} has begun at {before}");
        }
    }
}

fn ranges(zone: &Zone, from: Date, to: Date) {
    let range = EventRange::of_days(Some(from), Some(to), zone);
    assert_eq!(range.from, Some(zone.start_of_day(from)));
    assert_eq!(range.to, to.tomorrow().ok().map(|next| zone.start_of_day(next)));
    assert!(from > to || range.to.is_none() || range.from <= range.to, "{zone:?} {from} {to}");
    assert_eq!(EventRange::of_days(None, None, zone), EventRange::default());
}

fn now(zone: &Zone, now: Timestamp) {
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
