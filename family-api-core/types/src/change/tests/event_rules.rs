//! The rules that depend on the stored event.

use jiff::civil::date;

use crate::calendar::{Zone, ZoneName};
use crate::change::{Creator, DateOrInstant, Editable, EventChange, EventFacts, MAX_SEQUENCE, Verdict, WriteContext};
use crate::occurrences::{Override, Overrides};
use crate::resource::Event;
use crate::timestamp::Timestamp;
use crate::validation::{Field, Reference};

use super::{at, now, person};

/// Returns a timed event from 18:00 to 19:00 UTC.
fn event() -> Event {
    let author = Creator { user: &"ada".parse().unwrap(), person: None };
    let created_at = at("2026-01-01T00:00:00Z");
    let blank = Event::blank("e".parse().unwrap(), &author, created_at);
    let (start_date, end_date) = (at("2026-11-24T18:00:00Z"), at("2026-11-24T19:00:00Z"));
    let recurrence = Some("FREQ=WEEKLY".to_owned());
    Event { title: "t".to_owned(), start_date, end_date, recurrence, ..blank }
}

/// Returns an event that takes the 24th and 25th of November in Madrid.
fn all_day_event() -> Event {
    let (start_date, end_date) = (at("2026-11-23T23:00:00Z"), at("2026-11-25T23:00:00Z"));
    Event { all_day: true, start_date, end_date, ..event() }
}

/// The members of the family.
const MEMBERS: [&str; 2] = ["ada", "bob"];

fn decide_in(zone: &str, change: &EventChange, event: Event) -> Verdict<Event> {
    let assignee = match &change.assignee {
        Field::Set(Reference::Id(id)) if id.as_str() == "bob" => Some(person("bob")),
        _ => None,
    };
    let context = WriteContext { user: &"ada".parse().unwrap(), zone: &zone.parse::<Zone>().unwrap(), now: now() };
    Event::decide(
        change.build().unwrap(),
        EventFacts { event, assignee, members: Some(MEMBERS.map(|id| id.parse().unwrap()).into()) },
        &context,
    )
}

fn decide(change: &EventChange, event: Event) -> Verdict<Event> {
    decide_in("Europe/Madrid", change, event)
}

/// Returns the start and the end that are written.
fn written(zone: &str, change: &EventChange, event: Event) -> (String, String) {
    match decide_in(zone, change, event) {
        Verdict::Write(event) => (event.start_date.to_string(), event.end_date.to_string()),
        other => panic!("{change:?}: {other:?}"),
    }
}

fn refused(change: &EventChange, event: Event) -> Vec<String> {
    match decide(change, event) {
        Verdict::Refused(faults) => faults.into_iter().map(|fault| fault.pointer).collect(),
        other => panic!("{change:?}: {other:?}"),
    }
}

#[test]
fn an_empty_change_keeps_the_event_and_its_updated_at() {
    assert_eq!(decide(&EventChange::new(), event()), Verdict::Write(event()));
}

#[test]
fn each_change_raises_the_sequence_up_to_its_maximum() {
    for (before, after) in [(0, 1), (7, 8), (MAX_SEQUENCE - 1, MAX_SEQUENCE), (MAX_SEQUENCE, MAX_SEQUENCE)] {
        let stored = Event { sequence: before, ..event() };
        let Verdict::Write(changed) = decide(&EventChange::new().title("t"), stored.clone()) else { panic!() };
        assert_eq!(changed.sequence, after);
        let context = WriteContext { user: &"ada".parse().unwrap(), zone: &Zone::utc(), now: now() };
        let facts = EventFacts { event: stored.clone(), assignee: None, members: None };
        let restored = Event::decide_restore(facts, &context);
        assert_eq!(restored, Verdict::Write(Event { sequence: after, ..stored }));
    }
}

#[test]
fn only_the_fields_in_the_change_are_updated() {
    let change = EventChange::new().title(" New ").description("d").clear_recurrence();
    let change = change.location("l").emoji("E").color("#00ff00").assignee(&"bob".parse().unwrap());
    let some = |text: &str| Some(text.to_owned());
    let expected = Event {
        title: "New".to_owned(),
        description: some("d"),
        recurrence: None,
        location: some("l"),
        emoji: some("E"),
        color: some("#00ff00"),
        assignee_id: Some("bob".parse().unwrap()),
        assignee: Some(person("bob")),
        updated_at: now(),
        sequence: 1,
        ..event()
    };
    assert_eq!(decide(&change, event()), Verdict::Write(expected.clone()));
    let cleared = EventChange::new().clear_description().clear_location().clear_emoji().clear_color().clear_assignee();
    let kept = Event { title: "New".to_owned(), recurrence: None, updated_at: now(), sequence: 2, ..event() };
    assert_eq!(decide(&cleared, expected), Verdict::Write(kept));
}

