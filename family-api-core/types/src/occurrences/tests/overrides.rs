//! Changed occurrences replace those at their local starts by the rule.

use super::super::{DayRange, Expansion, Override, Overrides, expand};
use super::{all_day, event, find, with_zone};
use crate::calendar::{Zone, parse_date};
use crate::resource::{Event, Person};
use crate::validation::Field;

const KYIV: &str = "Europe/Kyiv";

/// Returns a change of the occurrence that starts at `key` by the rule.
fn moved(key: &str, start: &str, end: &str) -> Override {
    Override::new(key.parse().unwrap(), start.parse().unwrap(), end.parse().unwrap())
}

fn with(event: Event, overrides: impl Into<Vec<Override>>) -> Event {
    Event { overrides: Overrides::new(overrides.into()).unwrap(), ..event }
}

/// Returns an event on Tuesdays at 18:30 in Kyiv, from 1 December 2026.
fn piano(recurrence: &str) -> Event {
    with_zone(KYIV, event("2026-12-01T16:30:00Z", "2026-12-01T17:15:00Z", recurrence))
}

/// Returns the identifiers and starts of the occurrences.
fn seen(event: &Event, first: &str, last: &str) -> Vec<(String, String)> {
    let found = find(std::slice::from_ref(event), KYIV, first, last);
    assert!(!found.is_cut && found.unexpanded.is_empty());
    let of = |item: &crate::resource::Occurrence| (item.id.to_string(), item.start_date.to_string());
    found.items.iter().map(of).collect()
}

fn pairs<const N: usize>(expected: [(&str, &str); N]) -> Vec<(String, String)> {
    expected.map(|(id, start)| (format!("e@{id}"), format!("{start}.000Z"))).into()
}

#[test]
fn a_moved_occurrence_keeps_its_id_and_leaves_its_place() {
    let piano =
        with(piano("FREQ=WEEKLY"), [moved("2026-12-08T18:30:00", "2026-12-10T09:00:00Z", "2026-12-10T12:00:00Z")]);
    let expected = [
        ("20261201T163000Z", "2026-12-01T16:30:00"),
        ("20261208T163000Z", "2026-12-10T09:00:00"),
        ("20261215T163000Z", "2026-12-15T16:30:00"),
    ];
    assert_eq!(seen(&piano, "2026-12-01", "2026-12-15"), pairs(expected));
    assert!(seen(&piano, "2026-12-08", "2026-12-08").is_empty());
    let found = find(&[piano], KYIV, "2026-12-10", "2026-12-10").items;
    assert_eq!(found[0].end_date.to_string(), "2026-12-10T12:00:00.000Z");
    assert_eq!(found[0].recurrence_id.unwrap().to_string(), "2026-12-08T18:30:00");
}

#[test]
fn an_occurrence_can_move_before_its_event_and_beyond_its_rule() {
    let piano = with(
        piano("FREQ=WEEKLY;COUNT=2"),
        [
            moved("2026-12-01T18:30:00", "2027-03-01T10:00:00Z", "2027-03-01T11:00:00Z"),
            moved("2026-12-08T18:30:00", "2026-11-02T10:00:00Z", "2026-11-02T11:00:00Z"),
        ],
    );
    assert_eq!(seen(&piano, "2026-11-01", "2026-11-30"), pairs([("20261208T163000Z", "2026-11-02T10:00:00")]));
    assert!(seen(&piano, "2026-12-01", "2026-12-31").is_empty());
    assert_eq!(seen(&piano, "2027-03-01", "2027-03-31"), pairs([("20261201T163000Z", "2027-03-01T10:00:00")]));
}

#[test]
fn two_occurrences_of_an_event_can_start_together() {
    let onto_another = moved("2026-12-15T18:30:00", "2026-12-08T16:30:00Z", "2026-12-08T17:15:00Z");
    let piano = with(piano("FREQ=WEEKLY"), [onto_another]);
    let expected = [("20261208T163000Z", "2026-12-08T16:30:00"), ("20261215T163000Z", "2026-12-08T16:30:00")];
    assert_eq!(seen(&piano, "2026-12-08", "2026-12-15"), pairs(expected));
}

#[test]
fn a_change_replaces_an_excluded_and_an_additional_occurrence() {
    let recurrence = "FREQ=WEEKLY;COUNT=2\nEXDATE:20261208T183000\nRDATE:20261210T100000";
    let piano = with(
        piano(recurrence),
        [
            moved("2026-12-08T18:30:00", "2026-12-09T10:00:00Z", "2026-12-09T11:00:00Z"),
            moved("2026-12-10T10:00:00", "2026-12-11T10:00:00Z", "2026-12-11T11:00:00Z"),
        ],
    );
    let expected = [("20261208T163000Z", "2026-12-09T10:00:00"), ("20261210T080000Z", "2026-12-11T10:00:00")];
    assert_eq!(seen(&piano, "2026-12-02", "2026-12-31"), pairs(expected));
}

#[test]
fn a_local_start_that_the_clock_skips_or_repeats_is_one_occurrence() {
    // On 28 March 2027, 03:30 is skipped and the occurrence is at 04:30.
    let spring = with_zone(KYIV, event("2027-03-27T01:30:00Z", "2027-03-27T02:00:00Z", "FREQ=DAILY;BYHOUR=3,4"));
    let spring = with(spring, [moved("2027-03-28T03:30:00", "2027-03-28T12:00:00Z", "2027-03-28T12:30:00Z")]);
    assert_eq!(seen(&spring, "2027-03-28", "2027-03-28"), pairs([("20270328T013000Z", "2027-03-28T12:00:00")]));
    // On 25 October 2026, 03:30 occurs twice. The event is in the second hour.
    let autumn = with_zone(KYIV, event("2026-10-25T01:30:00.250Z", "2026-10-25T02:00:00Z", "FREQ=DAILY;COUNT=2"));
    let autumn = with(autumn, [moved("2026-10-25T03:30:00", "2026-10-25T12:00:00Z", "2026-10-25T12:30:00Z")]);
    let expected = [("20261025T013000Z", "2026-10-25T12:00:00"), ("20261026T013000Z", "2026-10-26T01:30:00")];
    let found: Vec<_> = seen(&autumn, "2026-10-25", "2026-10-26")
        .into_iter()
        .map(|(id, at)| (id, at.replace(".250Z", ".000Z")))
        .collect();
    assert_eq!(found, pairs(expected));
}

