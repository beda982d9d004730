use super::{event, find, starts};

const KYIV: &str = "Europe/Kyiv";

#[test]
fn a_weekly_event_keeps_its_local_time_across_a_clock_change() {
    let piano = event("2026-10-19T15:30:00Z", "2026-10-19T16:15:00Z", "FREQ=WEEKLY");
    let found = starts(&piano, KYIV, "2026-10-19", "2026-11-02");
    assert_eq!(found, ["2026-10-19 18:30", "2026-10-26 18:30", "2026-11-02 18:30"]);
    let items = find(&[piano], KYIV, "2026-10-26", "2026-10-26").items;
    assert_eq!(items[0].start_date.to_string(), "2026-10-26T16:30:00.000Z");
    assert_eq!(items[0].end_date.to_string(), "2026-10-26T17:15:00.000Z");
    assert_eq!((items[0].id.as_str(), items[0].occurrence_of.as_str()), ("e@20261026T163000Z", "e"));
}

#[test]
fn a_skipped_time_moves_forward_and_a_repeated_one_is_the_first() {
    let spring = event("2026-03-28T01:30:00Z", "2026-03-28T02:00:00Z", "FREQ=DAILY");
    let found = starts(&spring, KYIV, "2026-03-28", "2026-03-30");
    assert_eq!(found, ["2026-03-28 03:30", "2026-03-29 04:30", "2026-03-30 03:30"]);
    let autumn = event("2026-10-24T00:30:00Z", "2026-10-24T01:00:00Z", "FREQ=DAILY");
    let items = find(&[autumn], KYIV, "2026-10-25", "2026-10-25").items;
    assert_eq!(items[0].start_date.to_string(), "2026-10-25T00:30:00.000Z");
}

#[test]
fn two_times_that_become_one_are_one_occurrence() {
    let twice = event("2026-03-28T01:30:00Z", "2026-03-28T02:00:00Z", "FREQ=DAILY;BYHOUR=3,4");
    assert_eq!(starts(&twice, KYIV, "2026-03-29", "2026-03-29"), ["2026-03-29 04:30"]);
}

#[test]
fn the_event_is_the_first_occurrence_even_if_its_rule_does_not_match() {
    // The event is on a Tuesday.
    let start = |rule| event("2026-11-24T10:00:00Z", "2026-11-24T11:00:00Z", rule);
    let found = starts(&start("FREQ=WEEKLY;BYDAY=MO;COUNT=3"), "UTC", "2026-11-01", "2026-12-31");
    assert_eq!(found, ["2026-11-24 10:00", "2026-11-30 10:00", "2026-12-07 10:00"]);
    let found = starts(&start("FREQ=WEEKLY;BYDAY=MO;UNTIL=20261101"), "UTC", "2026-11-01", "2026-12-31");
    assert_eq!(found, ["2026-11-24 10:00"]);
    let found = starts(&start("FREQ=WEEKLY;COUNT=2\nEXDATE:20261124T100000Z"), "UTC", "2026-11-01", "2026-12-31");
    assert_eq!(found, ["2026-12-01 10:00"]);
}

#[test]
fn an_occurrence_that_overlaps_the_range_is_in_it() {
    let night = event("2026-11-20T22:00:00Z", "2026-11-21T06:00:00Z", "FREQ=DAILY;COUNT=2");
    assert_eq!(starts(&night, "UTC", "2026-11-22", "2026-11-22"), ["2026-11-21 22:00"]);
    let until_midnight = event("2026-11-20T22:00:00Z", "2026-11-21T00:00:00Z", "");
    assert!(starts(&until_midnight, "UTC", "2026-11-21", "2026-11-21").is_empty());
    let moment = event("2026-11-21T00:00:00Z", "2026-11-21T00:00:00Z", "FREQ=WEEKLY");
    assert_eq!(starts(&moment, "UTC", "2026-11-27", "2026-11-28"), ["2026-11-28 00:00"]);
    assert!(starts(&moment, "UTC", "2026-11-27", "2026-11-27").is_empty());
}

