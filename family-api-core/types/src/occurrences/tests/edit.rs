use jiff::civil::{DateTime, date};
use proptest::prelude::*;
use proptest::sample::select;

use super::super::LocalStart;
use super::super::edit::{end_before, exclude, include, split};
use super::random_series::{event_at, local_start, occurrences, series};
use super::{all_day, event};
use crate::calendar::Zone;
use crate::resource::Event;

/// Returns the event with another recurrence that starts at a local time.
fn moved(event: &Event, local: DateTime, recurrence: String, zone: &Zone) -> Event {
    let at = event_at(local, event.all_day, "", zone);
    Event { start_date: at.start_date, end_date: at.end_date, recurrence: Some(recurrence), ..event.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_parts_of_a_split_have_the_occurrences_of_the_series(
        (event, zone, local) in series(),
    ) {
        let parts = split(&event, &zone, local_start(&event, local)).unwrap();
        let before = Event { recurrence: Some(parts.before.clone()), ..event.clone() };
        let following = moved(&event, local, parts.following.clone(), &zone);
        let first = zone.local(event.start_date).date();
        let found = [occurrences(&before, &zone, first), occurrences(&following, &zone, first)].concat();
        let shown = format!("{:?} at {local}: {parts:?}", event.recurrence);
        prop_assert_eq!(found, occurrences(&event, &zone, first), "{}", shown);
        prop_assert_eq!(end_before(&event, &zone, local_start(&event, local)), Some(parts.before));
    }

    #[test]
    fn an_excluded_occurrence_can_be_included_again(
        (event, zone, local) in series(),
        end in select(vec!["", "\n", "\r\n ", "  "]),
    ) {
        let text = format!("{}{end}", event.recurrence.as_deref().unwrap());
        let start = local_start(&event, local);
        let excluded = exclude(&text, start);
        let first = zone.local(event.start_date).date();
        let expected = occurrences(&event, &zone, first);
        let left = occurrences(&Event { recurrence: Some(excluded.clone()), ..event.clone() }, &zone, first);
        prop_assert_eq!(left.len() + 1, expected.len(), "{:?} without {}", text, start);
        prop_assert!(left.iter().all(|occurrence| expected.contains(occurrence)));
        prop_assert_eq!(include(&excluded, start, &zone, false), Some(text));
    }
}

const TIME: &str = "20261208T183000";

fn time() -> LocalStart {
    LocalStart::from(date(2026, 12, 8).at(18, 30, 0, 0))
}

fn day() -> LocalStart {
    date(2026, 12, 8).into()
}

#[test]
fn an_exdate_goes_to_a_line_of_its_form_and_leaves_no_trace() {
    let kyiv: Zone = "Europe/Kyiv".parse().unwrap();
    for (text, start, expected) in [
        ("FREQ=DAILY", time(), "FREQ=DAILY\nEXDATE:20261208T183000"),
        ("FREQ=DAILY", day(), "FREQ=DAILY\nEXDATE;VALUE=DATE:20261208"),
        ("FREQ=DAILY\r\nRDATE:20261208\r\n", time(), "FREQ=DAILY\r\nRDATE:20261208\r\nEXDATE:20261208T183000\r\n"),
        (
            "exdate:20261201T183000\nrrule:freq=daily",
            time(),
            "exdate:20261201T183000,20261208T183000\nrrule:freq=daily",
        ),
        (
            "FREQ=DAILY\nEXDATE;TZID=UTC:20261201T183000",
            time(),
            "FREQ=DAILY\nEXDATE;TZID=UTC:20261201T183000\nEXDATE:20261208T183000",
        ),
        ("FREQ=DAILY\nEXDATE;value=date:20261201", day(), "FREQ=DAILY\nEXDATE;value=date:20261201,20261208"),
        // A folded line.
        (
            "FREQ=DAILY\nEXDATE:2026\n 1201T183000\nRDATE:20261203",
            time(),
            "FREQ=DAILY\nEXDATE:2026\n 1201T183000,20261208T183000\nRDATE:20261203",
        ),
        (
            "FREQ=DA\r\n\tILY\r\nEXD\r\n ATE:20261201T183000",
            time(),
            "FREQ=DA\r\n\tILY\r\nEXD\r\n ATE:20261201T183000,20261208T183000",
        ),
    ] {
        assert_eq!(exclude(text, start), expected);
        assert_eq!(include(expected, start, &kyiv, false).as_deref(), Some(text));
    }
}

#[test]
fn every_form_of_an_exdate_is_removed() {
    let kyiv: Zone = "Europe/Kyiv".parse().unwrap();
    for line in [
        ":20261208T183000",
        ":20261208T163000Z",
        ";TZID=America/New_York:20261208T113000",
        ";VALUE=DATE:20261208",
        ":2026\n 1208T183000",
    ] {
        let text = format!("EXDATE{line}\nFREQ=DAILY\nEXDATE:20261201T183000,{TIME},20261202T183000");
        let left = "FREQ=DAILY\nEXDATE:20261201T183000,20261202T183000";
        assert_eq!(include(&text, time(), &kyiv, false).as_deref(), Some(left), "{line}");
        assert_eq!(include(left, time(), &kyiv, false), None);
        let all_day = format!("FREQ=DAILY\nEXDATE{line}");
        assert_eq!(include(&all_day, day(), &kyiv, false).as_deref(), Some("FREQ=DAILY"), "{line}");
    }
    // The day excludes two occurrences.
    assert_eq!(include("FREQ=DAILY;BYHOUR=10,18\nEXDATE;VALUE=DATE:20261208", time(), &kyiv, false), None);
    assert_eq!(include("every day", time(), &kyiv, false), None);
}

#[test]
fn a_split_keeps_what_it_does_not_change() {
    let utc = Zone::utc();
    let text = "rrule:Freq=Daily;count=10;Interval=2;\nRDATE:20261201T120000,20261230T120000\n\
                EXDATE:20261207T100000,20261213T100000";
    let series = event("2026-12-01T10:00:00Z", "2026-12-01T11:00:00Z", text);
    let at = LocalStart::from(date(2026, 12, 9).at(10, 0, 0, 0));
    let parts = split(&series, &utc, at).unwrap();
    assert_eq!(parts.before, "rrule:Freq=Daily;count=4;Interval=2;\nRDATE:20261201T120000\nEXDATE:20261207T100000");
    assert_eq!(parts.following, "rrule:Freq=Daily;count=6;Interval=2;\nRDATE:20261230T120000\nEXDATE:20261213T100000");
    for (rule, before) in [
        ("FREQ=DAILY", "FREQ=DAILY;UNTIL=20261209T095959Z"),
        ("UNTIL=20270101;FREQ=DAILY", "UNTIL=20261209T095959Z;FREQ=DAILY"),
    ] {
        let series = event("2026-12-01T10:00:00Z", "2026-12-01T11:00:00Z", rule);
        let parts = split(&series, &utc, at).unwrap();
        assert_eq!((parts.before.as_str(), parts.following.as_str()), (before, rule));
    }
    let days = all_day("2026-12-01T00:00:00Z", "2026-12-02T00:00:00Z", "FREQ=DAILY");
    assert_eq!(end_before(&days, &utc, day()).as_deref(), Some("FREQ=DAILY;UNTIL=20261207"));
}

#[test]
fn a_series_that_starts_at_a_skipped_time_keeps_its_rule() {
    let kyiv: Zone = "Europe/Kyiv".parse().unwrap();
    let series = event("2026-03-26T01:30:00Z", "2026-03-26T02:00:00Z", "FREQ=DAILY;COUNT=9\nRDATE;VALUE=DATE:20260510");
    let parts = split(&series, &kyiv, LocalStart::from(date(2026, 3, 29).at(3, 30, 0, 0))).unwrap();
    assert_eq!(parts.following, "FREQ=DAILY;COUNT=6;BYHOUR=3\nRDATE:20260510T033000");
}

#[test]
fn a_series_is_split_only_at_an_occurrence_of_its_rule() {
    let utc = Zone::utc();
    let at = |day| LocalStart::from(date(2026, 12, day).at(10, 0, 0, 0));
    let series = |rule: &str| event("2026-12-01T10:00:00Z", "2026-12-01T11:00:00Z", rule);
    let added = series("FREQ=DAILY;INTERVAL=2;COUNT=4\nRDATE:20261204T100000,20261206T100000");
    assert_eq!(split(&added, &utc, at(4)), None);
    // The series can end there.
    assert_eq!(end_before(&added, &utc, at(4)).as_deref(), Some("FREQ=DAILY;INTERVAL=2;COUNT=2"));
    for rule in ["FREQ=DAILY;COUNT=3", "FREQ=DAILY;UNTIL=20261203T095959Z", "FREQ=WEEKLY", "every day", ""] {
        assert_eq!(split(&series(rule), &utc, at(4)), None, "{rule}");
    }
    let sparse =
        event("0001-01-01T10:00:00Z", "0001-01-01T11:00:00Z", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=10000");
    let late = LocalStart::from(date(9996, 2, 29).at(10, 0, 0, 0));
    assert_eq!((split(&sparse, &utc, late), end_before(&sparse, &utc, late)), (None, None));
}