#[test]
fn changes_of_an_all_day_event_are_found_by_their_days() {
    let trip = with_zone(KYIV, all_day("2026-11-30T22:00:00Z", "2026-12-01T22:00:00Z", "FREQ=WEEKLY"));
    // Two days, Wednesday and Thursday.
    let trip = with(trip, [moved("2026-12-08", "2026-12-08T22:00:00Z", "2026-12-10T22:00:00Z")]);
    for (day, expected) in
        [("2026-12-01", 1), ("2026-12-08", 0), ("2026-12-09", 1), ("2026-12-10", 1), ("2026-12-11", 0)]
    {
        for reader in [KYIV, "America/New_York", "Australia/Lord_Howe"] {
            let found = find(std::slice::from_ref(&trip), reader, day, day).items;
            assert_eq!(found.len(), expected, "{reader} {day}");
        }
    }
    assert_eq!(seen(&trip, "2026-12-09", "2026-12-09"), pairs([("20261208", "2026-12-08T22:00:00")]));
}

#[test]
fn a_change_sets_clears_and_keeps_fields() {
    let person = |id: &str| Person::new(id.parse().unwrap(), id);
    let base = Event {
        description: Some("Scales".to_owned()),
        location: Some("School".to_owned()),
        assignee_id: Some("ann".parse().unwrap()),
        assignee: Some(person("ann")),
        participant_ids: vec!["ann".parse().unwrap()],
        ..piano("FREQ=WEEKLY")
    };
    let at = |day: &str| moved(&format!("2026-12-{day}T18:30:00"), "2026-12-09T10:00:00Z", "2026-12-09T11:00:00Z");
    let changed = Override {
        title: Some("Concert".to_owned()),
        description: Field::Clear,
        location: Field::Set("Hall".to_owned()),
        assignee_id: Field::Set("bob".parse().unwrap()),
        participant_ids: Some(vec!["bob".parse().unwrap()]),
        ..at("08")
    };
    let unassigned = Override { assignee_id: Field::Clear, ..at("15") };
    let same = Override { assignee_id: Field::Set("ann".parse().unwrap()), ..at("22") };
    let events = [with(base.clone(), [changed, unassigned, same])];
    let day = parse_date("2026-12-09").unwrap();
    let zone: Zone = KYIV.parse().unwrap();
    let found = Expansion::of(events.iter(), &zone, DayRange::new(day, day).unwrap(), 10);
    let texts: Vec<Vec<&str>> = found.items.iter().map(|item| item.texts().collect()).collect();
    assert_eq!(texts, [vec!["Concert", "Hall"], vec!["Piano", "Scales", "School"], vec!["Piano", "Scales", "School"]]);
    let [first, second, third] = [0, 1, 2].map(|at| found.items[at].to_occurrence(&[person("ann"), person("bob")]));
    assert_eq!((first.title.as_str(), first.description, first.location.as_deref()), ("Concert", None, Some("Hall")));
    assert_eq!((first.assignee, first.participant_ids), (Some(person("bob")), vec!["bob".parse().unwrap()]));
    assert_eq!((second.assignee_id, second.assignee, second.participant_ids), (None, None, base.participant_ids));
    // The assignee of the event is known without the members.
    assert_eq!(third.assignee, Some(person("ann")));
    assert_eq!(found.items[2].to_occurrence(&[]).assignee, Some(person("ann")));
    assert_eq!(found.items[0].to_occurrence(&[]).assignee, None);
}

#[test]
fn the_earliest_occurrences_are_kept_also_if_they_are_changed() {
    let early = moved("2026-12-29T18:30:00", "2026-12-02T10:00:00Z", "2026-12-02T11:00:00Z");
    let events = [with(piano("FREQ=WEEKLY"), [early])];
    let days = DayRange::new(parse_date("2026-12-01").unwrap(), parse_date("2026-12-31").unwrap()).unwrap();
    let found = expand(&events, &KYIV.parse().unwrap(), days, 2);
    let ids: Vec<_> = found.items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!((ids, found.is_cut), (vec!["e@20261201T163000Z", "e@20261229T163000Z"], true));
}

#[test]
fn many_changes_use_up_the_steps_of_a_query() {
    let first = parse_date("2026-01-01").unwrap();
    let change =
        |day: jiff::civil::Date| moved(&format!("{day}T18:30:00"), "2026-06-01T10:00:00Z", "2026-06-01T11:00:00Z");
    let changes: Vec<_> = first.series(jiff::ToSpan::days(1)).take(200).map(change).collect();
    let mut events = vec![with(piano("FREQ=DAILY"), changes); 1_100];
    let mut short = piano("FREQ=WEEKLY");
    short.id = "short".parse().unwrap();
    events.push(short);
    let found = find(&events, KYIV, "2026-12-01", "2026-12-01");
    assert!(found.is_cut && found.items.len() < 1_000, "{}", found.items.len());
    assert!(found.items.iter().any(|item| item.occurrence_of.as_str() == "short"));
}
