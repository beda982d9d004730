//! Changes of the occurrences of a recurring event: what stays, what moves and what is refused.

use super::at;
use super::occurrence_rules::{all, camp, change, dates, end, piano, refused, restore, with, written};
use crate::calendar::ZoneName;
use crate::change::{EventChange, EventUpdate};
use crate::occurrences::{Override, Overrides};
use crate::resource::Event;

/// Returns the event with a change of an occurrence, which takes the first hour after `start`.
pub(super) fn with_override(event: Event, key: &str, start: &str, title: Option<&str>) -> Event {
    let start = at(start);
    let end = start.saturating_add(jiff::SignedDuration::from_hours(1));
    let title = title.map(str::to_owned);
    let mut overrides = event.overrides.clone().into_vec();
    overrides.push(Override { title, ..Override::new(key.parse().unwrap(), start, end) });
    Event { overrides: Overrides::new(overrides).unwrap(), ..event }
}

#[test]
fn an_excluded_occurrence_stays_shown_without_differences() {
    let excluded = with(piano(), "FREQ=WEEKLY\nEXDATE:20261208T183000");
    let event = with_override(excluded, "2026-12-08T18:30:00", "2026-12-08T16:30:00Z", Some("Recital"));
    let same = written(change("20261208T163000Z", &EventChange::new().title("Piano")), event);
    assert_eq!(same.overrides.as_slice().len(), 1);
    assert_eq!(same.overrides.as_slice()[0].title, None);
}

#[test]
fn a_rule_that_ends_earlier_is_not_extended() {
    for (until, line, start) in [
        ("20261201T163000Z", "20261210T183000", "20261210T163000Z"),
        ("20261201", "20261210T183000", "20261210T163000Z"),
        ("20261201T183000", "20261210T183000", "20261210T163000Z"),
    ] {
        let event = with(piano(), &format!("FREQ=WEEKLY;UNTIL={until}\nRDATE:{line}"));
        let ended = written(end(start), event);
        assert_eq!(ended.recurrence.unwrap(), format!("FREQ=WEEKLY;UNTIL={until}"));
    }
    let days = with(camp(), "FREQ=WEEKLY;UNTIL=20261201\nRDATE;VALUE=DATE:20261210");
    assert_eq!(written(end("20261210"), days).recurrence.as_deref(), Some("FREQ=WEEKLY;UNTIL=20261201"));
    let later = with(piano(), "FREQ=WEEKLY;UNTIL=20261222\nRDATE:20261210T183000");
    let ended = written(end("20261210T163000Z"), later);
    assert_eq!(ended.recurrence.as_deref(), Some("FREQ=WEEKLY;UNTIL=20261210T162959Z"));
}

#[test]
fn an_event_does_not_end_before_its_only_occurrences() {
    let skipped = with(piano(), "FREQ=WEEKLY\nEXDATE:20261124T183000,20261201T183000");
    assert_eq!(refused(end("20261208"), skipped.clone()), ["/scope"]);
    assert!(written(end("20261215"), skipped.clone()).recurrence.is_some());
    // A changed occurrence is shown although it is excluded.
    let changed = with_override(skipped, "2026-12-01T18:30:00", "2026-12-02T16:30:00Z", None);
    assert_eq!(written(end("20261208"), changed).overrides.as_slice().len(), 1);
    let days = with(camp(), "FREQ=WEEKLY\nEXDATE;VALUE=DATE:20261123");
    assert_eq!(refused(end("20261130"), days), ["/scope"]);
}

#[test]
fn a_whole_day_with_another_occurrence_stays_excluded() {
    let added = with(piano(), "FREQ=WEEKLY\nEXDATE;VALUE=DATE:20261208\nRDATE:20261208T100000");
    assert_eq!(refused(restore("20261208T163000Z"), added.clone()), ["/recurrence"]);
    assert_eq!(refused(restore("20261208T080000Z"), added.clone()), ["/recurrence"]);
    // A changed occurrence is shown already.
    let changed = with_override(added, "2026-12-08T10:00:00", "2026-12-08T08:00:00Z", None);
    let restored = written(restore("20261208T163000Z"), changed);
    assert_eq!(restored.recurrence.as_deref(), Some("FREQ=WEEKLY\nRDATE:20261208T100000"));
}

