//! Audit events of creations, deletions and restorations.

use std::pin::pin;

use family_api_core::access::Caller;
use family_api_core::audit::{AuditEvent, RecordId};
use family_api_core::change::{EventChange, OccurrenceScope};
use family_api_core::resource::{Event, Note, RecordKind, ShoppingItem, ShoppingList, Verb};
use family_api_core::{Error, FamilyApi, Precondition, Surface};
use serde_json::json;

use super::{create, create_once, new, waits, weekly_event};
use crate::fixture::{Fixture, authorize, create_key, session};

/// Creates an API with full access, and a caller with a key of Ana.
async fn setup(fixture: &Fixture) -> (FamilyApi, Caller) {
    let api = fixture.builder().full_access(true).build();
    let created = create_key(&api, "ana").await;
    let caller = authorize(&api, created.token.expose(), Surface::V1).await.unwrap();
    fixture.audit_log.take_events();
    (api, caller)
}

fn names(fixture: &Fixture) -> Vec<&'static str> {
    fixture.audit_log.take_events().iter().map(AuditEvent::name).collect()
}

#[tokio::test]
async fn each_operation_with_a_key_is_audited() {
    let fixture = Fixture::new().await;
    let (api, caller) = setup(&fixture).await;
    let body = json!({ "title": "T", "startDate": "2026-12-24", "endDate": "2026-12-24", "allDay": true });
    let event: Event = create(&api, &caller, &body).await.unwrap();
    let events = fixture.audit_log.take_events();
    let [AuditEvent::RecordCreated { record: RecordId { kind, id, .. }, .. }] = &events[..] else {
        panic!("{events:?}");
    };
    assert_eq!((*kind, id.as_deref()), (RecordKind::Event, Some(event.id.as_str())));
    let id = (&event.id).into();
    let events = api.records::<Event>(&caller, Verb::Delete).unwrap();
    events.delete(&id, &Precondition::None).await.unwrap();
    events.restore(&id).await.unwrap();
    assert_eq!(names(&fixture), ["record_deleted", "record_restored"]);
    // The record is not deleted any more.
    events.restore(&id).await.unwrap();
    events.restore(&"missing".into()).await.unwrap_err();
    assert_eq!(names(&fixture), [""; 0]);
}

#[tokio::test]
async fn a_creation_is_audited_with_the_id_that_the_storage_assigned() {
    let fixture = Fixture::new().await;
    let (api, caller) = setup(&fixture).await;
    fixture.storage.assign_id("7");
    let note: Note = create(&api, &caller, &json!({ "title": "T" })).await.unwrap();
    assert_eq!(note.id.as_str(), "7");
    let events = fixture.audit_log.take_events();
    let [AuditEvent::RecordCreated { record, .. }] = &events[..] else {
        panic!("{events:?}");
    };
    assert_eq!(record.id.as_deref(), Some("7"));
}

#[tokio::test]
async fn a_split_is_audited_as_an_update_and_a_creation() {
    let fixture = Fixture::new().await;
    let (api, caller) = setup(&fixture).await;
    let (event, update) = weekly_event(&api, &caller).await;
    fixture.audit_log.take_events();
    fixture.storage.assign_id("7");
    let (id, events) = ((&event.id).into(), api.records::<Event>(&caller, Verb::Update).unwrap());
    let updated = events.update(&id, update.clone(), &Precondition::None).await.unwrap();
    assert_eq!((updated.before, &updated.after.id), (event.clone(), &event.id));
    assert_eq!(updated.created.unwrap().id.as_str(), "7");
    let audited = fixture.audit_log.take_events();
    let [AuditEvent::RecordUpdated { record: ended, .. }, AuditEvent::RecordCreated { record: new, .. }] = &audited[..]
    else {
        panic!("{audited:?}");
    };
    assert_eq!((ended.id.as_deref(), new.id.as_deref()), (Some(event.id.as_str()), Some("7")));

    // The occurrence is no longer one of the event.
    events.update(&id, update.clone(), &Precondition::None).await.unwrap_err();
    // The first occurrence changes the event as a whole.
    let whole = EventChange::new().title("V").build().unwrap();
    let whole = whole.of_occurrence("20261201T100000Z".parse().unwrap(), OccurrenceScope::Following).unwrap();
    assert_eq!(events.update(&id, whole, &Precondition::None).await.unwrap().created, None);
    assert_eq!(names(&fixture), ["record_updated"]);

    fixture.storage.allow_writes(false);
    events.update(&id, update, &Precondition::None).await.unwrap_err();
    let doubts = fixture.audit_log.take_events();
    assert!(doubts.len() == 2 && doubts.iter().all(|event| matches!(event, AuditEvent::InDoubt(_))), "{doubts:?}");
}

