use jiff::SignedDuration;
use proptest::prelude::*;

use super::*;
use crate::Timestamp;
use crate::id::UserId;
use crate::occurrences::{Override, Overrides};
use crate::query::testing::NOW;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn ids(people: &[&str]) -> Vec<UserId> {
    people.iter().map(|id| id.parse().unwrap()).collect()
}

/// Returns an event from one instant to another, in which these people take part.
fn event(id: &str, start: &str, end: &str, people: &[&str]) -> Event {
    let event = Event::new(id.parse().unwrap(), id, at(start), at(end), at(NOW));
    Event { participant_ids: ids(people), time_zone: Some("Europe/Madrid".parse().unwrap()), ..event }
}

fn all_day(event: Event) -> Event {
    Event { all_day: true, ..event }
}

fn find(query: &ClashQuery, events: &[Event]) -> Clashes {
    let zone = "Europe/Madrid".parse().unwrap();
    let user = "ana".parse().unwrap();
    let context = QueryContext { user: &user, now: at(NOW), zone: &zone };
    let group = ClashGroup::of(vec![query.clone()], context).pop().unwrap();
    group.select(events, group.days().unwrap(), &zone).pop().unwrap().1
}

/// Returns the occurrences that overlap first, each with the number of those of its event.
fn clashes(event: &Event, occurrence: Option<&str>, others: &[Event]) -> Vec<(String, usize)> {
    let occurrence = occurrence.map(|start| start.parse().unwrap());
    let found = find(&ClashQuery { event: event.clone(), occurrence }, others);
    assert!(!found.is_cut);
    found.events.into_iter().map(|clash| (clash.occurrence.id.to_string(), clash.count)).collect()
}

fn is_clash(one: &Event, other: &Event) -> bool {
    let found = !clashes(one, None, std::slice::from_ref(other)).is_empty();
    assert_eq!(found, !clashes(other, None, std::slice::from_ref(one)).is_empty(), "{one:?} {other:?}");
    found
}

#[test]
fn events_clash_if_they_share_a_moment_and_a_person() {
    let dentist = event("dentist", "2026-12-01T16:00:00Z", "2026-12-01T17:00:00Z", &["ana"]);
    for (start, end, people, expected) in [
        ("16:30", "18:00", &["ana", "ben"][..], true),
        ("16:30", "18:00", &["ben"], false),
        ("16:30", "18:00", &[], true),
        ("15:00", "18:00", &["ana"], true),
        ("16:10", "16:20", &["ana"], true),
        // Events that follow each other.
        ("17:00", "18:00", &["ana"], false),
        ("15:00", "16:00", &["ana"], false),
        // Events without length.
        ("16:00", "16:00", &["ana"], true),
        ("16:30", "16:30", &["ana"], true),
        ("17:00", "17:00", &["ana"], false),
    ] {
        let other = event("x", &format!("2026-12-01T{start}:00Z"), &format!("2026-12-01T{end}:00Z"), people);
        assert_eq!(is_clash(&dentist, &other), expected, "{start} {end} {people:?}");
    }
    let assigned =
        Event { assignee_id: Some("ana".parse().unwrap()), participant_ids: ids(&["ben"]), ..dentist.clone() };
    assert!(is_clash(&assigned, &event("x", "2026-12-01T16:30:00Z", "2026-12-01T17:00:00Z", &["ana"])));
    // The stored version of the event itself, also before it moved.
    assert!(
        clashes(&dentist, None, &[event("dentist", "2026-12-01T16:30:00Z", "2026-12-01T17:30:00Z", &[])]).is_empty()
    );
}

