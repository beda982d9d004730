//! Changes of one occurrence of an event.

use family_api_core::Precondition;
use family_api_core::change::{EventUpdate, OccurrenceScope};
use family_api_core::occurrences::OccurrenceStart;
use family_api_core::resource::Event;
use family_api_core::storage::{Operation, RecordWrite, Written};
use serde_json::json;

use crate::Subject;
use crate::fixture::calls::{new_update, record_write, run, update, write_as};
use crate::fixture::{
    Documents, ada, assert_done, assert_outcome, assert_same, bob, expect_done, faults, id, if_unchanged, now,
};
use crate::writes::kinds::{TestRecord, kept};
use crate::writes::record_limit::{count, create_within};

pub(crate) async fn one_occurrence_is_changed_skipped_and_restored(subject: &dyn Subject) {
    let weekly = json!({
        "title": "Piano", "startDate": "2026-12-01T17:30:00Z", "endDate": "2026-12-01T18:30:00Z", "allDay": false,
        "timeZone": "Europe/Madrid", "location": "School", "recurrence": "FREQ=WEEKLY", "assigneeId": null,
        "participantIds": [],
    });
    let event = expect_done(update::<Event>(subject, &ada(), "farewell", &weekly).await);
    let start: OccurrenceStart = "20261208T173000Z".parse().unwrap();
    let write =
        async |update: EventUpdate| run(subject, &bob(), Operation::<Event>::update(id("farewell"), update)).await;
    let change = |body| new_update::<Event>(&body).of_occurrence(start, OccurrenceScope::This).unwrap();

    let fields = json!({
        "startDate": "2026-12-09T17:30:00Z", "endDate": "2026-12-09T18:00:00Z", "title": "Recítal", "location": null,
        "assigneeId": "bob", "participantIds": ["ada"],
    });
    let changed = expect_done(write(change(fields)).await);
    let overrides = json!([{
        "recurrenceId": "2026-12-08T18:30:00", "startDate": "2026-12-09T17:30:00.000Z",
        "endDate": "2026-12-09T18:00:00.000Z", "title": "Recítal", "location": null, "assigneeId": "bob",
        "participantIds": ["ada"],
    }]);
    assert_same(&json!(changed.overrides), &overrides);
    let (updated_at, sequence) = (event.updated_at, event.sequence + 1);
    let expected = Event { overrides: changed.overrides.clone(), updated_at, sequence, ..event.clone() };
    assert_same(&changed, &kept(subject, expected));
    assert_same(&Event::find(subject, ada(), "farewell").await, &Some(changed));
    let unknown = write(change(json!({ "assigneeId": "eve", "participantIds": ["eve"] }))).await;
    assert_eq!(faults(unknown), ["/assigneeId", "/participantIds/0"]);

    let skipped = expect_done(write(EventUpdate::skip_occurrence(start, OccurrenceScope::This)).await);
    assert_same(&skipped.recurrence.as_deref(), &Some("FREQ=WEEKLY\nEXDATE:20261208T183000"));
    assert!(skipped.overrides.is_empty());
    assert_same(&Event::find(subject, ada(), "farewell").await, &Some(skipped));
    for update in [EventUpdate::skip_occurrence(start, OccurrenceScope::This), change(json!({ "title": "x" }))] {
        assert_outcome(&write(update).await, &Written::NotFound);
    }

    let restored = expect_done(write(EventUpdate::restore_occurrence(start)).await);
    assert_same(&restored, &kept(subject, Event { sequence: event.sequence + 3, ..event }));
    assert_same(&Event::find(subject, ada(), "farewell").await, &Some(restored));
}

pub(crate) async fn an_event_is_split_in_one_transaction(subject: &dyn Subject) {
    // The title counts twice.
    let title = "\u{1}".repeat(450);
    let weekly = json!({
        "title": title, "startDate": "2026-12-01T17:30:00Z", "endDate": "2026-12-01T18:30:00Z",
        "timeZone": "Europe/Madrid", "recurrence": "FREQ=WEEKLY",
    });
    expect_done(update::<Event>(subject, &ada(), "farewell", &weekly).await);
    let rename = async |start: &str| {
        let update = new_update::<Event>(&json!({ "title": "Recital" }));
        let update = update.of_occurrence(start.parse().unwrap(), OccurrenceScope::This).unwrap();
        expect_done(run(subject, &ada(), Operation::<Event>::update(id("farewell"), update)).await)
    };
    rename("20261208").await;
    let event = rename("20261222").await;

    let start: OccurrenceStart = "20261215T173000Z".parse().unwrap();
    let moved = new_update::<Event>(&json!({ "startDate": "2026-12-16T17:30:00Z" }));
    let update = moved.of_occurrence(start, OccurrenceScope::Following).unwrap();
    let precondition = if_unchanged(&event);
    let split = |new_id: Option<&str>, precondition: &Precondition| Operation::<Event>::Update {
        id: id("farewell"),
        update: update.clone(),
        precondition: precondition.clone(),
        new_id: new_id.map(id),
    };
    let write = async |operation, max_records| {
        write_as(subject, &bob().into(), &RecordWrite { max_records, ..record_write::<Event>(operation) }).await
    };
    assert_eq!(faults(run(subject, &bob(), split(None, &Precondition::None)).await), ["/scope"]);
    let max = count::<Event>(subject).await + 1 + 2;
    let before = Documents::of_all_members(subject).await;
    assert_outcome(&write(split(Some("following"), &precondition), max - 1).await, &Written::LimitReached);
    assert_same(&Documents::of_all_members(subject).await, &before);

    let written = write(split(Some("following"), &precondition), max).await;
    let overrides = event.overrides.as_slice();
    let ended = Event {
        recurrence: Some("FREQ=WEEKLY;UNTIL=20261215T172959Z".to_owned()),
        overrides: serde_json::from_value(json!([overrides[0]])).unwrap(),
        updated_at: now(),
        sequence: event.sequence + 1,
        ..event.clone()
    };
    let ended = kept(subject, ended);
    let overrides = json!([{
        "recurrenceId": "2026-12-23T18:30:00", "startDate": "2026-12-23T17:30:00.000Z",
        "endDate": "2026-12-23T18:30:00.000Z", "title": "Recital",
    }]);
    let following = Event {
        id: id("following"),
        start_date: "2026-12-16T17:30:00Z".parse().unwrap(),
        end_date: "2026-12-16T18:30:00Z".parse().unwrap(),
        overrides: serde_json::from_value(overrides).unwrap(),
        created_at: now(),
        updated_at: now(),
        sequence: 0,
        ..event.clone()
    };
    let expected = Written::Split { before: event, after: ended.clone(), new: following.clone() };
    assert_outcome(&written, &expected);
    assert_same(&Event::find(subject, ada(), "farewell").await, &Some(ended));
    assert_same(&Event::find(subject, ada(), "following").await, &Some(following));

    let repeated = write(split(Some("other"), &precondition), max + 5).await;
    assert_outcome(&repeated, &Written::PreconditionFailed);
    let repeated = write(split(Some("other"), &Precondition::None), max + 5).await;
    assert_outcome(&repeated, &Written::NotFound);
    assert_outcome(&create_within::<Event>(subject, "second", max).await, &Written::LimitReached);
    assert_done(create_within::<Event>(subject, "second", max + 1).await);
}