#[test]
fn an_excluded_day_in_another_zone_moves_by_days() {
    let days = with(camp(), "FREQ=WEEKLY\nEXDATE;TZID=America/New_York:20261207T200000");
    let moved = written(all("20261130", &EventChange::new().start_date(jiff::civil::date(2026, 12, 1))), days);
    assert_eq!(moved.recurrence.as_deref(), Some("FREQ=WEEKLY\nEXDATE;TZID=America/New_York:20261208T200000"));
    let madrid = EventChange::new().time_zone("Europe/Madrid".parse::<ZoneName>().unwrap());
    let elsewhere = with(camp(), "FREQ=WEEKLY\nEXDATE;TZID=Asia/Tokyo:20261207T000000");
    let recurrence = elsewhere.recurrence.clone();
    assert_eq!(written(madrid.build().unwrap(), elsewhere).recurrence, recurrence);
}

/// Returns the change of the start of an event.
fn starts(text: &str) -> EventUpdate {
    EventChange::new().start_date(at(text)).build().unwrap()
}

fn in_zone(name: &str) -> EventUpdate {
    EventChange::new().time_zone(name.parse::<ZoneName>().unwrap()).build().unwrap()
}

pub(super) fn keys(event: &Event) -> Vec<String> {
    event.overrides.as_slice().iter().map(|change| change.recurrence_id.to_string()).collect()
}

#[test]
fn exceptions_of_occurrences_that_stay_do_not_move() {
    let changed = |recurrence: &str, key: &str, start: &str| with_override(with(piano(), recurrence), key, start, None);
    for recurrence in ["FREQ=WEEKLY\nEXDATE:20261215T183000", "FREQ=WEEKLY\nEXDATE:20261215T163000Z"] {
        let event = changed(recurrence, "2026-12-08T18:30:00", "2026-12-09T16:30:00Z");
        let moved = written(starts("2026-12-01T16:30:00Z"), event.clone());
        assert_eq!((&moved.recurrence, &moved.overrides), (&event.recurrence, &event.overrides));
    }
    // The Tuesdays stay when the event starts on a Wednesday, and get the new time.
    let tuesdays = "FREQ=WEEKLY;BYDAY=TU\nEXDATE:20261215T183000";
    let event = changed(tuesdays, "2026-12-08T18:30:00", "2026-12-08T16:30:00Z");
    let moved = written(starts("2026-11-25T16:30:00Z"), event.clone());
    assert_eq!((&moved.recurrence, &moved.overrides), (&event.recurrence, &event.overrides));
    let later = written(starts("2026-11-25T17:00:00Z"), event);
    assert_eq!(later.recurrence.as_deref(), Some("FREQ=WEEKLY;BYDAY=TU\nEXDATE:20261215T190000"));
    assert_eq!(keys(&later), ["2026-12-08T19:00:00"]);
    assert_eq!(later.overrides.as_slice()[0].start_date, at("2026-12-08T17:00:00Z"));
    // Additional occurrences stay.
    let added = "FREQ=WEEKLY\nEXDATE:20261210T183000\nRDATE:20261210T183000,20261211T183000";
    let event = changed(added, "2026-12-11T18:30:00", "2026-12-12T16:30:00Z");
    let moved = written(starts("2026-11-24T17:00:00Z"), event.clone());
    assert_eq!((&moved.recurrence, &moved.overrides), (&event.recurrence, &event.overrides));
    // Exceptions of a weekday that moves do so too.
    let event = changed("FREQ=WEEKLY\nEXDATE;VALUE=DATE:20261215", "2026-12-08T18:30:00", "2026-12-09T16:30:00Z");
    let moved = written(starts("2026-11-25T16:30:00Z"), event);
    assert_eq!(moved.recurrence.as_deref(), Some("FREQ=WEEKLY\nEXDATE;VALUE=DATE:20261216"));
    assert_eq!(keys(&moved), ["2026-12-09T18:30:00"]);
    // A change that stays comes before one that moves to the same occurrence.
    let event = changed("FREQ=WEEKLY", "2026-11-24T18:30:00", "2026-11-24T16:30:00Z");
    let event = with_override(event, "2026-12-01T18:30:00", "2026-12-01T16:30:00Z", Some("stays"));
    let moved = written(starts("2026-12-01T16:30:00Z"), event);
    assert_eq!(moved.overrides.as_slice().len(), 1);
    assert_eq!(moved.overrides.as_slice()[0].title.as_deref(), Some("stays"));
}

