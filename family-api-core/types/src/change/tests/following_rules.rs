//! Changes of an occurrence and all later ones.

use jiff::SignedDuration;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::occurrence_rules::{camp, dates, piano, start, with, written};
use super::series_rules::{keys, with_override};
use super::{at, now};
use crate::calendar::{Zone, ZoneName};
use crate::change::{Editable, EventChange, EventFacts, EventUpdate, OccurrenceScope, Split, Verdict, WriteContext};
use crate::id::EventId;
use crate::occurrences::tests::random_series::{local_start, occurrences, rule_starts, series};
use crate::occurrences::{OccurrenceStart, Override, Overrides};
use crate::resource::{Event, RecordKind, Verb, write_scope};

fn following(at: &str, change: &EventChange) -> EventUpdate {
    change.build().unwrap().of_occurrence(start(at), OccurrenceScope::Following).unwrap()
}

fn new_id() -> EventId {
    "following".parse().unwrap()
}

fn decide_in(zone: &Zone, update: EventUpdate, event: Event) -> Verdict<Split<Event>> {
    assert!(Event::splits(&update));
    let context = WriteContext { user: &"ada".parse().unwrap(), zone, now: now() };
    Event::decide_split(update, new_id(), EventFacts { event, assignee: None, members: None }, &context)
}

fn decide(update: EventUpdate, event: Event) -> Verdict<Split<Event>> {
    decide_in(&"America/New_York".parse().unwrap(), update, event)
}

/// Returns the events before and after the split.
#[track_caller]
fn parts(update: EventUpdate, event: Event) -> (Event, Event) {
    match decide(update, event) {
        Verdict::Write(Split { record, new: Some(new) }) => (record, new),
        other => panic!("{other:?}"),
    }
}