#[test]
fn an_assignee_outside_of_the_family_is_a_fault_beside_others() {
    let invalid_dates = EventChange::new().end_date(at("2026-01-01T00:00:00Z"));
    for assignee in [Reference::from("eve"), Reference::Invalid] {
        let change = EventChange { assignee: Field::Set(assignee), ..invalid_dates.clone() };
        assert_eq!(refused(&change, event()), ["/assigneeId", "/endDate"]);
    }
}

#[test]
fn a_date_of_a_timed_event_is_the_start_of_the_day() {
    let change = EventChange::new().start_date(date(2026, 3, 29)).end_date(date(2026, 3, 30));
    let expected = ("2026-03-28T23:00:00.000Z".to_owned(), "2026-03-29T22:00:00.000Z".to_owned());
    assert_eq!(written("Europe/Madrid", &change, event()), expected);
}

#[test]
fn an_event_does_not_end_before_it_starts() {
    let new = EventChange::new;
    let before = at("2026-11-24T17:59:59.999Z");
    for change in [
        new().end_date(before),
        new().start_date(at("2026-11-24T19:00:00.001Z")).end_date(at("2026-11-24T19:00:00Z")),
        new().end_date(date(2026, 11, 24)),
        new().start_date(date(2026, 11, 25)).end_date(date(2026, 11, 24)),
        new().start_date(date(2026, 11, 25)).end_date(date(2026, 11, 24)).all_day(),
    ] {
        assert_eq!(refused(&change, event()), ["/endDate"], "{change:?}");
    }
    assert_eq!(refused(&new().end_date(date(2026, 11, 23)), all_day_event()), ["/endDate"]);
    let empty = new().end_date(at("2026-11-24T18:00:00Z"));
    assert!(matches!(decide(&empty, event()), Verdict::Write(_)));
}

#[test]
fn an_instant_that_ends_an_all_day_event_is_after_its_first_day() {
    let new = EventChange::new;
    // The stored event ends when the 26th of November begins in Madrid, so its last day is the 25th.
    let (day_25, day_26) = (at("2026-11-24T23:00:00Z"), at("2026-11-25T23:00:00Z"));
    for change in [
        new().start_date(date(2026, 11, 26)).end_date(day_26),
        new().start_date(day_26).end_date(day_26),
        new().start_date(day_26).end_date(date(2026, 11, 26).at(0, 0, 0, 0)),
        new().end_date(at("2026-11-23T23:00:00Z")),
        new().start_date(day_26).end_date(day_26).all_day(),
    ] {
        assert_eq!(refused(&change, all_day_event()), ["/endDate"], "{change:?}");
    }
    let midnight = Event { start_date: day_26, end_date: day_26, ..event() };
    assert_eq!(refused(&new().all_day(), midnight), ["/endDate"]);
    for change in [new().start_date(day_25), new().start_date(date(2026, 11, 26)).end_date(date(2026, 11, 26))] {
        assert!(matches!(decide(&change, all_day_event()), Verdict::Write(_)), "{change:?}");
    }
    // The start of the 30th of December 2011, which Samoa skipped, is also the start of the 31st.
    let skipped = new().start_date(date(2011, 12, 30)).end_date(date(2011, 12, 30)).all_day();
    let start_of_day_31 = "2011-12-30T10:00:00.000Z".to_owned();
    assert_eq!(written("Pacific/Apia", &skipped, event()), (start_of_day_31.clone(), start_of_day_31));
}

#[test]
fn an_imported_event_without_a_day_keeps_its_dates() {
    let empty = Event { end_date: all_day_event().start_date, ..all_day_event() };
    let dates = (empty.start_date.to_string(), empty.end_date.to_string());
    for change in [EventChange::new().title("x"), EventChange::new().title("x").all_day(), EventChange::new().timed()] {
        assert_eq!(written("Europe/Madrid", &change, empty.clone()), dates, "{change:?}");
    }
}