#[test]
fn an_imported_change_of_an_occurrence_that_the_rule_never_made_stays() {
    let event = with_override(piano(), "2026-11-17T18:30:00", "2026-11-18T16:30:00Z", None);
    let event = with_override(event, "2026-12-08T18:30:00", "2026-12-09T16:30:00Z", None);
    let recurrence = EventChange::new().recurrence("FREQ=WEEKLY;INTERVAL=4").build().unwrap();
    assert_eq!(keys(&written(recurrence, event.clone())), ["2026-11-17T18:30:00"]);
    let longer = EventChange::new().end_date(at("2026-11-24T18:00:00Z")).build().unwrap();
    assert_eq!(written(longer, event.clone()).overrides, event.overrides);
}

#[test]
fn exceptions_do_not_move_to_years_without_four_digits() {
    let recurrence = "FREQ=WEEKLY\nEXDATE:00020101T183000\nRDATE:00030101T183000";
    let event = with_override(with(piano(), recurrence), "0001-01-01T18:30:00", "0001-01-01T16:30:00Z", None);
    let moved = written(starts("1582-11-24T16:30:00Z"), event);
    let text = moved.overrides.to_string();
    assert_eq!(text.parse(), Ok(moved.overrides.clone()), "{text}");
    assert_eq!(keys(&moved), ["0001-01-01T18:30:00"]);
    assert_eq!(moved.recurrence.as_deref(), Some(recurrence));
}

#[test]
fn another_zone_keeps_the_instants_of_all_occurrences() {
    // 01:30 on Tuesdays in Kyiv is 00:30 in Madrid and 18:30 on Mondays in New York.
    let night = Event { start_date: at("2026-11-23T23:30:00Z"), end_date: at("2026-11-24T00:30:00Z"), ..piano() };
    let rule = "FREQ=WEEKLY;BYDAY=TU;UNTIL=20270105T013000\nEXDATE:20261201T013000\nRDATE:20261203T013000";
    let event = with_override(with(night.clone(), rule), "2026-12-08T01:30:00", "2026-12-07T23:30:00Z", None);
    let moved = written(in_zone("America/New_York"), event);
    assert_eq!(dates(&moved), dates(&night));
    assert_eq!(
        moved.recurrence.as_deref(),
        Some("FREQ=WEEKLY;BYDAY=MO;UNTIL=20270104T183000\nEXDATE:20261130T183000\nRDATE:20261202T183000")
    );
    assert_eq!(keys(&moved), ["2026-12-07T18:30:00"]);
    assert_eq!(moved.overrides.as_slice()[0].start_date, at("2026-12-07T23:30:00Z"));
    let instants = "FREQ=WEEKLY;UNTIL=20270104T233000Z\nRDATE:20261202T233000Z";
    assert_eq!(
        written(in_zone("America/New_York"), with(night.clone(), instants)).recurrence.as_deref(),
        Some(instants)
    );
    // An additional occurrence in summer, and its exception, keep their instants too.
    let summer = with(piano(), "FREQ=DAILY;COUNT=3\nEXDATE:20270601T120000\nRDATE:20270601T120000");
    assert_eq!(
        written(in_zone("Asia/Dubai"), summer).recurrence.as_deref(),
        Some("FREQ=DAILY;COUNT=3\nEXDATE:20270601T130000\nRDATE:20270601T130000")
    );
    for rule in ["FREQ=WEEKLY;BYDAY=TU,FR", "FREQ=MONTHLY;BYMONTHDAY=24", "FREQ=DAILY;BYHOUR=1,2"] {
        let event = with(night.clone(), rule);
        assert_eq!(refused(in_zone("America/New_York"), event.clone()), ["/timeZone"], "{rule}");
        let change = EventChange::new().time_zone("America/New_York".parse::<ZoneName>().unwrap());
        let sent = written(change.recurrence("FREQ=DAILY").build().unwrap(), event);
        assert_eq!(sent.recurrence.as_deref(), Some("FREQ=DAILY"));
    }
    let first = Event { start_date: at("2026-11-30T23:30:00Z"), end_date: at("2026-12-01T00:30:00Z"), ..night };
    assert_eq!(refused(in_zone("America/New_York"), with(first.clone(), "FREQ=MONTHLY")), ["/timeZone"]);
    let same_day = with(first, "FREQ=WEEKLY;BYDAY=TU,FR");
    assert_eq!(written(in_zone("Europe/Madrid"), same_day.clone()).recurrence, same_day.recurrence);
}

