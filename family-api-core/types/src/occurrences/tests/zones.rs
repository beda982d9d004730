//! Events recur in their own zone. The zone of the reader only says which instants a day has.

use super::super::Occurrences;
use super::{all_day, event, find, with_zone};
use crate::resource::Event;

const READERS: [&str; 4] = ["Europe/Kyiv", "America/New_York", "Australia/Lord_Howe", "Etc/GMT+12"];

fn starts(found: &Occurrences) -> Vec<String> {
    assert!(!found.is_cut && found.unexpanded.is_empty());
    found.items.iter().map(|item| item.start_date.to_string()).collect()
}

fn piano() -> Event {
    // Tuesdays at 18:30 in Kyiv.
    with_zone("Europe/Kyiv", event("2026-03-03T16:30:00Z", "2026-03-03T17:15:00Z", "FREQ=WEEKLY;BYDAY=TU"))
}

#[test]
fn every_reader_gets_the_same_instants() {
    // New York changes its clocks on 8 March, Kyiv on 29 March and Lord Howe on 5 April.
    for reader in READERS {
        let found = find(&[piano()], reader, "2026-03-01", "2026-04-08");
        let expected = ["03-03T16", "03-10T16", "03-17T16", "03-24T16", "03-31T15", "04-07T15"];
        assert_eq!(starts(&found), expected.map(|at| format!("2026-{at}:30:00.000Z")), "{reader}");
        let ids: Vec<_> = found.items.iter().map(|item| item.recurrence_id.unwrap().to_string()).collect();
        assert!(ids.iter().all(|id| id.ends_with("T18:30:00")), "{reader} {ids:?}");
        assert_eq!(found.items[4].id.as_str(), "e@20260331T153000Z");
        assert_eq!(found.items[4].time_zone, piano().time_zone);
    }
}

#[test]
fn a_weekday_is_that_of_the_zone_of_the_event() {
    // 01:00 on Tuesday in Kyiv is Monday evening in New York.
    let night = event("2026-12-07T23:00:00Z", "2026-12-08T00:00:00Z", "FREQ=WEEKLY;BYDAY=TU");
    let found = find(&[with_zone("Europe/Kyiv", night.clone())], "America/New_York", "2026-12-07", "2026-12-21");
    let expected = ["2026-12-07", "2026-12-14", "2026-12-21"].map(|day| format!("{day}T23:00:00.000Z"));
    assert_eq!(starts(&found), expected);
    // Without a zone, the reader's counts: the event on Monday is no occurrence of its rule, except the first one.
    let found = find(&[night], "America/New_York", "2026-12-07", "2026-12-15");
    let expected = ["2026-12-07", "2026-12-08", "2026-12-15"].map(|day| format!("{day}T23:00:00.000Z"));
    assert_eq!(starts(&found), expected);
}

#[test]
fn the_days_of_a_query_are_those_of_the_reader() {
    let found = find(&[piano()], "Pacific/Auckland", "2026-03-11", "2026-03-11");
    assert_eq!(starts(&found), ["2026-03-10T16:30:00.000Z"]);
    assert!(starts(&find(&[piano()], "Pacific/Auckland", "2026-03-10", "2026-03-10")).is_empty());
    assert_eq!(starts(&find(&[piano()], "Europe/Kyiv", "2026-03-10", "2026-03-10")).len(), 1);
}

#[test]
fn an_all_day_event_is_on_the_same_date_for_every_reader() {
    for (zone, midnight) in [("Europe/Kyiv", "2026-03-01T22:00:00Z"), ("America/New_York", "2026-03-02T05:00:00Z")] {
        for recurrence in ["", "FREQ=YEARLY", "FREQ=DAILY;COUNT=1"] {
            let birthday = with_zone(zone, all_day(midnight, midnight, recurrence));
            for reader in READERS {
                for (day, expected) in [("2026-03-01", 0), ("2026-03-02", 1), ("2026-03-03", 0)] {
                    let found = find(std::slice::from_ref(&birthday), reader, day, day);
                    assert_eq!(starts(&found).len(), expected, "{zone} {recurrence} {reader} {day}");
                }
            }
        }
        let found = find(
            &[with_zone(zone, all_day(midnight, midnight, "FREQ=YEARLY"))],
            "Asia/Tokyo",
            "2027-03-01",
            "2027-03-03",
        );
        let found: Vec<_> =
            found.items.iter().map(|item| (item.id.as_str(), item.recurrence_id.unwrap().to_string())).collect();
        assert_eq!(found, [("e@20270302", "2027-03-02".to_owned())]);
    }
}

#[test]
fn until_and_exdate_are_read_in_the_zone_of_the_event() {
    let recurrence = "FREQ=DAILY;UNTIL=20261211\nEXDATE:20261209T010000\nEXDATE;VALUE=DATE:20261210";
    let night = with_zone("Europe/Kyiv", event("2026-12-07T23:00:00Z", "2026-12-08T00:00:00Z", recurrence));
    let found = find(&[night], "America/New_York", "2026-12-01", "2026-12-31");
    assert_eq!(starts(&found), ["2026-12-07T23:00:00.000Z", "2026-12-10T23:00:00.000Z"]);
}

#[test]
fn a_zone_that_is_not_known_counts_as_none() {
    let mut piano = piano();
    piano.time_zone = Some(crate::calendar::ZoneName::stored("Europe/Nowhere".to_owned()));
    let found = find(&[piano.clone()], "America/New_York", "2026-03-03", "2026-03-10");
    assert_eq!(starts(&found), ["2026-03-03T16:30:00.000Z", "2026-03-10T15:30:00.000Z"]);
    assert_eq!(found.items[0].time_zone, piano.time_zone);
}

#[test]
fn an_event_that_starts_after_the_range_takes_no_steps() {
    // The longest recurrence, so often that the steps of the query would end.
    let text = format!("FREQ=WEEKLY\nEXDATE:{}20261101", "20261101,".repeat(440));
    let later = with_zone("Europe/Kyiv", event("2027-01-05T10:00:00Z", "2027-01-05T11:00:00Z", &text));
    let later_day = with_zone("Europe/Kyiv", all_day("2026-12-31T22:00:00Z", "2026-12-31T22:00:00Z", &text));
    let events = [vec![later; 400], vec![later_day; 400]].concat();
    assert!(starts(&find(&events, "Europe/Kyiv", "2026-12-01", "2026-12-31")).is_empty());
    assert!(find(&events, "Europe/Kyiv", "2026-12-31", "2027-01-05").is_cut);
}
