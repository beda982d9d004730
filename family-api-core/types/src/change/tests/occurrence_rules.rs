//! Changes of one occurrence of a recurring event.

use crate::calendar::{Zone, ZoneName};
use crate::change::{Creator, Editable, EventChange, EventFacts, EventUpdate, OccurrenceScope, Verdict, WriteContext};
use crate::occurrences::OccurrenceStart;
use crate::resource::Event;

use super::{at, now, person};

/// Returns a weekly event on Tuesdays at 18:30 in Kyiv, from the 24th of November 2026.
pub(super) fn piano() -> Event {
    let author = Creator { user: &"ada".parse().unwrap(), person: None };
    let blank = Event::blank("piano".parse().unwrap(), &author, at("2026-01-01T00:00:00Z"));
    Event {
        title: "Piano".to_owned(),
        location: Some("School".to_owned()),
        start_date: at("2026-11-24T16:30:00Z"),
        end_date: at("2026-11-24T17:30:00Z"),
        time_zone: Some("Europe/Kyiv".parse::<ZoneName>().unwrap()),
        recurrence: Some("FREQ=WEEKLY".to_owned()),
        ..blank
    }
}

/// Returns two days in Kyiv, every week from Monday, the 23rd of November 2026.
pub(super) fn camp() -> Event {
    let (start_date, end_date) = (at("2026-11-22T22:00:00Z"), at("2026-11-24T22:00:00Z"));
    Event { all_day: true, start_date, end_date, ..piano() }
}

/// Applies an update by a member in New York.
pub(super) fn decide(update: EventUpdate, event: Event) -> Verdict<Event> {
    let context =
        WriteContext { user: &"ada".parse().unwrap(), zone: &"America/New_York".parse::<Zone>().unwrap(), now: now() };
    let assignee = update.named_assignee().map(|id| person(id.as_str()));
    Event::decide(update, EventFacts { event, assignee, members: None }, &context)
}

pub(super) fn start(text: &str) -> OccurrenceStart {
    text.parse().unwrap()
}

pub(super) fn change(at: &str, change: &EventChange) -> EventUpdate {
    change.build().unwrap().of_occurrence(start(at), OccurrenceScope::This).unwrap()
}