#[tokio::test]
async fn a_repetition_is_not_audited_as_a_creation() {
    let fixture = Fixture::new().await;
    let (api, caller) = setup(&fixture).await;
    create_once(&api, &caller, "T", "k").await.unwrap();
    assert_eq!(names(&fixture), ["record_created"]);
    create_once(&api, &caller, "T", "k").await.unwrap();
    create_once(&api, &caller, "U", "k").await.unwrap_err();
    assert_eq!(names(&fixture), [""; 0]);
}

#[tokio::test]
async fn a_creation_with_an_unknown_outcome_is_audited_as_in_doubt() {
    let fixture = Fixture::new().await;
    let (api, caller) = setup(&fixture).await;
    fixture.storage.allow_writes(false);
    create::<Note>(&api, &caller, &json!({ "title": "T" })).await.unwrap_err();
    let held = fixture.storage.hold_writes().await;
    let body = json!({ "title": "T" });
    {
        let mut cancelled = pin!(create::<Note>(&api, &caller, &body));
        assert!(waits(cancelled.as_mut()));
    }
    drop(held);
    let events = fixture.audit_log.take_events();
    assert_eq!(events.len(), 2);
    for event in events {
        assert!(matches!(&event, AuditEvent::InDoubt(doubt) if doubt.name() == "record_created"), "{event:?}");
    }
}

#[tokio::test]
async fn a_write_that_has_not_begun_is_not_audited() {
    let fixture = Fixture::new().await;
    let (api, caller) = setup(&fixture).await;
    fixture.storage.refuse_writes();
    let created = create::<Note>(&api, &caller, &json!({ "title": "T" })).await;
    assert!(matches!(created, Err(Error::Unavailable(_))), "{created:?}");
    let items = api.records::<ShoppingItem>(&caller, Verb::Delete).unwrap();
    items.delete_checked(&"any".into()).await.unwrap_err();
    assert_eq!(names(&fixture), [""; 0]);
}

#[tokio::test]
async fn a_token_in_place_of_an_id_is_in_no_event_in_doubt() {
    let fixture = Fixture::new().await;
    let (api, caller) = setup(&fixture).await;
    let token = create_key(&api, "ana").await.token;
    fixture.audit_log.take_events();
    fixture.storage.allow_writes(false);
    let notes = api.records::<Note>(&caller, Verb::Delete).unwrap();
    notes.delete(&token.expose().into(), &Precondition::None).await.unwrap_err();
    let events = fixture.audit_log.take_events();
    assert!(matches!(&events[..], [AuditEvent::InDoubt(_)]), "{events:?}");
    assert!(!format!("{events:?}").contains(&token.expose()[4..]), "{events:?}");
}

#[tokio::test]
async fn the_deletion_of_checked_items_is_audited_with_the_items() {
    let fixture = Fixture::new().await;
    let (api, caller) = setup(&fixture).await;
    let ana = session(&api, "ana").await;
    let list: ShoppingList = create(&api, &ana, &json!({ "name": "L" })).await.unwrap();
    let items = api.records::<ShoppingItem>(&caller, Verb::Delete).unwrap();
    let milk = new::<ShoppingItem>(Some(list.id.as_str()), &json!({ "name": "milk", "checked": true }));
    let milk = items.create(milk, None).await.unwrap().into_record();
    fixture.audit_log.take_events();

    let deleted = items.delete_checked(&(&list.id).into()).await.unwrap();
    assert_eq!(deleted.ids, std::slice::from_ref(&milk.id));
    let events = fixture.audit_log.take_events();
    let [AuditEvent::CheckedItemsDeleted { items: audited, .. }] = &events[..] else {
        panic!("{events:?}");
    };
    assert_eq!(*audited, deleted.ids);
    assert!(items.delete_checked(&(&list.id).into()).await.unwrap().ids.is_empty());
    items.delete_checked(&"missing".into()).await.unwrap_err();
    assert_eq!(names(&fixture), [""; 0]);
    fixture.storage.allow_writes(false);
    items.delete_checked(&(&list.id).into()).await.unwrap_err();
    assert!(matches!(&fixture.audit_log.take_events()[..], [AuditEvent::InDoubt(_)]));
}
