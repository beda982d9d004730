//! Events: visibility, range, order, fields.

use family_api_core::Timestamp;
use family_api_core::calendar::EventRange;
use family_api_core::jiff::SignedDuration;
use family_api_core::occurrences::Overrides;
use family_api_core::resource::Event;
use family_api_core::storage::{EventRecord, Member, Record};

use crate::Subject;
use crate::fixture::{
    MemberView, NOT_OF_THE_HOST, ada, assert_same, days, eve, event, family, id, minute, overrides, person, seconds,
    seed, user,
};
use crate::writes::kinds::kept;

fn ids(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.id.as_str()).collect()
}

pub(super) async fn every_field_of_an_event_is_returned(subject: &dyn Subject) {
    let events = MemberView::of(ada(), subject).events(&EventRange::default()).await;
    let trip = Event {
        id: id("trip"),
        title: "trip".to_owned(),
        description: Some("by train".to_owned()),
        emoji: Some("🚆".to_owned()),
        color: Some("#ff0000".to_owned()),
        start_date: minute(0),
        end_date: minute(60),
        all_day: true,
        time_zone: Some(id("Europe/Zurich")),
        location: Some("Zürich".to_owned()),
        recurrence: Some("FREQ=WEEKLY;COUNT=3".to_owned()),
        overrides: overrides(),
        assignee_id: Some(id("bob")),
        assignee: person(subject, "bob").await,
        participant_ids: vec![id("bob"), id("ada"), id("dee")],
        created_at: days(-100),
        updated_at: days(-50),
        sequence: 5,
    };
    let farewell = Event {
        id: id("farewell"),
        title: "farewell".to_owned(),
        description: None,
        emoji: None,
        color: None,
        start_date: minute(1),
        all_day: false,
        time_zone: Some(id("UTC")),
        location: None,
        recurrence: None,
        overrides: Overrides::default(),
        assignee_id: Some(id("dee")),
        assignee: None,
        participant_ids: Vec::new(),
        updated_at: days(-100),
        sequence: 0,
        ..trip.clone()
    };
    assert_same(&events, &[kept(subject, trip), kept(subject, farewell)]);
}

pub(super) async fn an_event_has_the_id_but_no_name_of_an_assignee_who_left(subject: &dyn Subject) {
    let events = MemberView::of(ada(), subject).events(&EventRange::default()).await;
    let farewell = events.iter().find(|event| event.id.as_str() == "farewell").unwrap();
    assert_same(&(&farewell.assignee_id, &farewell.assignee), &(&Some(id("dee")), &None));
}

pub(super) async fn events_of_another_family_are_not_visible(subject: &dyn Subject) {
    assert_same(&ids(&MemberView::of(ada(), subject).events(&EventRange::default()).await), &["trip", "farewell"]);
    assert_same(&ids(&MemberView::of(eve(), subject).events(&EventRange::default()).await), &["south-event"]);
}

pub(super) async fn a_found_event_equals_the_listed_event(subject: &dyn Subject) {
    for member in [ada(), eve()] {
        let listed = subject.storage().list_events(&member, &EventRange::default()).await.unwrap();
        for event in ["trip", "farewell", "south-event", "nowhere", "TRIP", "0trip", NOT_OF_THE_HOST] {
            let mut events = listed.parse().unwrap();
            events.retain(|other| other.id.as_str() == event);
            let found = subject.storage().find_event(&member, &id(event)).await.unwrap();
            assert_same(&found.parse().unwrap(), &events);
            assert_eq!(found.revision(), listed.revision(), "{event}");
        }
    }
}

pub(super) async fn events_are_sorted_by_start_then_id(subject: &dyn Subject) {
    let events = [
        EventRecord { start_date: seconds(-1), ..event("z-first", "north") },
        event("b", "north"),
        EventRecord { end_date: minute(1), ..event("c", "north") },
        event("B", "north"),
        event("_", "north"),
        EventRecord { start_date: days(-20_000), ..event("before-the-epoch", "north") },
    ];
    seed(subject, events.map(Record::Event).into()).await;
    let seen = MemberView::of(ada(), subject).events(&EventRange::default()).await;
    assert_same(&ids(&seen), &["before-the-epoch", "z-first", "B", "_", "b", "c", "trip", "farewell"]);
}

pub(super) async fn the_instants_of_an_event_keep_their_milliseconds_in_any_year(subject: &dyn Subject) {
    // The days around New Year are in a week of another year.
    let instants = [
        "0001-01-03T00:00:00.001Z",
        "1969-12-31T23:59:59.999Z",
        "2024-02-29T12:00:00.050Z",
        "2026-12-31T23:59:59.999Z",
        "2027-01-01T00:00:00.000Z",
        "9999-12-31T23:59:59.999Z",
    ];
    let at = |instant: &str| instant.parse::<Timestamp>().unwrap();
    let events = (0..).zip(instants).map(|(number, instant)| {
        let of_instant = event(&format!("e{number}"), "east");
        Record::Event(EventRecord { start_date: at(instant), end_date: at(instant), ..of_instant })
    });
    let people = [Record::Family(family("east")), Record::User(user("fay", Some("east")))];
    seed(subject, people.into_iter().chain(events).collect()).await;
    let fay = Member { user: id("fay"), family: id("east") };
    let seen = MemberView::of(fay, subject).events(&EventRange::default()).await;
    let seen: Vec<_> = seen.iter().map(|event| (event.start_date, event.end_date)).collect();
    assert_same(&seen, &instants.map(|instant| (at(instant), at(instant))));
}

fn events_at_range_bounds() -> Vec<Record> {
    let event_from_to = |name, start, end| EventRecord { start_date: start, end_date: end, ..event(name, "north") };
    let just_before = |at: Timestamp| at.saturating_add(SignedDuration::from_millis(-1));
    let just_after = |at: Timestamp| at.saturating_add(SignedDuration::from_millis(1));
    let (from, to) = (days(10), days(12));
    let events = [
        event_from_to("1-before", just_before(from), days(11)),
        event_from_to("2-at-start", from, days(11)),
        event_from_to("3-inside", days(11), days(11)),
        event_from_to("4-at-end", days(11), to),
        event_from_to("5-past-end", days(11), just_after(to)),
    ];
    events.map(Record::Event).into()
}

pub(super) async fn from_selects_events_that_start_at_or_after_it(subject: &dyn Subject) {
    seed(subject, events_at_range_bounds()).await;
    let range = EventRange { from: Some(days(10)), to: None };
    let seen = MemberView::of(ada(), subject).events(&range).await;
    assert_same(&ids(&seen), &["2-at-start", "3-inside", "4-at-end", "5-past-end"]);
}

pub(super) async fn to_selects_events_that_end_at_or_before_it(subject: &dyn Subject) {
    seed(subject, events_at_range_bounds()).await;
    let range = EventRange { from: None, to: Some(days(12)) };
    let seen = MemberView::of(ada(), subject).events(&range).await;
    assert_same(&ids(&seen), &["trip", "farewell", "1-before", "2-at-start", "3-inside", "4-at-end"]);
}

pub(super) async fn from_and_to_select_events_that_match_both(subject: &dyn Subject) {
    seed(subject, events_at_range_bounds()).await;
    let range = EventRange { from: Some(days(10)), to: Some(days(12)) };
    let seen = MemberView::of(ada(), subject).events(&range).await;
    assert_same(&ids(&seen), &["2-at-start", "3-inside", "4-at-end"]);
}
