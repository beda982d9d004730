//! Events that overlap a range of instants: bounds, recurring events, order, visibility.

use std::ops::Range;

use family_api_core::Timestamp;
use family_api_core::jiff::SignedDuration;
use family_api_core::resource::{Event, RecordKind};
use family_api_core::storage::{EventRecord, Record};

use crate::Subject;
use crate::fixture::{MemberView, ada, assert_same, days, eve, event, id, seed};

/// A range after all events of the fixture that do not recur.
fn range() -> Range<Timestamp> {
    days(10)..days(12)
}

fn just_before(at: Timestamp) -> Timestamp {
    at.saturating_add(SignedDuration::from_millis(-1))
}

fn from_to(name: &str, start: Timestamp, end: Timestamp) -> EventRecord {
    EventRecord { start_date: start, end_date: end, ..event(name, "north") }
}

fn recurring(event: EventRecord) -> EventRecord {
    EventRecord { recurrence: Some("FREQ=DAILY;COUNT=2".to_owned()), ..event }
}

fn ids(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.id.as_str()).collect()
}

pub(super) async fn an_event_overlaps_a_range_from_its_start_to_its_end(subject: &dyn Subject) {
    let Range { start, end } = range();
    let events = [
        from_to("1-before", days(9), just_before(start)),
        from_to("2-ends-at-the-start", days(9), start),
        from_to("3-around", days(9), days(99)),
        from_to("4-inside", days(11), days(11)),
        from_to("5-starts-before-the-end", just_before(end), days(99)),
        from_to("6-starts-at-the-end", end, days(99)),
    ];
    seed(subject, events.map(Record::Event).into()).await;
    let seen = MemberView::of(ada(), subject).overlapping_events(&range()).await;
    assert_same(&ids(&seen), &["trip", "2-ends-at-the-start", "3-around", "4-inside", "5-starts-before-the-end"]);
}

pub(super) async fn an_event_that_recurs_is_listed(subject: &dyn Subject) {
    let Range { end, .. } = range();
    let events = [
        recurring(from_to("1-long-ago", days(-20_000), days(-20_000))),
        recurring(from_to("2-before-the-end", just_before(end), just_before(end))),
        recurring(from_to("3-at-the-end", end, end)),
    ];
    seed(subject, events.map(Record::Event).into()).await;
    let seen = MemberView::of(ada(), subject).overlapping_events(&range()).await;
    assert_same(&ids(&seen), &["1-long-ago", "trip", "2-before-the-end", "3-at-the-end"]);
}

pub(super) async fn overlapping_events_are_sorted_by_start_then_id(subject: &dyn Subject) {
    let at = days(11);
    let events = [
        from_to("b", at, at),
        recurring(from_to("c", at, at)),
        from_to("B", at, at),
        recurring(from_to("_", at, at)),
        from_to("z-first", just_before(at), at),
    ];
    seed(subject, events.map(Record::Event).into()).await;
    let seen = MemberView::of(ada(), subject).overlapping_events(&range()).await;
    assert_same(&ids(&seen), &["trip", "z-first", "B", "_", "b", "c"]);
}

pub(super) async fn overlapping_events_of_another_family_are_not_visible(subject: &dyn Subject) {
    let always = Timestamp::MIN..Timestamp::MAX;
    assert_same(&ids(&MemberView::of(ada(), subject).overlapping_events(&always).await), &["trip", "farewell"]);
    assert_same(&ids(&MemberView::of(eve(), subject).overlapping_events(&always).await), &["south-event"]);
}

pub(super) async fn an_overlapping_event_equals_the_listed_event(subject: &dyn Subject) {
    let view = MemberView::of(ada(), subject);
    let overlapping = view.overlapping_events(&(Timestamp::MIN..Timestamp::MAX)).await;
    assert_same(&overlapping, &view.events(&family_api_core::calendar::EventRange::default()).await);
    if subject.storage().capabilities().keeps_field(RecordKind::Event, "assigneeId") {
        let farewell = overlapping.iter().find(|event| event.id == id("farewell")).unwrap();
        assert_same(&(&farewell.assignee_id, &farewell.assignee), &(&Some(id("dee")), &None));
    }
}
