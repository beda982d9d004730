//! What a document leaves out when it has no room.

use std::collections::BTreeMap;

use super::*;

/// More than the head of a calendar and a time zone.
const HEAD_BYTES: usize = 1_000;

fn single(hours: i64) -> Event {
    let hour = |plus| at("2026-12-01T00:00:00Z").saturating_add(jiff::SignedDuration::from_hours(hours + plus));
    Event::new(format!("e{hours}").parse().unwrap(), "E", hour(0), hour(1), hour(0))
}

/// A daily event whose occurrences are single, from the start of the window on.
fn daily(number: usize, rule: &str) -> Event {
    Event {
        id: format!("daily-{number}").parse().unwrap(),
        start_date: at("2026-11-01T16:30:00Z"),
        end_date: at("2026-11-01T17:30:00Z"),
        ..recurring(rule)
    }
}

/// A daily event with 200 changed occurrences that keep its description.
fn often_changed(number: usize, description: usize) -> Event {
    let first = "2026-12-02T18:30:00".parse::<jiff::civil::DateTime>().unwrap();
    let change = |days: i64| {
        let start = first.saturating_add(jiff::SignedDuration::from_hours(24 * days));
        let hours = jiff::SignedDuration::from_hours(24 * days);
        let (from, to) = (at("2026-12-02T10:00:00Z"), at("2026-12-02T11:00:00Z"));
        Override::new(start.to_string().parse().unwrap(), from.saturating_add(hours), to.saturating_add(hours))
    };
    Event {
        id: format!("changed-{number}").parse().unwrap(),
        description: Some("x".repeat(description)),
        overrides: Overrides::new((0..200).map(change).collect()).unwrap(),
        ..recurring("FREQ=DAILY")
    }
}

fn has(written: &WrittenFeed, id: &str) -> bool {
    values(written, "UID").contains(&format!("UID:{id}@c0ffee"))
}

#[test]
fn what_is_past_leaves_first_and_then_what_starts_last() {
    let mut all: Vec<_> = (0..5_000).rev().map(single).collect();
    all.push(Event {
        start_date: at("2026-11-02T00:00:00Z"),
        end_date: at("2026-11-02T01:00:00Z"),
        ..recurring("FREQ=DAILY;COUNT=2")
    });
    let written = write_events(&all);
    assert_eq!((events(&written).len(), written.left_out), (5_000, 1));
    assert!(has(&written, "e-piano") && !has(&written, "e-e0") && has(&written, "e-e1"));

    // The last past hour is that before 30 January, 90 days after the start of the window.
    let past = 60 * 24 - 1;
    all.extend((5_000..5_000 + past + 100).map(single));
    let written = write_events(&all);
    assert_eq!(events(&written).len(), 5_000);
    assert_eq!(written.left_out, u32::try_from(past + 101).unwrap());
    let last = 5_000 + past + 99;
    assert!(!has(&written, &format!("e-e{}", past - 1)) && has(&written, &format!("e-e{}", past + 1)));
    assert!(!has(&written, &format!("e-e{last}")) && has(&written, &format!("e-e{}", last - 101)));
}

#[test]
fn next_week_stays_when_the_occurrences_of_two_years_are_too_many() {
    let days: Vec<_> = (1..=31).map(|day| day.to_string()).collect();
    let rule = format!("FREQ=DAILY;BYMONTHDAY={}", days.join(","));
    let all: Vec<_> = (0..10).map(|number| daily(number, &rule)).collect();
    let written = write_events(&all);
    assert_eq!(events(&written).len(), 5_000);
    assert!((2_300..2_320).contains(&written.left_out), "{}", written.left_out);
    let mut on_day: BTreeMap<String, usize> = BTreeMap::new();
    for start in values(&written, "DTSTART") {
        *on_day.entry(start["DTSTART:".len()..][..8].to_owned()).or_default() += 1;
    }
    assert_eq!(on_day.first_key_value(), Some((&"20270130".to_owned(), &10)));
    // Ten a day for 500 days.
    assert!(on_day.len() == 500 && on_day.values().all(|count| *count == 10), "{on_day:?}");
}