#[test]
fn a_series_that_does_not_move_as_a_whole_is_refused() {
    let to = |text: &str| EventChange::new().start_date(at(text));
    for rule in [
        "FREQ=WEEKLY;BYDAY=MO,TU,WE",
        "FREQ=MONTHLY;BYDAY=TU,WE;BYSETPOS=2",
        "FREQ=WEEKLY;BYDAY=TU;BYSETPOS=1",
        "FREQ=DAILY;BYMONTH=11,12",
        "FREQ=MONTHLY;BYMONTHDAY=8,9,24",
    ] {
        let event = with(piano(), rule);
        let occurrence = if rule.contains("SETPOS=2") { "20261124" } else { "20261208" };
        let wednesday = if occurrence == "20261124" { "2026-11-25T16:30:00Z" } else { "2026-12-09T16:30:00Z" };
        assert_eq!(refused(all(occurrence, &to(wednesday)), event.clone()), ["/startDate"], "{rule}");
        let sent = written(all(occurrence, &to(wednesday).recurrence("FREQ=DAILY")), event.clone());
        assert_eq!(sent.recurrence.as_deref(), Some("FREQ=DAILY"));
        // All of them get another time of day.
        let later = if occurrence == "20261124" { "2026-11-24T17:00:00Z" } else { "2026-12-08T17:00:00Z" };
        assert_eq!(written(all(occurrence, &to(later)), event).start_date, at("2026-11-24T17:00:00Z"), "{rule}");
    }
}

#[test]
fn all_occurrences_move_from_the_dates_that_one_of_them_shows() {
    let event = with_override(piano(), "2026-12-08T18:30:00", "2026-12-09T10:00:00Z", None);
    let id = "20261208T163000Z";
    let moved = written(all(id, &EventChange::new().start_date(at("2026-12-09T10:30:00Z"))), event.clone());
    assert_eq!(dates(&moved), ("2026-11-24T17:00:00.000Z".to_owned(), "2026-11-24T18:00:00.000Z".to_owned()));
    assert_eq!(keys(&moved), ["2026-12-08T19:00:00"]);
    assert_eq!(moved.overrides.as_slice()[0].start_date, at("2026-12-09T10:30:00Z"));
    // The dates that it shows already change nothing.
    let shown = EventChange::new().start_date(at("2026-12-09T10:00:00Z")).end_date(at("2026-12-09T11:00:00Z"));
    let same = written(all(id, &shown.title("x")), event.clone());
    assert_eq!((dates(&same), &same.overrides), (dates(&event), &event.overrides));
    let longer = written(all(id, &EventChange::new().end_date(at("2026-12-09T11:30:00Z"))), event);
    assert_eq!(dates(&longer), ("2026-11-24T16:30:00.000Z".to_owned(), "2026-11-24T18:00:00.000Z".to_owned()));
}

#[test]
fn another_end_keeps_a_start_that_the_clock_repeats() {
    // 03:30 in Kyiv occurs twice on the 25th of October. This is the second one.
    let (start, end) = (at("2026-10-25T01:30:00Z"), at("2026-10-25T02:00:00Z"));
    let night = with(Event { start_date: start, end_date: end, ..piano() }, "FREQ=DAILY");
    let longer = EventChange::new().end_date(at("2026-10-27T02:30:00Z"));
    let longer = written(all("20261027T013000Z", &longer), night);
    assert_eq!(dates(&longer), ("2026-10-25T01:30:00.000Z".to_owned(), "2026-10-25T02:30:00.000Z".to_owned()));
}