/// Returns the event after an update that does not split it.
#[track_caller]
fn whole(update: EventUpdate, event: Event) -> Event {
    match decide(update, event) {
        Verdict::Write(Split { record, new: None }) => record,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refused(update: EventUpdate, event: Event) -> Vec<String> {
    match decide(update, event) {
        Verdict::Refused(faults) => faults.into_iter().map(|fault| fault.pointer).collect(),
        other => panic!("{other:?}"),
    }
}

fn title() -> EventChange {
    EventChange::new().title("Recital")
}

fn to(text: &str) -> EventChange {
    EventChange::new().start_date(at(text))
}

#[test]
fn an_event_ends_and_another_one_begins() {
    let event = with_override(piano(), "2026-12-01T18:30:00", "2026-12-02T16:30:00Z", None);
    let event = with_override(event, "2026-12-15T18:30:00", "2026-12-16T16:30:00Z", Some("Rehearsal"));
    let event = Event { sequence: 7, ..event };
    for id in ["20261208T163000Z", "20261208"] {
        let (ended, new) = parts(following(id, &title()), event.clone());
        assert_eq!(keys(&ended), ["2026-12-01T18:30:00"]);
        assert_eq!(
            ended,
            Event {
                overrides: ended.overrides.clone(),
                updated_at: now(),
                sequence: 8,
                ..with(event.clone(), "FREQ=WEEKLY;UNTIL=20261208T162959Z")
            }
        );
        assert_eq!(keys(&new), ["2026-12-15T18:30:00"]);
        assert_eq!(
            new,
            Event {
                id: new_id(),
                title: "Recital".to_owned(),
                start_date: at("2026-12-08T16:30:00Z"),
                end_date: at("2026-12-08T17:30:00Z"),
                overrides: new.overrides.clone(),
                created_at: now(),
                updated_at: now(),
                sequence: 0,
                ..event.clone()
            }
        );
        // A repetition of the request finds no such occurrence.
        assert_eq!(decide(following(id, &title()), ended), Verdict::NotFound);
    }
    let counted = with(camp(), "FREQ=WEEKLY;COUNT=9\nEXDATE;VALUE=DATE:20261130,20261214");
    let (ended, new) = parts(following("20261207", &title()), counted);
    assert_eq!(ended.recurrence.as_deref(), Some("FREQ=WEEKLY;COUNT=2\nEXDATE;VALUE=DATE:20261130"));
    assert_eq!(new.recurrence.as_deref(), Some("FREQ=WEEKLY;COUNT=7\nEXDATE;VALUE=DATE:20261214"));
    assert_eq!(dates(&new), ("2026-12-06T22:00:00.000Z".to_owned(), "2026-12-08T22:00:00.000Z".to_owned()));
}

#[test]
fn the_first_occurrence_shown_changes_the_event_as_a_whole() {
    let all = |id: &str, change: &EventChange| {
        change.build().unwrap().of_occurrence(start(id), OccurrenceScope::All).unwrap()
    };
    let skipped = with(piano(), "FREQ=WEEKLY\nEXDATE:20261124T183000,20261201T183000");
    for (id, event) in [("20261124T163000Z", piano()), ("20261208", skipped.clone()), ("20261123", camp())] {
        for change in [title(), EventChange::new().start_date(at("2026-12-15T22:00:00Z")).title("x")] {
            let whole = whole(following(id, &change), event.clone());
            assert_eq!(whole, written(all(id, &change), event.clone()), "{id}");
        }
    }
    // A changed occurrence is shown although it is excluded.
    let shown = with_override(skipped, "2026-12-01T18:30:00", "2026-12-02T16:30:00Z", None);
    let (ended, _) = parts(following("20261208", &title()), shown);
    assert_eq!(keys(&ended), ["2026-12-01T18:30:00"]);
}

#[test]
fn what_belongs_to_the_later_occurrences_moves_with_them() {
    let weekly = with(
        piano(),
        "FREQ=WEEKLY;BYDAY=TU;UNTIL=20270105T163000Z\nEXDATE:20261201T183000,20261215T183000\nRDATE:20261231T183000",
    );
    let event = with_override(weekly, "2026-11-24T18:30:00", "2026-11-25T10:00:00Z", None);
    let event = with_override(event, "2026-12-22T18:30:00", "2026-12-22T16:30:00Z", Some("Rehearsal"));
    let (ended, new) = parts(following("20261208", &to("2026-12-09T17:00:00Z")), event.clone());
    assert_eq!(
        ended.recurrence.as_deref(),
        Some("FREQ=WEEKLY;BYDAY=TU;UNTIL=20261208T162959Z\nEXDATE:20261201T183000")
    );
    assert_eq!((&ended.overrides.as_slice()[0], dates(&ended)), (&event.overrides.as_slice()[0], dates(&piano())));
    assert_eq!(
        new.recurrence.as_deref(),
        Some("FREQ=WEEKLY;BYDAY=WE;UNTIL=20270106T170000Z\nEXDATE:20261216T190000\nRDATE:20270101T190000")
    );
    assert_eq!(keys(&new), ["2026-12-23T19:00:00"]);
    assert_eq!(new.overrides.as_slice()[0].start_date, at("2026-12-23T17:00:00Z"));
    assert_eq!(dates(&new), ("2026-12-09T17:00:00.000Z".to_owned(), "2026-12-09T18:00:00.000Z".to_owned()));
    let several = with(piano(), "FREQ=WEEKLY;BYDAY=TU,FR");
    assert_eq!(refused(following("20261208", &to("2026-12-09T17:00:00Z")), several), ["/startDate"]);
}

#[test]
fn a_changed_occurrence_is_changed_from_where_it_is_shown() {
    let event = with_override(piano(), "2026-12-08T18:30:00", "2026-12-09T16:30:00Z", Some("Rehearsal"));
    let (ended, new) = parts(following("20261208", &EventChange::new().location("Hall")), event.clone());
    assert!(ended.overrides.is_empty());
    assert_eq!((new.location.as_deref(), &new.title), (Some("Hall"), &piano().title));
    assert_eq!((&new.overrides, dates(&new).0.as_str()), (&event.overrides, "2026-12-08T16:30:00.000Z"));
    // An hour later than shown, so the series is an hour later too.
    let (_, later) = parts(following("20261208", &to("2026-12-09T17:30:00Z")), event);
    assert_eq!(
        (keys(&later), dates(&later).0.as_str()),
        (vec!["2026-12-08T19:30:00".to_owned()], "2026-12-08T17:30:00.000Z")
    );
    assert_eq!(later.overrides.as_slice()[0].start_date, at("2026-12-09T17:30:00Z"));
}

#[test]
fn the_later_occurrences_can_get_another_rule_or_none() {
    let event = with_override(piano(), "2026-12-15T18:30:00", "2026-12-16T16:30:00Z", None);
    let event = with_override(event, "2026-12-22T18:30:00", "2026-12-23T16:30:00Z", None);
    let fortnightly = title().recurrence("FREQ=WEEKLY;INTERVAL=2");
    let (ended, new) = parts(following("20261208", &fortnightly), event.clone());
    assert_eq!(ended.recurrence.as_deref(), Some("FREQ=WEEKLY;UNTIL=20261208T162959Z"));
    assert_eq!(
        (new.recurrence.as_deref(), keys(&new)),
        (Some("FREQ=WEEKLY;INTERVAL=2"), vec!["2026-12-22T18:30:00".to_owned()])
    );
    let (_, once) = parts(following("20261208", &EventChange::new().clear_recurrence()), event);
    assert_eq!((once.recurrence.as_deref(), once.overrides.is_empty()), (None, true));
    assert_eq!(once.start_date, at("2026-12-08T16:30:00Z"));
}

#[test]
fn a_split_that_cannot_be_made_is_refused() {
    let unchanged = EventChange::new();
    assert_eq!(whole(following("20261208", &unchanged), piano()), piano());
    for change in [&unchanged, &title()] {
        for id in ["20261209", "20261117T163000Z"] {
            assert_eq!(decide(following(id, change), piano()), Verdict::NotFound);
        }
    }
    for (change, field) in [
        (EventChange::new().all_day(), "/allDay"),
        (EventChange::new().time_zone("Europe/Kyiv".parse::<ZoneName>().unwrap()), "/timeZone"),
    ] {
        let faults = change.build().unwrap().of_occurrence(start("20261208"), OccurrenceScope::Following).unwrap_err();
        assert_eq!(faults.listed()[0].pointer, field);
    }
    let added = with(piano(), "FREQ=WEEKLY;INTERVAL=2\nRDATE:20261210T183000");
    assert_eq!(refused(following("20261210", &title()), added), ["/start"]);
    // Only the recurrence of the first event has no room.
    let long = format!("FREQ=DAILY\nRDATE:20261201T193000{}", ",20261201T193000".repeat(254));
    assert_eq!(refused(following("20261208", &title()), with(piano(), &long)), ["/recurrence"]);
    let reversed = EventChange::new().end_date(at("2026-12-08T16:00:00Z"));
    assert_eq!(refused(following("20261208", &reversed), piano()), ["/endDate"]);
}

#[test]
fn an_event_is_not_split_without_an_id_for_the_other_part() {
    let context = WriteContext { user: &"ada".parse().unwrap(), zone: &Zone::utc(), now: now() };
    for id in ["20261124", "20261208"] {
        let facts = EventFacts { event: piano(), assignee: None, members: None };
        match Event::decide(following(id, &title()), facts, &context) {
            Verdict::Refused(faults) => assert_eq!(faults[0].pointer, "/scope"),
            other => panic!("{other:?}"),
        }
    }
}

/// The transaction of an update that splits a record checks only the scope of the update.
#[test]
fn a_token_that_can_split_a_record_can_also_create_it() {
    let mut kinds = Vec::new();
    macro_rules! check {
        ($($method:ident: $Record:ident,)*) => {$(
            if <crate::resource::$Record as Editable>::CAN_SPLIT {
                let kind = <crate::resource::$Record as Editable>::KIND;
                assert_eq!(write_scope(kind, Verb::Create), write_scope(kind, Verb::Update));
                kinds.push(kind);
            }
        )*};
    }
    crate::for_each_kind!(check);
    assert_eq!(kinds, [RecordKind::Event]);
}

#[test]
fn two_changed_occurrences_that_the_clock_moves_to_one_time_are_not_split() {
    // 03:30 does not exist in Kyiv on the 29th of March, so both occurrences of this day are at 04:30.
    let night = Event {
        start_date: at("2026-03-26T01:30:00Z"),
        end_date: at("2026-03-26T02:00:00Z"),
        ..with(piano(), "FREQ=DAILY;BYHOUR=3,4")
    };
    let one = with_override(night, "2026-03-29T03:30:00", "2026-03-29T06:00:00Z", None);
    let (_, new) = parts(following("20260329T013000Z", &title()), one.clone());
    assert_eq!(keys(&new), ["2026-03-29T04:30:00"]);
    let both = with_override(one, "2026-03-29T04:30:00", "2026-03-29T09:00:00Z", None);
    match decide(following("20260329T013000Z", &title()), both) {
        Verdict::Refused(faults) => {
            assert_eq!(faults.len(), 1);
            assert_eq!(faults[0].pointer, "/start");
            assert!(faults[0].detail.ends_with("restore one of them first"), "{faults:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_occurrence_at_a_skipped_time_keeps_its_change() {
    // 03:30 does not exist in Kyiv on the 29th of March.
    let night = Event {
        start_date: at("2026-03-26T01:30:00Z"),
        end_date: at("2026-03-26T02:30:00Z"),
        ..with(piano(), "FREQ=DAILY")
    };
    let event = with_override(night, "2026-03-29T03:30:00", "2026-03-29T06:00:00Z", None);
    let (_, new) = parts(following("20260329", &title()), event);
    assert_eq!(
        (new.recurrence.as_deref(), keys(&new)),
        (Some("FREQ=DAILY;BYHOUR=3"), vec!["2026-03-29T04:30:00".to_owned()])
    );
    assert_eq!(new.start_date, at("2026-03-29T01:30:00Z"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_events_have_the_occurrences_of_the_event_before(
        (event, zone, local) in series(),
        changes in vec((any::<Index>(), -50_i64..50), 0..4),
        is_itself_changed in any::<bool>(),
    ) {
        let starts = rule_starts(&event, &zone);
        let changed = changes.iter().map(|(index, hours)| (*index.get(&starts), *hours));
        let changed = changed.chain(is_itself_changed.then_some((local, 5)));
        let mut overrides: Vec<Override> = changed
            .map(|(local, hours)| {
                let start = zone.resolve(local).unwrap().saturating_add(SignedDuration::from_hours(hours));
                Override::new(local_start(&event, local), start, start.saturating_add(SignedDuration::from_mins(50)))
            })
            .collect();
        overrides.sort_by_key(|change| change.recurrence_id);
        overrides.dedup_by_key(|change| change.recurrence_id);
        let event = Event { overrides: Overrides::new(overrides).unwrap(), ..event };
        let start = if event.all_day {
            OccurrenceStart::Day(local.date())
        } else {
            OccurrenceStart::At(zone.resolve(local).unwrap())
        };
        let update = title().build().unwrap().of_occurrence(start, OccurrenceScope::Following).unwrap();
        let decided = decide_in(&zone, update, event.clone());
        let shown = format!("{event:?} at {local}: {decided:?}");
        let Verdict::Write(Split { record, new }) = decided else { panic!("{shown}") };
        prop_assert_eq!(new.as_ref().unwrap_or(&record).title.as_str(), "Recital");
        let first = zone.local(event.start_date).date().saturating_sub(jiff::ToSpan::days(3));
        let mut found = occurrences(&record, &zone, first);
        found.extend(new.iter().flat_map(|new| occurrences(new, &zone, first)));
        found.sort();
        found.dedup();
        prop_assert_eq!(found, occurrences(&event, &zone, first), "{}", shown);
    }
}
