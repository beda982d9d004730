use super::{all_day, find, starts};

#[test]
fn the_end_day_is_inclusive_unless_the_event_ends_when_it_begins() {
    for (end, last) in [
        ("2026-11-19T22:00:00Z", "2026-11-20"),
        ("2026-11-20T22:00:00Z", "2026-11-20"),
        ("2026-11-20T22:00:00.001Z", "2026-11-21"),
        ("2026-11-21T21:59:59.999Z", "2026-11-21"),
        ("2026-11-21T22:00:00Z", "2026-11-21"),
    ] {
        let trip = all_day("2026-11-19T22:00:00Z", end, "");
        for day in ["2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"] {
            let expected = usize::from(("2026-11-20"..=last).contains(&day));
            assert_eq!(starts(&trip, "Europe/Kyiv", day, day).len(), expected, "{end} {day}");
        }
    }
}

#[test]
fn an_event_that_ends_at_midnight_repeats_until_midnight() {
    let weekly = all_day("2026-10-17T21:00:00Z", "2026-10-18T21:00:00Z", "FREQ=WEEKLY");
    let items = find(&[weekly], "Europe/Kyiv", "2026-10-25", "2026-10-25").items;
    assert_eq!(items.len(), 1);
    assert_eq!(items[0].start_date.to_string(), "2026-10-24T21:00:00.000Z");
    assert_eq!(items[0].end_date.to_string(), "2026-10-25T22:00:00.000Z");
}

#[test]
fn an_occurrence_keeps_its_number_of_days_across_a_clock_change() {
    let weekend = all_day("2026-10-16T21:00:00Z", "2026-10-18T20:59:59.999Z", "FREQ=WEEKLY");
    let items = find(&[weekend], "Europe/Kyiv", "2026-10-25", "2026-10-25").items;
    assert_eq!(items.len(), 1);
    assert_eq!(items[0].start_date.to_string(), "2026-10-23T21:00:00.000Z");
    assert_eq!(items[0].end_date.to_string(), "2026-10-25T21:59:59.999Z");
    assert_eq!(items[0].id.as_str(), "e@20261024");
}

#[test]
fn a_day_without_midnight_begins_after_the_gap() {
    let daily = all_day("2026-09-05T04:00:00Z", "2026-09-05T04:00:00Z", "FREQ=DAILY");
    let items = find(&[daily], "America/Santiago", "2026-09-06", "2026-09-06").items;
    assert_eq!(items.len(), 1);
    assert_eq!(items[0].start_date.to_string(), "2026-09-06T04:00:00.000Z");
}

#[test]
fn an_event_at_a_day_without_midnight_repeats_from_midnight_to_midnight() {
    // The clock is set from 00:00 to 01:00 of the 6th, when the first event ends and the second one starts.
    for (start, end, next) in [
        ("2026-09-04T04:00:00Z", "2026-09-06T04:00:00Z", ["2026-09-11T03:00:00.000Z", "2026-09-13T03:00:00.000Z"]),
        ("2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z", ["2026-09-13T03:00:00.000Z", "2026-09-14T03:00:00.000Z"]),
    ] {
        let weekly = all_day(start, end, "FREQ=WEEKLY");
        let item = &find(&[weekly], "America/Santiago", "2026-09-10", "2026-09-16").items[0];
        assert_eq!([item.start_date.to_string(), item.end_date.to_string()], next);
    }
}

#[test]
fn a_gap_before_midnight_does_not_make_an_event_longer() {
    // At 23:00 of the 29th the clock is set to 00:00 of the 30th.
    let daily = all_day("2025-03-28T02:00:00Z", "2025-03-29T01:59:59Z", "FREQ=DAILY");
    let items = find(&[daily], "America/Nuuk", "2025-03-29", "2025-03-29").items;
    assert_eq!(items.len(), 1);
    assert_eq!(items[0].end_date.to_string(), "2025-03-30T00:59:59.999Z");
}

#[test]
fn until_and_exdate_mean_days() {
    for (until, excluded) in [
        ("20261125", ";VALUE=DATE:20261124"),
        ("20261125T000000", ":20261124T000000"),
        ("20261124T220000Z", ":20261123T220000Z"),
        ("20261125T215959Z", ";TZID=America/New_York:20261124T090000"),
    ] {
        let rule = format!("FREQ=DAILY;UNTIL={until}\nEXDATE{excluded}");
        let found = starts(
            &all_day("2026-11-22T22:00:00Z", "2026-11-22T22:00:00Z", &rule),
            "Europe/Kyiv",
            "2026-11-01",
            "2026-12-31",
        );
        assert_eq!(found, ["2026-11-23 00:00", "2026-11-25 00:00"], "{rule}");
    }
}

#[test]
fn times_in_the_rule_are_ignored() {
    let daily = all_day("2026-11-23T00:00:00Z", "2026-11-23T00:00:00Z", "FREQ=DAILY;BYHOUR=9,17;COUNT=2");
    assert_eq!(starts(&daily, "UTC", "2026-11-01", "2026-12-31"), ["2026-11-23 00:00", "2026-11-24 00:00"]);
}

#[test]
fn a_birthday_on_a_leap_day_recurs_in_leap_years() {
    let birthday = all_day("2020-02-29T00:00:00Z", "2020-02-29T00:00:00Z", "FREQ=YEARLY");
    assert_eq!(starts(&birthday, "UTC", "2028-01-01", "2028-12-31"), ["2028-02-29 00:00"]);
    assert!(starts(&birthday, "UTC", "2027-01-01", "2027-12-31").is_empty());
}

#[test]
fn an_rdate_before_the_first_day_is_ignored() {
    let daily = all_day("2026-11-23T00:00:00Z", "2026-11-23T00:00:00Z", "FREQ=WEEKLY;COUNT=1\nRDATE:20261120,20261125");
    assert_eq!(starts(&daily, "UTC", "2026-11-01", "2026-11-30"), ["2026-11-23 00:00", "2026-11-25 00:00"]);
}

#[test]
fn the_last_day_of_the_calendar_has_an_occurrence() {
    for rule in ["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=FR", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=YEARLY;BYYEARDAY=-1"] {
        let daily = all_day("2026-11-23T00:00:00Z", "2026-11-23T00:00:00Z", rule);
        assert_eq!(starts(&daily, "UTC", "9999-12-31", "9999-12-31"), ["9999-12-31 00:00"], "{rule}");
    }
}