#[track_caller]
pub(super) fn written(update: EventUpdate, event: Event) -> Event {
    match decide(update, event) {
        Verdict::Write(event) => event,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
pub(super) fn refused(update: EventUpdate, event: Event) -> Vec<String> {
    match decide(update, event) {
        Verdict::Refused(faults) => faults.into_iter().map(|fault| fault.pointer).collect(),
        other => panic!("{other:?}"),
    }
}

pub(super) fn skip(at: &str) -> EventUpdate {
    EventUpdate::skip_occurrence(start(at), OccurrenceScope::This)
}

pub(super) fn restore(at: &str) -> EventUpdate {
    EventUpdate::restore_occurrence(start(at))
}

#[test]
fn a_skipped_occurrence_is_excluded_and_restored() {
    for (event, id, exdate) in [
        (piano(), "20261208T163000Z", "FREQ=WEEKLY\nEXDATE:20261208T183000"),
        (piano(), "20261208", "FREQ=WEEKLY\nEXDATE:20261208T183000"),
        (piano(), "20261124T163000Z", "FREQ=WEEKLY\nEXDATE:20261124T183000"),
        (camp(), "20261207", "FREQ=WEEKLY\nEXDATE;VALUE=DATE:20261207"),
    ] {
        let skipped = written(skip(id), event.clone());
        assert_eq!(
            skipped,
            Event { recurrence: Some(exdate.to_owned()), updated_at: now(), sequence: 1, ..event.clone() }
        );
        assert_eq!(decide(skip(id), skipped.clone()), Verdict::NotFound, "skipped twice");
        assert_eq!(decide(change(id, &EventChange::new().title("x")), skipped.clone()), Verdict::NotFound);
        let restored = written(restore(id), skipped);
        assert_eq!(restored, Event { updated_at: now(), sequence: 2, ..event.clone() });
        // Nothing changes any more, not even the time of the last change.
        assert_eq!(written(restore(id), event.clone()), event);
    }
}

#[test]
fn an_occurrence_that_the_rule_does_not_make_is_not_found() {
    let single = Event { recurrence: None, ..piano() };
    let unknown = Event { recurrence: Some("every Tuesday".to_owned()), ..piano() };
    for (event, id) in [
        (piano(), "20261209T163000Z"),
        (piano(), "20261208T173000Z"),
        (piano(), "20261117T163000Z"),
        (piano(), "20261209"),
        (camp(), "20261208"),
        (camp(), "20261206T220000Z"),
        (single.clone(), "20261124T163000Z"),
        (single, "20261124"),
        (unknown, "20261124T163000Z"),
        (Event { recurrence: Some("FREQ=WEEKLY;UNTIL=20261201".to_owned()), ..piano() }, "20261208T163000Z"),
        (Event { recurrence: Some("FREQ=WEEKLY;COUNT=2".to_owned()), ..camp() }, "20261207"),
    ] {
        for update in [skip(id), restore(id), change(id, &EventChange::new().title("x"))] {
            assert_eq!(decide(update, event.clone()), Verdict::NotFound, "{id} of {event:?}");
        }
    }
}

#[test]
fn one_occurrence_moves_and_gets_its_own_fields() {
    let id = "20261208T163000Z";
    let (from, to) = (at("2026-12-09T16:30:00Z"), at("2026-12-09T17:30:00Z"));
    let moved = change(id, &EventChange::new().start_date(from).end_date(to).title("Recital").clear_location());
    let event = written(moved, piano());
    assert_eq!(
        event.overrides.to_string(),
        r#"[{"recurrenceId":"2026-12-08T18:30:00","startDate":"2026-12-09T16:30:00.000Z","#.to_owned()
            + r#""endDate":"2026-12-09T17:30:00.000Z","title":"Recital","location":null}]"#
    );
    assert_eq!(event, Event { overrides: event.overrides.clone(), updated_at: now(), sequence: 1, ..piano() });
    // The id stays, and other fields of the occurrence stay too.
    let assigned = written(change(id, &EventChange::new().assignee(&"bob".parse().unwrap())), event.clone());
    assert!(assigned.overrides.to_string().ends_with(r#""title":"Recital","location":null,"assigneeId":"bob"}]"#));
    assert_eq!(assigned.assignee_id, None);
    // Fields that equal those of the event follow it again.
    let back = EventChange::new()
        .start_date(at("2026-12-08T16:30:00Z"))
        .end_date(at("2026-12-08T17:30:00Z"))
        .title("Piano")
        .location("School");
    assert_eq!(written(change(id, &back), event.clone()), Event { updated_at: now(), sequence: 2, ..piano() });
    assert_eq!(written(restore(id), event.clone()), Event { updated_at: now(), sequence: 2, ..piano() });
    // A changed occurrence can be skipped, and then returns as the rule makes it.
    let skipped = written(skip(id), event);
    assert_eq!(skipped.recurrence.as_deref(), Some("FREQ=WEEKLY\nEXDATE:20261208T183000"));
    assert!(skipped.overrides.is_empty());
    assert_eq!(written(restore(id), skipped), Event { updated_at: now(), sequence: 3, ..piano() });
}

#[test]
fn the_days_of_an_occurrence_are_days_of_the_event() {
    use jiff::civil::date;
    let (first, last) = (date(2026, 12, 8), date(2026, 12, 10));
    let event = written(change("20261207", &EventChange::new().start_date(first).end_date(last)), camp());
    assert_eq!(
        event.overrides.to_string(),
        r#"[{"recurrenceId":"2026-12-07","startDate":"2026-12-07T22:00:00.000Z","#.to_owned()
            + r#""endDate":"2026-12-10T22:00:00.000Z"}]"#
    );
    let late = EventChange::new().start_date(at("2026-12-08T12:00:00Z")).end_date(at("2026-12-09T22:00:00Z"));
    assert_eq!(refused(change("20261207", &late), camp()), ["/startDate"]);
}

#[test]
fn an_occurrence_keeps_its_id_when_the_clock_skips_its_time() {
    let night = Event {
        start_date: at("2026-03-26T01:30:00Z"),
        end_date: at("2026-03-26T02:00:00Z"),
        recurrence: Some("FREQ=DAILY".to_owned()),
        ..piano()
    };
    // 03:30 does not exist in Kyiv on the 29th of March.
    let skipped = written(skip("20260329T013000Z"), night.clone());
    assert_eq!(skipped.recurrence.as_deref(), Some("FREQ=DAILY\nEXDATE:20260329T033000"));
    assert_eq!(written(restore("20260329T013000Z"), skipped).recurrence.as_deref(), Some("FREQ=DAILY"));
    let changed = written(change("20260329", &EventChange::new().title("x")), night);
    assert!(changed.overrides.find("2026-03-29T03:30:00".parse().unwrap()).is_some());
}

#[test]
fn a_day_with_several_occurrences_names_none_of_them() {
    let twice = Event { recurrence: Some("FREQ=WEEKLY;BYHOUR=10,18".to_owned()), ..piano() };
    assert_eq!(refused(skip("20261208"), twice.clone()), ["/start"]);
    let one_left = written(skip("20261208T083000Z"), twice.clone());
    assert_eq!(
        written(skip("20261208"), one_left.clone()).recurrence.as_deref(),
        Some("FREQ=WEEKLY;BYHOUR=10,18\nEXDATE:20261208T103000,20261208T183000")
    );
    assert_eq!(written(restore("20261208"), one_left), Event { updated_at: now(), sequence: 2, ..twice.clone() });
    let without_day = format!("{}\nEXDATE;VALUE=DATE:20261208", twice.recurrence.as_deref().unwrap());
    let excluded = Event { recurrence: Some(without_day), ..twice };
    assert_eq!(refused(restore("20261208T083000Z"), excluded), ["/recurrence"]);
}

#[test]
fn what_belongs_to_the_event_is_refused_for_one_occurrence() {
    for (of_event, field) in [
        (EventChange::new().all_day(), "/allDay"),
        (EventChange::new().time_zone("Europe/Kyiv".parse::<ZoneName>().unwrap()), "/timeZone"),
        (EventChange::new().recurrence("FREQ=DAILY"), "/recurrence"),
        (EventChange::new().clear_recurrence(), "/recurrence"),
    ] {
        let faults =
            of_event.title("x").build().unwrap().of_occurrence(start("20261208"), OccurrenceScope::This).unwrap_err();
        assert_eq!(faults.listed().iter().map(|fault| fault.pointer.as_str()).collect::<Vec<_>>(), [field]);
    }
    let reversed = EventChange::new().end_date(at("2026-12-08T16:00:00Z"));
    assert_eq!(refused(change("20261208", &reversed), piano()), ["/endDate"]);
    let empty = change("20261208", &EventChange::new());
    assert!(!Event::is_empty(&empty), "the occurrence must exist");
    assert_eq!(written(empty, piano()), piano());
}

#[test]
fn exceptions_have_a_maximum_length() {
    let long = format!("FREQ=DAILY\nRDATE:20270101T183000{}", ",20270101T183000".repeat(253));
    let full = Event { recurrence: Some(long), ..piano() };
    assert_eq!(refused(skip("20261208"), full.clone()), ["/recurrence"]);
    // A change takes no room in the recurrence.
    assert!(!written(change("20261208", &EventChange::new().title("x")), full).overrides.is_empty());
}

pub(super) fn all(at: &str, change: &EventChange) -> EventUpdate {
    change.build().unwrap().of_occurrence(start(at), OccurrenceScope::All).unwrap()
}

pub(super) fn end(at: &str) -> EventUpdate {
    EventUpdate::skip_occurrence(start(at), OccurrenceScope::Following)
}

/// Returns the event with a recurrence.
pub(super) fn with(event: Event, recurrence: &str) -> Event {
    Event { recurrence: Some(recurrence.to_owned()), ..event }
}

pub(super) fn dates(event: &Event) -> (String, String) {
    (event.start_date.to_string(), event.end_date.to_string())
}

#[test]
fn all_occurrences_move_by_civil_time() {
    for (id, to) in [
        ("20261208T163000Z", "2026-12-09T17:00:00Z"),
        // The clock is an hour later in summer.
        ("20270601T153000Z", "2027-06-02T16:00:00Z"),
    ] {
        let moved = written(all(id, &EventChange::new().start_date(at(to))), piano());
        assert_eq!(
            dates(&moved),
            ("2026-11-25T17:00:00.000Z".to_owned(), "2026-11-25T18:00:00.000Z".to_owned()),
            "{id}"
        );
        assert_eq!(moved.recurrence.as_deref(), Some("FREQ=WEEKLY"));
    }
    let longer = EventChange::new().end_date(at("2026-12-08T18:00:00Z"));
    let longer = written(all("20261208", &longer), piano());
    assert_eq!(dates(&longer), ("2026-11-24T16:30:00.000Z".to_owned(), "2026-11-24T18:00:00.000Z".to_owned()));
    let moved = written(all("20261207", &EventChange::new().start_date(jiff::civil::date(2026, 12, 8))), camp());
    assert_eq!(dates(&moved), ("2026-11-23T22:00:00.000Z".to_owned(), "2026-11-25T22:00:00.000Z".to_owned()));
    let title = written(all("20261208", &EventChange::new().title("Recital")), piano());
    assert_eq!(title, Event { title: "Recital".to_owned(), updated_at: now(), sequence: 1, ..piano() });
    assert_eq!(written(all("20261208", &EventChange::new()), piano()), piano());
    assert_eq!(decide(all("20261209", &EventChange::new().title("x")), piano()), Verdict::NotFound);
}

#[test]
fn what_belongs_to_the_occurrences_moves_with_all_of_them() {
    let weekly = with(
        piano(),
        "FREQ=WEEKLY;BYDAY=TU;UNTIL=20270105T163000Z\nEXDATE:20261201T183000\nRDATE;TZID=Europe/Madrid:20261231T173000",
    );
    let renamed = written(change("20261215", &EventChange::new().title("Recital")), weekly);
    let away = EventChange::new().start_date(at("2026-12-24T10:00:00Z")).end_date(at("2026-12-24T11:00:00Z"));
    let changed = written(change("20261222", &away), renamed);
    let moved = written(all("20261208", &EventChange::new().start_date(at("2026-12-09T17:00:00Z"))), changed);
    assert_eq!(
        moved.recurrence.as_deref(),
        Some(
            "FREQ=WEEKLY;BYDAY=WE;UNTIL=20270106T170000Z\nEXDATE:20261202T190000\n\
             RDATE;TZID=Europe/Madrid:20270101T180000"
        )
    );
    assert_eq!(
        moved.overrides.to_string(),
        r#"[{"recurrenceId":"2026-12-16T19:00:00","startDate":"2026-12-16T17:00:00.000Z","#.to_owned()
            + r#""endDate":"2026-12-16T18:00:00.000Z","title":"Recital"},"#
            + r#"{"recurrenceId":"2026-12-23T19:00:00","startDate":"2026-12-24T10:00:00.000Z","#
            + r#""endDate":"2026-12-24T11:00:00.000Z"}]"#
    );
}

#[test]
fn a_rule_that_lacks_the_new_start_must_be_sent_too() {
    let to = |text: &str| EventChange::new().start_date(at(text));
    let wednesday = "2026-12-09T16:30:00Z";
    for rule in ["FREQ=WEEKLY;BYDAY=TU,FR", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=WEEKLY;BYDAY=TU;BYHOUR=18"] {
        let other = if rule.contains("BYHOUR") { "2026-12-08T15:30:00Z" } else { wednesday };
        let event = with(piano(), rule);
        assert_eq!(refused(all("20261208", &to(other)), event.clone()), ["/startDate"], "{rule}");
        let sent = written(all("20261208", &to(other).recurrence("FREQ=DAILY")), event);
        assert_eq!(sent.recurrence.as_deref(), Some("FREQ=DAILY"));
    }
    // The other weekdays would stay, also if the rule has the new one.
    let friday = all("20261208", &to("2026-12-11T16:30:00Z"));
    assert_eq!(refused(friday, with(piano(), "FREQ=WEEKLY;BYDAY=TU,FR")), ["/startDate"]);
}

#[test]
fn an_event_ends_before_an_occurrence() {
    let renamed = written(change("20261215", &EventChange::new().title("x")), piano());
    let renamed = written(change("20261201", &EventChange::new().title("y")), renamed);
    let ended = written(end("20261208"), renamed);
    assert_eq!(ended.recurrence.as_deref(), Some("FREQ=WEEKLY;UNTIL=20261208T162959Z"));
    assert_eq!(ended.overrides.as_slice().len(), 1);
    assert_eq!(decide(end("20261208"), ended), Verdict::NotFound);
    let counted = written(end("20261207"), with(camp(), "FREQ=WEEKLY;COUNT=9\nEXDATE;VALUE=DATE:20261214"));
    assert_eq!(counted.recurrence.as_deref(), Some("FREQ=WEEKLY;COUNT=2"));
    assert_eq!(refused(end("20261124"), piano()), ["/scope"]);
    let every = EventUpdate::skip_occurrence(start("20261208"), OccurrenceScope::All);
    assert_eq!(refused(every, piano()), ["/scope"]);
}

#[test]
fn exceptions_move_with_the_start_of_the_event() {
    let weekly = with(piano(), "FREQ=WEEKLY\nEXDATE:20261201T183000\nEXDATE:20261208T163000Z\nRDATE:20261210T183000");
    let changed = written(change("20261215", &EventChange::new().title("x")), weekly);
    let update = |change: EventChange| change.build().unwrap();
    let moved = written(update(EventChange::new().start_date(at("2026-11-24T17:00:00Z"))), changed.clone());
    assert_eq!(
        moved.recurrence.as_deref(),
        Some("FREQ=WEEKLY\nEXDATE:20261201T190000\nEXDATE:20261208T170000Z\nRDATE:20261210T183000")
    );
    let key = |event: &Event| event.overrides.as_slice().iter().map(|change| change.recurrence_id.to_string()).next();
    assert_eq!(key(&moved).as_deref(), Some("2026-12-15T19:00:00"));
    assert_eq!(moved.overrides.as_slice()[0].start_date, at("2026-12-15T17:00:00Z"));
    // A timed event keeps its instants in another time zone.
    let madrid = EventChange::new().time_zone("Europe/Madrid".parse::<ZoneName>().unwrap());
    let elsewhere = written(update(madrid.clone()), changed.clone());
    assert_eq!((elsewhere.start_date, key(&elsewhere).as_deref()), (piano().start_date, Some("2026-12-15T17:30:00")));
    assert!(elsewhere.recurrence.unwrap().contains("EXDATE:20261201T173000\nEXDATE:20261208T163000Z"));
    // An all-day event keeps its days.
    let days = written(update(madrid), camp());
    assert_eq!(dates(&days), ("2026-11-22T23:00:00.000Z".to_owned(), "2026-11-24T23:00:00.000Z".to_owned()));
    // A change of an occurrence ends with it.
    let kept = written(update(EventChange::new().recurrence("FREQ=DAILY;INTERVAL=3")), changed.clone());
    assert_eq!(key(&kept).as_deref(), Some("2026-12-15T18:30:00"));
    let dropped = written(update(EventChange::new().recurrence("FREQ=DAILY;INTERVAL=2")), changed);
    assert_eq!(key(&dropped), None);
}