#[test]
fn an_all_day_event_takes_time_only_of_its_people() {
    let day = |people: &[&str]| all_day(event("day", "2026-11-30T23:00:00Z", "2026-12-01T23:00:00Z", people));
    let lunch = event("lunch", "2026-12-01T12:00:00Z", "2026-12-01T13:00:00Z", &["ana"]);
    assert!(is_clash(&day(&["ana"]), &lunch));
    assert!(!is_clash(&day(&["ben"]), &lunch));
    assert!(!is_clash(&day(&[]), &lunch));
    let late = event("late", "2026-12-01T23:00:00Z", "2026-12-01T23:30:00Z", &["ana"]);
    assert!(!is_clash(&day(&["ana"]), &late));
    // A day in another zone is the same day for the reader.
    let zone = Some("Pacific/Auckland".parse().unwrap());
    let far = all_day(event("far", "2026-11-30T11:00:00Z", "2026-12-01T11:00:00Z", &["ana"]));
    let far = Event { time_zone: zone, ..far };
    assert!(is_clash(&far, &lunch) && is_clash(&far, &day(&["ana"])));
    let before = event("before", "2026-11-30T12:00:00Z", "2026-11-30T13:00:00Z", &["ana"]);
    assert!(!is_clash(&far, &before));
}

/// Returns the events of the same days that do not clash, each with the number of its occurrences.
fn same_days(event: &Event, others: &[Event]) -> Vec<(String, usize)> {
    let found = find(&ClashQuery { event: event.clone(), occurrence: None }, others);
    assert_eq!((found.events.len(), found.more), (0, 0));
    found.same_days.into_iter().map(|clash| (clash.occurrence.id.to_string(), clash.count)).collect()
}

#[test]
fn an_all_day_event_without_people_is_named_on_its_days() {
    let holiday = all_day(event("holiday", "2026-11-30T23:00:00Z", "2026-12-02T23:00:00Z", &[]));
    let birthday = all_day(event("birthday", "2026-12-01T23:00:00Z", "2026-12-02T23:00:00Z", &[]));
    let lunch = event("lunch", "2026-12-01T12:00:00Z", "2026-12-01T13:00:00Z", &["ana"]);
    let later = event("later", "2026-12-03T12:00:00Z", "2026-12-03T13:00:00Z", &[]);
    let once = |id: &str| (id.to_owned(), 1);
    let all = [holiday.clone(), birthday.clone(), lunch.clone(), later.clone()];
    assert_eq!(same_days(&lunch, &all), [once("holiday")]);
    assert_eq!(same_days(&holiday, &all), [once("lunch"), once("birthday")]);
    assert_eq!(same_days(&birthday, &all), [once("holiday")]);
    assert_eq!(same_days(&later, &all), []);
    let weekly = Event { recurrence: Some("FREQ=WEEKLY;COUNT=3".to_owned()), ..lunch.clone() };
    let daily = Event { recurrence: Some("FREQ=DAILY".to_owned()), ..birthday };
    assert_eq!(same_days(&weekly, &[daily]), [("birthday@20261208".to_owned(), 2)]);
    // What clashes is not named twice.
    let trip = all_day(event("trip", "2026-11-30T23:00:00Z", "2026-12-02T23:00:00Z", &["ana"]));
    let found = find(&ClashQuery { event: lunch, occurrence: None }, &[trip, holiday.clone()]);
    let ids = |clashes: &[Clash]| clashes.iter().map(|clash| clash.occurrence.id.to_string()).collect::<Vec<_>>();
    assert_eq!((ids(&found.events), ids(&found.same_days)), (vec!["trip".to_owned()], vec!["holiday".to_owned()]));
    let marks: Vec<Event> =
        (0..8).map(|index| Event { id: format!("m{index}").parse().unwrap(), ..holiday.clone() }).collect();
    let found = find(&ClashQuery { event: holiday, occurrence: None }, &marks);
    assert_eq!((found.same_days.len(), found.more_same_days, found.events.len()), (5, 3, 0));
}

