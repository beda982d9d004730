//! Changes of one occurrence of an event.

use family_api_core::change::{EventUpdate, OccurrenceScope};
use family_api_core::occurrences::OccurrenceStart;
use family_api_core::resource::Event;
use family_api_core::storage::{Operation, Written};
use serde_json::json;

use crate::Subject;
use crate::fixture::calls::{new_update, run, update};
use crate::fixture::{ada, assert_outcome, assert_same, bob, expect_done, faults, id};
use crate::writes::kinds::TestRecord;

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
    assert_same(&Event { overrides: event.overrides.clone(), updated_at: event.updated_at, ..changed.clone() }, &event);
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
    assert_same(&Event { updated_at: event.updated_at, ..restored.clone() }, &event);
    assert_same(&Event::find(subject, ada(), "farewell").await, &Some(restored));
}