#[test]
fn stored_dates_are_checked_only_if_the_change_has_dates() {
    let reversed = Event { end_date: at("2026-11-24T17:00:00Z"), ..event() };
    assert!(matches!(decide(&EventChange::new().title("x"), reversed.clone()), Verdict::Write(_)));
    assert_eq!(refused(&EventChange::new().timed(), reversed.clone()), ["/endDate"]);
    assert_eq!(refused(&EventChange::new().start_date(date(2026, 11, 27)), reversed), ["/endDate"]);
}

#[test]
fn the_end_date_of_an_all_day_event_is_its_last_day() {
    for (zone, first, last, start, end) in [
        ("UTC", date(2026, 12, 24), date(2026, 12, 24), "2026-12-24T00:00:00.000Z", "2026-12-25T00:00:00.000Z"),
        // Days of 23 and 25 hours.
        ("Europe/Madrid", date(2026, 3, 29), date(2026, 3, 29), "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"),
        (
            "Europe/Madrid",
            date(2026, 10, 25),
            date(2026, 10, 26),
            "2026-10-24T22:00:00.000Z",
            "2026-10-26T23:00:00.000Z",
        ),
        // Midnight is skipped, and midnight occurs twice.
        (
            "America/Santiago",
            date(2026, 9, 6),
            date(2026, 9, 6),
            "2026-09-06T04:00:00.000Z",
            "2026-09-07T03:00:00.000Z",
        ),
        (
            "America/Havana",
            date(2026, 11, 1),
            date(2026, 11, 1),
            "2026-11-01T04:00:00.000Z",
            "2026-11-02T05:00:00.000Z",
        ),
        // The day after the last one is skipped.
        (
            "Pacific/Apia",
            date(2011, 12, 28),
            date(2011, 12, 29),
            "2011-12-28T10:00:00.000Z",
            "2011-12-30T10:00:00.000Z",
        ),
        ("UTC", date(9999, 12, 31), date(9999, 12, 31), "9999-12-31T00:00:00.000Z", "9999-12-31T23:59:59.999Z"),
    ] {
        let change = EventChange::new().start_date(first).end_date(last).all_day();
        assert_eq!(written(zone, &change, event()), (start.to_owned(), end.to_owned()), "{zone} {first}");
        let rules: Zone = zone.parse().unwrap();
        assert_eq!(rules.last_day(at(start), at(end)), last, "{zone} {first}");
        // The answer can be sent back.
        let instants = EventChange::new().start_date(at(start)).end_date(at(end)).all_day();
        assert_eq!(written(zone, &instants, event()), (start.to_owned(), end.to_owned()), "{zone} {first}");
    }
}

#[test]
fn the_end_of_an_all_day_event_can_change_alone() {
    let longer = EventChange::new().end_date(date(2026, 11, 26));
    let expected = ("2026-11-23T23:00:00.000Z".to_owned(), "2026-11-26T23:00:00.000Z".to_owned());
    assert_eq!(written("Europe/Madrid", &longer, all_day_event()), expected);
    // The start of the event is not the start of a day for a member in London.
    let expected = ("2026-11-23T23:00:00.000Z".to_owned(), "2026-11-27T00:00:00.000Z".to_owned());
    assert_eq!(written("Europe/London", &longer, all_day_event()), expected);
}