#[test]
fn a_series_is_compared_in_its_zone_for_the_next_days() {
    let weekly = |event: Event| Event { recurrence: Some("FREQ=WEEKLY".to_owned()), ..event };
    // 18:30 on Tuesdays in Madrid, since the summer.
    let piano = weekly(event("piano", "2026-06-02T16:30:00Z", "2026-06-02T17:30:00Z", &["ana"]));
    let swim = weekly(event("swim", "2026-11-24T16:30:00Z", "2026-11-24T17:30:00Z", &["ana"]));
    assert!(clashes(&piano, None, std::slice::from_ref(&swim)).is_empty());
    let choir = weekly(event("choir", "2026-11-24T17:00:00Z", "2026-11-24T18:00:00Z", &["ana"]));
    let film = event("film", "2026-12-08T17:45:00Z", "2026-12-08T19:00:00Z", &[]);
    // What is over, and what is later than the next days.
    let past = event("past", "2026-11-17T17:30:00Z", "2026-11-17T18:30:00Z", &[]);
    let later = event("later", "2027-03-02T17:30:00Z", "2027-03-02T18:30:00Z", &[]);
    let others = [later, film, past, choir];
    let found = clashes(&piano, None, &others);
    assert_eq!(found, [("choir@20261124T170000Z".to_owned(), 13), ("film".to_owned(), 1)]);
    let starts_late = Event { start_date: at("2027-02-23T17:30:00Z"), end_date: at("2027-02-23T18:30:00Z"), ..piano };
    let found = clashes(&starts_late, None, &others);
    assert_eq!(found, [("choir@20270223T170000Z".to_owned(), 13), ("later".to_owned(), 1)]);
}

#[test]
fn one_occurrence_is_compared_as_it_was_changed() {
    let key = "2026-12-08T18:30:00".parse().unwrap();
    let moved = Override {
        participant_ids: Some(ids(&["ben"])),
        ..Override::new(key, at("2026-12-10T09:00:00Z"), at("2026-12-10T10:00:00Z"))
    };
    let piano = Event {
        recurrence: Some("FREQ=WEEKLY".to_owned()),
        overrides: Overrides::new(vec![moved]).unwrap(),
        ..event("piano", "2026-12-01T17:30:00Z", "2026-12-01T18:30:00Z", &["ana"])
    };
    let others = [
        event("first", "2026-12-01T17:00:00Z", "2026-12-01T18:00:00Z", &["ana"]),
        event("old", "2026-12-08T17:00:00Z", "2026-12-08T18:00:00Z", &["ben"]),
        event("with-ana", "2026-12-10T09:30:00Z", "2026-12-10T09:45:00Z", &["ana"]),
        event("with-ben", "2026-12-10T09:30:00Z", "2026-12-10T09:45:00Z", &["ben"]),
    ];
    let only = |id: &str| vec![(id.to_owned(), 1)];
    assert_eq!(clashes(&piano, Some("20261208T173000Z"), &others), only("with-ben"));
    assert_eq!(clashes(&piano, Some("20261201T173000Z"), &others), only("first"));
    assert_eq!(clashes(&piano, Some("20261215T173000Z"), &others), []);
    assert_eq!(clashes(&piano, None, &others).len(), 2);
}

#[test]
fn at_most_five_events_are_named() {
    let party = event("party", "2026-12-05T10:00:00Z", "2026-12-05T20:00:00Z", &["ana"]);
    let other = |hour: u32| {
        event(&format!("e{hour}"), &format!("2026-12-05T{hour}:00:00Z"), &format!("2026-12-05T{hour}:30:00Z"), &[])
    };
    let others: Vec<Event> = (11..19).rev().map(other).collect();
    let found = find(&ClashQuery { event: party, occurrence: None }, &others);
    let named: Vec<&str> = found.events.iter().map(|clash| clash.occurrence.id.as_str()).collect();
    assert_eq!((named, found.more), (vec!["e11", "e12", "e13", "e14", "e15"], 3));
}

