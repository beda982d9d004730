//! Generates timestamps, days and time zones. Most timestamps come from a short list, so that they are often equal.

use family_api_core::Timestamp;
use family_api_core::calendar::{EventRange, StatsPeriods, Zone, parse_date};
use jiff::SignedDuration;
use jiff::civil::Date;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

const INSTANTS: [&str; 16] = [
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00.001Z",
    "0999-12-31T23:59:59.999Z",
    "1582-10-10T12:00:00Z",
    "1969-12-31T23:59:59.999Z",
    "1970-01-01T00:00:00Z",
    "2024-02-29T12:00:00.010Z",
    "2026-11-01T04:30:00Z",
    "2026-11-19T22:00:00Z",
    "2026-11-20T10:15:30.122Z",
    "2026-11-20T10:15:30.123Z",
    "2026-11-20T10:15:30.124Z",
    "2026-11-20T10:15:31Z",
    "2026-11-27T10:15:30.100Z",
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59.999Z",
];

/// An ordinary day, days with a skipped or repeated midnight in one of [`ZONES`], a day that `Pacific/Apia` skipped,
/// and the first and last day of the calendar.
const DATES: [&str; 7] =
    ["2026-11-20", "2026-11-01", "2026-09-06", "2010-11-07", "2011-12-30", "0001-01-01", "9999-12-31"];

const ZONES: [&str; 8] = [
    "UTC",
    "Europe/Kyiv",
    "America/Havana",
    "America/Santiago",
    "America/St_Johns",
    "Asia/Kolkata",
    "Pacific/Apia",
    "Etc/GMT+12",
];

/// Returns the start time of every sequence.
pub(crate) fn start_time() -> Timestamp {
    "2026-11-20T10:15:30.123Z".parse().unwrap()
}

pub(super) fn instant() -> impl Strategy<Value = Timestamp> {
    let any = Timestamp::MIN.as_millis()..=Timestamp::MAX.as_millis();
    prop_oneof![
        5 => select(&INSTANTS[..]).prop_map(|text| text.parse().unwrap()),
        1 => any.prop_map(|millis| Timestamp::from_millis(millis).unwrap()),
    ]
}

/// Generates a timestamp, mostly near the start time of the sequence.
pub(super) fn mostly_recent_instant() -> impl Strategy<Value = Timestamp> {
    prop_oneof![3 => instant_near(start_time()), 1 => instant()]
}

/// Generates an expiry time. Most expiry times are hours or days after `now`, the others are close to `now`.
pub(super) fn expiry(now: Timestamp) -> impl Strategy<Value = Timestamp> {
    let offset = select(&[400_000_000, 400_000_000, 7_200_000, 60_000, 1, 0, -1][..]);
    offset.prop_map(move |millis| now.saturating_add(SignedDuration::from_millis(millis)))
}

/// Generates the duration until the next step.
pub(super) fn wait() -> impl Strategy<Value = SignedDuration> {
    select(&[0, 0, 0, 0, 0, 0, 1, 1, 877, 877, 60_000, 3_600_000, 90_000_000][..]).prop_map(SignedDuration::from_millis)
}

/// Generates a timestamp at, shortly before or shortly after `now`.
pub(super) fn instant_near(now: Timestamp) -> impl Strategy<Value = Timestamp> {
    let offset = select(&[0, 1, -1, 1_000, 3_600_000, -90_000_000, 400_000_000][..]);
    offset.prop_map(move |millis| now.saturating_add(SignedDuration::from_millis(millis)))
}

pub(super) fn day() -> impl Strategy<Value = Date> {
    select(&DATES[..]).prop_map(|day| parse_date(day).unwrap())
}

pub(super) fn zone() -> impl Strategy<Value = Zone> {
    select(&ZONES[..]).prop_map(|name| name.parse().unwrap())
}

pub(super) fn range() -> impl Strategy<Value = EventRange> {
    (option::of(instant()), option::of(instant())).prop_map(|(from, to)| EventRange { from, to })
}

pub(super) fn periods(now: Timestamp) -> impl Strategy<Value = StatsPeriods> {
    (instant_near(now), zone()).prop_map(|(at, zone)| StatsPeriods::at(at, &zone))
}