#[test]
fn until_is_inclusive_in_each_of_its_forms() {
    for until in ["20261125", "20261125T183000", "20261125T163000Z"] {
        let daily = event("2026-11-23T16:30:00.250Z", "2026-11-23T17:00:00Z", &format!("FREQ=DAILY;UNTIL={until}"));
        let found = starts(&daily, KYIV, "2026-11-01", "2026-12-31");
        assert_eq!(found, ["2026-11-23 18:30", "2026-11-24 18:30", "2026-11-25 18:30"], "{until}");
    }
    let daily = event("2026-11-23T16:30:00Z", "2026-11-23T17:00:00Z", "FREQ=DAILY;UNTIL=20261124T162959Z");
    assert_eq!(starts(&daily, KYIV, "2026-11-01", "2026-12-31"), ["2026-11-23 18:30"]);
}

#[test]
fn exdate_and_rdate_work_in_each_of_their_forms() {
    for moment in [
        ";VALUE=DATE:20261124",
        ":20261124T183000",
        ":20261124T163000Z",
        ";TZID=Europe/Kyiv:20261124T183000",
        ";TZID=America/New_York:20261124T113000",
    ] {
        let excluded = format!("FREQ=DAILY;COUNT=3\nEXDATE{moment}");
        let daily = event("2026-11-23T16:30:00Z", "2026-11-23T17:00:00Z", &excluded);
        let found = starts(&daily, KYIV, "2026-11-01", "2026-12-31");
        assert_eq!(found, ["2026-11-23 18:30", "2026-11-25 18:30"], "{moment}");
        let added =
            event("2026-11-23T16:30:00Z", "2026-11-23T17:00:00Z", &format!("FREQ=WEEKLY;COUNT=1\nRDATE{moment}"));
        let found = starts(&added, KYIV, "2026-11-01", "2026-12-31");
        assert_eq!(found, ["2026-11-23 18:30", "2026-11-24 18:30"], "{moment}");
    }
}

#[test]
fn weekdays_with_and_without_numbers_are_alternatives() {
    let both = event("2026-11-02T10:00:00Z", "2026-11-02T11:00:00Z", "FREQ=MONTHLY;BYDAY=MO,2TU");
    let found = starts(&both, "UTC", "2026-11-02", "2026-11-30");
    let days: Vec<_> = found.iter().map(|start| &start[8..10]).collect();
    assert_eq!(days, ["02", "09", "10", "16", "23", "30"]);
}

#[test]
fn a_week_number_takes_its_weekday_from_the_event() {
    let weekly = event("2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z", "FREQ=YEARLY;BYWEEKNO=1,20,-1");
    let found = starts(&weekly, "UTC", "2026-01-02", "2027-01-01");
    assert_eq!(found, ["2026-05-14 10:00", "2026-12-31 10:00"]);
}

#[test]
fn a_local_exdate_excludes_an_event_in_the_second_of_two_hours() {
    // 03:30 in Kyiv occurs twice on this day. The event is in the second one.
    for (excluded, expected) in [
        (":20261025T033000", vec!["2026-10-26 03:30"]),
        (";TZID=Europe/Kyiv:20261025T033000", vec!["2026-10-25 03:30", "2026-10-26 03:30"]),
        (":20261025T013000Z", vec!["2026-10-26 03:30"]),
        (":20261025T003000Z", vec!["2026-10-25 03:30", "2026-10-26 03:30"]),
    ] {
        let rule = format!("FREQ=DAILY;COUNT=2\nEXDATE{excluded}");
        let daily = event("2026-10-25T01:30:00.250Z", "2026-10-25T02:00:00Z", &rule);
        assert_eq!(starts(&daily, KYIV, "2026-10-25", "2026-10-26"), expected, "{excluded}");
    }
}

#[test]
fn an_rdate_before_the_start_is_ignored_in_every_range() {
    let rule = "FREQ=DAILY;COUNT=2\nRDATE:20261120T100000Z,20261123T100000Z,20261125T100000Z";
    let daily = event("2026-11-23T10:00:00Z", "2026-11-23T11:00:00Z", rule);
    let found = starts(&daily, "UTC", "2026-11-01", "2026-11-30");
    assert_eq!(found, ["2026-11-23 10:00", "2026-11-24 10:00", "2026-11-25 10:00"]);
}

#[test]
fn two_starts_in_the_same_second_are_one_occurrence() {
    let rule = "FREQ=DAILY;COUNT=2\nRDATE:20261124T100000Z,20261123T100000Z";
    let daily = event("2026-11-23T10:00:00.250Z", "2026-11-23T11:00:00Z", rule);
    let items = find(&[daily], "UTC", "2026-11-01", "2026-11-30").items;
    let ids: Vec<_> = items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids, ["e@20261123T100000Z", "e@20261124T100000Z"]);
}