#[test]
fn events_that_are_far_apart_are_compared_apart_or_not_at_all() {
    let zone = "Europe/Madrid".parse().unwrap();
    let user = "ana".parse().unwrap();
    let query = |day: &str| {
        let event = event(day, &format!("{day}T10:00:00Z"), &format!("{day}T11:00:00Z"), &[]);
        ClashQuery { event, occurrence: None }
    };
    let days = ["1900-01-01", "2026-12-01", "9000-01-01", "2027-02-01", "2028-01-01", "1900-06-01"];
    let context = QueryContext { user: &user, now: at(NOW), zone: &zone };
    let groups = ClashGroup::of(days.map(query).into_iter().collect(), context);
    let members = |group: &ClashGroup| group.members.iter().map(|(index, ..)| *index).collect::<Vec<_>>();
    assert_eq!(groups.iter().map(members).collect::<Vec<_>>(), [vec![0, 5], vec![1, 3], vec![2]]);
    for group in &groups {
        assert!(group.first.duration_until(group.last) <= SignedDuration::from_hours(24 * MAX_GROUP_DAYS));
    }
    // The events of a group are compared with each other, and only those of the own days count.
    let queries = ["2026-12-01", "2026-12-02"].map(query);
    let long = event("2026-12-02", "2026-12-01T10:30:00Z", "2026-12-02T09:00:00Z", &[]);
    let [first, second] = queries;
    let group = ClashGroup::of(vec![first, ClashQuery { event: long, ..second }], context).pop().unwrap();
    let other = event("other", "2026-12-02T08:00:00Z", "2026-12-02T08:30:00Z", &[]);
    let found = group.select(&[other], group.days().unwrap(), &zone);
    let ids = |clashes: &Clashes| -> Vec<String> {
        clashes.events.iter().map(|clash| clash.occurrence.id.to_string()).collect()
    };
    assert_eq!(ids(&found[0].1), ["2026-12-02"]);
    assert_eq!(ids(&found[1].1), ["2026-12-01", "other"]);
}

#[test]
fn the_last_day_of_the_calendar_is_compared() {
    let last = event("last", "9999-12-31T12:00:00Z", "9999-12-31T13:00:00Z", &[]);
    let other = Event { id: "other".parse().unwrap(), ..last.clone() };
    assert!(is_clash(&last, &other));
}

const PEOPLE: [&str; 3] = ["ana", "ben", "cleo"];

/// Returns an event from its minutes after a start, its length, and the people as bits.
fn generated(index: usize, (start, length, people): (i64, i64, u8)) -> Event {
    let start = at("2026-12-05T08:00:00Z").saturating_add(SignedDuration::from_mins(start));
    let people: Vec<&str> = (0..3).filter(|bit| people & (1 << bit) != 0).map(|bit| PEOPLE[bit]).collect();
    let id = format!("e{index}");
    let event =
        Event::new(id.parse().unwrap(), id, start, start.saturating_add(SignedDuration::from_mins(length)), at(NOW));
    Event { participant_ids: ids(&people), ..event }
}

proptest! {
    /// The result equals a comparison of each pair.
    #[test]
    fn clashes_are_the_pairs_that_share_time_and_people(
        all in prop::collection::vec((0_i64..600, 1_i64..120, 0_u8..8), 1..14),
    ) {
        let events: Vec<Event> = all.iter().copied().enumerate().map(|(index, event)| generated(index, event)).collect();
        let (start, length, people) = all[0];
        let expected = all.iter().skip(1).filter(|(other, other_length, other_people)| {
            let is_shared = people == 0 || *other_people == 0 || people & other_people != 0;
            *other < start + length && start < other + other_length && is_shared
        });
        let found = find(&ClashQuery { event: events[0].clone(), occurrence: None }, &events);
        prop_assert_eq!(found.events.len() + found.more, expected.count());
        prop_assert!(found.events.iter().all(|clash| clash.count == 1 && clash.occurrence.id.as_str() != "e0"));
    }
}