#[test]
fn an_event_has_at_most_1000_single_occurrences() {
    let daily = write_events(&[recurring("FREQ=DAILY;BYHOUR=8,18;BYSETPOS=1,2")]);
    assert_eq!(events(&daily).len(), 1_000);
    assert!(daily.left_out > 300, "{}", daily.left_out);
}

#[test]
fn large_rules_leave_room_for_the_events_of_others() {
    let mut all: Vec<_> = (0..5).map(|number| often_changed(number, 30_000)).collect();
    all.extend((0..100).map(single));
    all.push(recurring("FREQ=WEEKLY"));
    let written = write_events(&all);
    assert_eq!((events(&written).len(), written.left_out), (101, 5 * 201));
    assert!(has(&written, "e-piano") && (0..100).all(|number| has(&written, &format!("e-e{number}"))));

    // Without their texts, they are small.
    let zone = kyiv();
    let busy = write(&FeedView { detail: FeedDetail::Busy, ..view(&zone) }, &all, &[]);
    assert_eq!((events(&busy).len(), busy.left_out), (5 * 201 + 101, 0));
}

#[test]
fn rules_have_half_of_the_components_if_not_everything_fits() {
    let mut all: Vec<_> = (0..13).map(|number| often_changed(number, 1)).collect();
    assert_eq!(write_events(&all).left_out, 0);
    all.extend((0..3_000).map(single));
    let written = write_events(&all);
    let changed = |number: usize| has(&written, &format!("e-changed-{number}"));
    // One of equal rules leaves: the last.
    assert!((0..12).all(changed) && !changed(12));
    assert_eq!((events(&written).len(), written.left_out), (5_000, 13 * 201 + 3_000 - 5_000));
}

#[test]
fn the_declared_size_is_that_of_the_document() {
    for (description, count) in
        [("x".repeat(20_000), 500), (";\n".repeat(10_000), 500), ("🎹".repeat(5_000), 500), ("x".to_owned(), 5_000)]
    {
        let long = |number| Event { description: Some(description.clone()), title: "T,".repeat(90), ..single(number) };
        let written = write_events(&(0..count).map(long).collect::<Vec<_>>());
        assert!(written.ics.len() <= MAX_BYTES + HEAD_BYTES, "{}", written.ics.len());
        assert_eq!(written.left_out > 0, count == 500);
        assert!(written.left_out == 0 || written.ics.len() > MAX_BYTES * 9 / 10, "{}", written.ics.len());
    }
    let week = |number: i64| jiff::civil::date(2026, 12, 1).saturating_add(jiff::Span::new().days(7 * number));
    let excluded: Vec<_> = (1..30).map(|number| week(number).strftime("%Y%m%dT183000").to_string()).collect();
    let recurrence = format!("FREQ=WEEKLY\nEXDATE:{}", excluded.join(","));
    let rule = |number| Event {
        id: format!("e{number}").parse().unwrap(),
        description: Some("x".repeat(3_000)),
        ..recurring(&recurrence)
    };
    let rules: Vec<_> = (0..1_000).map(rule).collect();
    let written = write_events(&rules);
    assert!(written.ics.len() <= MAX_BYTES + HEAD_BYTES, "{}", written.ics.len());
    assert!(written.left_out > 0 && written.ics.len() > MAX_BYTES * 9 / 10, "{}", written.ics.len());
}

#[test]
fn no_more_than_twice_the_components_are_collected() {
    let all: Vec<_> = (0..30).map(|number| daily(number, "FREQ=DAILY;BYHOUR=8,18;BYSETPOS=1,2")).collect();
    let zone = kyiv();
    let feed = view(&zone);
    let window = feed.since..feed.since.saturating_add_years(YEARS_AHEAD);
    let zones = Zones::of(&all, &zone, &window);
    let (units, left_out) = event_units(&feed, &all, &zones, &window);
    assert!(units.len() <= 2 * MAX_COMPONENTS, "{}", units.len());
    let written = write_events(&all);
    let made = units.len() + left_out;
    assert_eq!((events(&written).len(), usize::try_from(written.left_out).unwrap()), (5_000, made - 5_000));
    assert!(made > 30 * 1_400, "{made}");
    // The next days of each event stay.
    let next = |event: usize| has(&written, &format!("e-daily-{event}.20270131T083000"));
    assert!((0..30).all(next));
}