#[test]
fn an_event_that_moves_keeps_its_length() {
    let move_to = |start: DateOrInstant| EventChange::new().start_date(start);
    // The clock is set forward during the timed event. It still takes one hour.
    let local = date(2026, 3, 29).at(1, 30, 0, 0);
    for (change, start, end) in [
        (move_to(local.into()), "2026-03-29T00:30:00.000Z", "2026-03-29T01:30:00.000Z"),
        (move_to(local.into()).timed(), "2026-03-29T00:30:00.000Z", "2026-03-29T01:30:00.000Z"),
        (move_to(at("2026-11-24T19:30:00Z").into()), "2026-11-24T19:30:00.000Z", "2026-11-24T20:30:00.000Z"),
        (move_to(date(2026, 11, 23).into()), "2026-11-22T23:00:00.000Z", "2026-11-23T00:00:00.000Z"),
        (move_to(Timestamp::MAX.into()), "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
    ] {
        assert_eq!(written("Europe/Madrid", &change, event()), (start.to_owned(), end.to_owned()), "{change:?}");
    }
    // Two days with 47 hours, and two days of which the second one is the last of the calendar.
    for (change, start, end) in [
        (move_to(date(2026, 3, 28).into()), "2026-03-27T23:00:00.000Z", "2026-03-29T22:00:00.000Z"),
        (move_to(at("2026-11-24T23:00:00Z").into()), "2026-11-24T23:00:00.000Z", "2026-11-26T23:00:00.000Z"),
        (move_to(date(2026, 11, 25).at(0, 0, 0, 0).into()), "2026-11-24T23:00:00.000Z", "2026-11-26T23:00:00.000Z"),
        (move_to(date(2026, 11, 27).into()).all_day(), "2026-11-26T23:00:00.000Z", "2026-11-28T23:00:00.000Z"),
        (move_to(date(9999, 12, 30).into()), "9999-12-29T23:00:00.000Z", "9999-12-31T23:59:59.999Z"),
    ] {
        assert_eq!(
            written("Europe/Madrid", &change, all_day_event()),
            (start.to_owned(), end.to_owned()),
            "{change:?}"
        );
    }
    let noon = move_to(date(2026, 11, 25).at(12, 0, 0, 0).into());
    assert_eq!(refused(&noon, all_day_event()), ["/startDate"]);
    // An imported all-day event without a day takes the day on which it starts.
    let empty = Event { end_date: all_day_event().start_date, ..all_day_event() };
    let expected = ("2026-11-26T23:00:00.000Z".to_owned(), "2026-11-27T23:00:00.000Z".to_owned());
    assert_eq!(written("Europe/Madrid", &move_to(date(2026, 11, 27).into()), empty), expected);
}

#[test]
fn local_times_are_in_the_zone_of_the_writer() {
    let change = EventChange::new().start_date(date(2026, 3, 29).at(2, 30, 0, 0));
    let change = change.end_date(date(2026, 10, 25).at(2, 30, 0, 0));
    // The clock skips the first time and repeats the second one in Madrid.
    let expected = ("2026-03-29T01:30:00.000Z".to_owned(), "2026-10-25T00:30:00.000Z".to_owned());
    assert_eq!(written("Europe/Madrid", &change, event()), expected);
    let expected = ("2026-03-29T06:30:00.000Z".to_owned(), "2026-10-25T06:30:00.000Z".to_owned());
    assert_eq!(written("America/New_York", &change, event()), expected);
}

#[test]
fn an_all_day_event_starts_and_ends_when_days_start() {
    let new = EventChange::new;
    let (noon, evening) = (at("2026-11-24T12:00:00Z"), at("2026-11-25T18:00:00Z"));
    assert_eq!(refused(&new().start_date(noon).end_date(evening), all_day_event()), ["/startDate", "/endDate"]);
    assert_eq!(refused(&new().end_date(evening), all_day_event()), ["/endDate"]);
    assert_eq!(refused(&new().all_day(), event()), ["/startDate", "/endDate"]);
    assert_eq!(refused(&new().all_day().start_date(date(2026, 11, 24)), event()), ["/endDate"]);
    assert!(matches!(decide(&new().all_day().title("x"), all_day_event()), Verdict::Write(_)));
    let timed = written("Europe/Madrid", &new().timed(), all_day_event());
    assert_eq!(timed, ("2026-11-23T23:00:00.000Z".to_owned(), "2026-11-25T23:00:00.000Z".to_owned()));
}

#[test]
fn only_a_member_or_a_stored_participant_can_take_part() {
    let participants = |ids: &[&str]| {
        let ids: Vec<_> = ids.iter().map(|id| id.parse().unwrap()).collect();
        EventChange::new().participants(&ids)
    };
    let stored = Event { participant_ids: vec!["left".parse().unwrap()], ..event() };
    let Verdict::Write(event) = decide(&participants(&["bob", "left", "bob"]), stored.clone()) else { panic!() };
    assert_eq!(event.participant_ids, ["bob", "left"].map(|id| id.parse().unwrap()));
    assert_eq!(refused(&participants(&["ada", "left", "eve"]), event), ["/participantIds/2"]);
    let mut invalid = EventChange::new();
    invalid.participants = Some(vec![Reference::Invalid]);
    assert_eq!(refused(&invalid, stored.clone()), ["/participantIds/0"]);
    let Verdict::Write(event) = decide(&EventChange::new().participants([]), stored) else { panic!() };
    assert_eq!(event.participant_ids, []);
}

#[test]
fn another_zone_keeps_the_instants_of_a_timed_event() {
    let stored = Event { time_zone: Some(Zone::utc().into()), ..event() };
    let zone: Zone = "Asia/Kolkata".parse().unwrap();
    let Verdict::Write(changed) = decide(&EventChange::new().time_zone(&zone), stored.clone()) else { panic!() };
    assert_eq!(changed, Event { time_zone: Some(zone.into()), updated_at: now(), sequence: 1, ..stored.clone() });
    let Verdict::Write(renamed) = decide_in("Asia/Tokyo", &EventChange::new().title("x"), stored.clone()) else {
        panic!()
    };
    assert_eq!(renamed.time_zone, stored.time_zone);
}

#[test]
fn changed_occurrences_end_with_the_recurrence_or_another_kind_of_days() {
    let start = at("2026-12-01T19:00:00Z");
    let moved = Override::new("2026-12-01T19:00:00".parse().unwrap(), start, start);
    let stored = Event { overrides: Overrides::new(vec![moved]).unwrap(), ..event() };
    let left = |change: EventChange| match decide(&change, stored.clone()) {
        Verdict::Write(event) => event.overrides.as_slice().len(),
        other => panic!("{other:?}"),
    };
    assert_eq!(left(EventChange::new().title("x")), 1);
    assert_eq!(left(EventChange::new().timed()), 1);
    assert_eq!(left(EventChange::new().clear_recurrence()), 0);
    let day = date(2026, 11, 24);
    assert_eq!(left(EventChange::new().all_day().start_date(day).end_date(day)), 0);
}

#[test]
fn a_new_event_has_the_zone_of_its_author_or_its_own() {
    let context = WriteContext { user: &"ada".parse().unwrap(), zone: &"Asia/Tokyo".parse().unwrap(), now: now() };
    let author = Creator { user: context.user, person: None };
    let zone_of = |change: EventChange| {
        let change = change.title("t").start_date(now()).end_date(now());
        let facts =
            EventFacts { event: Event::blank("e".parse().unwrap(), &author, now()), assignee: None, members: None };
        match Event::decide_new(change.build_new().unwrap(), facts, &context) {
            Verdict::Write(event) => event.time_zone.unwrap().to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(zone_of(EventChange::new()), "Asia/Tokyo");
    assert_eq!(zone_of(EventChange::new().time_zone(Zone::utc())), "UTC");
}

#[test]
fn a_new_event_follows_the_rules_of_an_update() {
    let context = WriteContext { user: &"ada".parse().unwrap(), zone: &Zone::utc(), now: now() };
    let author = Creator { user: context.user, person: None };
    let create = |last: i8| {
        let change = EventChange::new().title("t").start_date(date(2026, 12, 24)).end_date(date(2026, 12, last));
        let event = Event::blank("e".parse().unwrap(), &author, now());
        Event::decide_new(
            change.all_day().build_new().unwrap(),
            EventFacts { event, assignee: None, members: None },
            &context,
        )
    };
    let Verdict::Write(event) = create(24) else { panic!("{:?}", create(24)) };
    assert_eq!((event.all_day, event.created_at, event.updated_at), (true, now(), now()));
    assert_eq!(event.sequence, 0);
    assert_eq!(event.end_date, at("2026-12-25T00:00:00Z"));
    assert!(matches!(create(23), Verdict::Refused(_)));
}

#[test]
fn times_are_in_the_zone_of_the_body_and_days_in_that_of_the_event() {
    let kyiv: ZoneName = "Europe/Kyiv".parse().unwrap();
    let evening =
        EventChange::new().start_date(date(2026, 11, 24).at(18, 30, 0, 0)).end_date(at("2026-11-24T20:00:00Z"));
    assert_eq!(written("Europe/Madrid", &evening, event()).0, "2026-11-24T17:30:00.000Z");
    // The zone of a timed event is not that of a member who changes it.
    let stored = Event { time_zone: Some(kyiv.clone()), ..event() };
    assert_eq!(written("Europe/Madrid", &evening, stored.clone()).0, "2026-11-24T17:30:00.000Z");
    let in_kyiv = evening.time_zone(kyiv);
    assert_eq!(written("Europe/Madrid", &in_kyiv, event()).0, "2026-11-24T16:30:00.000Z");
    let day = EventChange::new().start_date(date(2026, 12, 1)).end_date(date(2026, 12, 1)).all_day();
    let expected = ("2026-11-30T22:00:00.000Z".to_owned(), "2026-12-01T22:00:00.000Z".to_owned());
    assert_eq!(written("America/New_York", &day, stored), expected);
}
