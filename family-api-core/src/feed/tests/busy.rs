//! Feeds that show only when time is taken.

use super::*;

fn write_busy(events: &[Event], tasks: &[Task]) -> WrittenFeed {
    let zone = kyiv();
    write(&FeedView { detail: FeedDetail::Busy, ..view(&zone) }, events, tasks)
}

/// Takes whole days, each week, and no time.
fn cleaning_day() -> Event {
    Event {
        all_day: true,
        start_date: at("2026-11-30T22:00:00Z"),
        end_date: at("2026-12-01T22:00:00Z"),
        ..recurring("FREQ=WEEKLY;COUNT=3")
    }
}

/// A change of the second occurrence, with its participants.
fn second(participants: &[&str]) -> Overrides {
    let (start, end) = (at("2026-12-07T22:00:00Z"), at("2026-12-08T22:00:00Z"));
    let mut change = Override::new("2026-12-08".parse().unwrap(), start, end);
    change.participant_ids = Some(participants.iter().map(|id| id.parse().unwrap()).collect());
    Overrides::new(vec![change]).unwrap()
}

#[test]
fn a_busy_feed_says_only_when() {
    let busy = write_busy(&[recurring("FREQ=WEEKLY;COUNT=2"), piano()], &[]);
    assert_eq!(values(&busy, "SUMMARY"), ["SUMMARY:Зайнято", "SUMMARY:Зайнято"]);
    let full = write_events(&[recurring("FREQ=WEEKLY;COUNT=2"), piano()]);
    for name in ["UID", "DTSTART", "DTEND", "RRULE", "SEQUENCE", "DTSTAMP"] {
        assert_eq!(values(&busy, name), values(&full, name));
    }
    for word in ["Piano", "🎹", "Club", "book"] {
        assert!(!text(&busy).contains(word) && text(&full).contains(word), "{word}");
    }
}

#[test]
fn what_takes_no_time_is_not_in_a_busy_feed() {
    let mark = Event { recurrence: None, ..cleaning_day() };
    let trip = Event { participant_ids: vec!["u1".parse().unwrap()], id: "trip".parse().unwrap(), ..mark.clone() };
    let events = [mark, trip, cleaning_day()];
    let written = write_busy(&events, &[task("2026-12-02T10:00:00Z"), task("2026-12-01T22:00:00Z")]);
    assert_eq!(values(&written, "UID"), ["UID:e-trip@c0ffee"]);
    assert_eq!((values(&written, "TRANSP"), written.left_out), (vec!["TRANSP:OPAQUE".to_owned()], 0));
    assert_eq!(self::events(&write_events(&events)).len(), 3);
}

#[test]
fn a_changed_occurrence_that_takes_no_time_is_an_exclusion() {
    let event = Event { participant_ids: vec!["u1".parse().unwrap()], overrides: second(&[]), ..cleaning_day() };
    let written = write_busy(std::slice::from_ref(&event), &[]);
    assert_eq!(values(&written, "UID"), ["UID:e-piano@c0ffee"]);
    assert_eq!(values(&written, "EXDATE"), ["EXDATE;VALUE=DATE:20261208"]);
    assert_eq!(values(&write_events(&[event]), "TRANSP"), ["TRANSP:OPAQUE", "TRANSP:TRANSPARENT"]);
}

#[test]
fn a_changed_occurrence_that_takes_time_is_single_if_its_rule_takes_none() {
    let written = write_busy(&[Event { overrides: second(&["u1"]), ..cleaning_day() }], &[]);
    assert_eq!(values(&written, "UID"), ["UID:e-piano.20261208@c0ffee"]);
    assert_eq!(values(&written, "DTSTART"), ["DTSTART;VALUE=DATE:20261208"]);
    assert!(values(&written, "RECURRENCE-ID").is_empty() && values(&written, "RRULE").is_empty());
}
