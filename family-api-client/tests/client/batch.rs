//! Batches: several writes in one request.

use std::time::Duration;

use family_api_client::change::{DateOrInstant, EventChange, NoteChange, ShoppingItemChange, TaskChange};
use family_api_client::key::KeyMode;
use family_api_client::{Batch, ErrorCode, FamilyClient, OccurrenceScope, OccurrenceStart, TimeNoticeKind};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use crate::service::{Service, attempts, client_of, server_returning, server_returning_each};

const TOKEN: &str = "canary-token";

#[tokio::test]
async fn each_call_of_a_batch_has_its_typed_result() {
    let service = Service::start().await;
    let client = service.client(KeyMode::V1Full).await;
    let stale = client.read().note(&"n".parse().unwrap()).await.unwrap().etag().unwrap().clone();
    let (open, note, event) = ("open".parse().unwrap(), "n".parse().unwrap(), "e".parse().unwrap());
    let start = OccurrenceStart::Day("2026-11-21".parse().unwrap());
    let mut batch = client.batch();
    assert!(batch.is_empty());
    let daily = batch.add(client.events().update(&event, EventChange::new().recurrence("FREQ=DAILY")));
    let ended = batch.add(client.events().delete_occurrence(&event, start, OccurrenceScope::Following));
    let pinned = batch.add(client.notes().update(&note, NoteChange::new().pin()).if_match(&stale));
    let late = batch.add(client.notes().delete(&note).if_match(&stale));
    let moved = batch.add(client.tasks().move_to(&open, &"c".parse().unwrap(), 5));
    let item = ShoppingItemChange::new().name("Bread").check();
    let item = batch.add(client.shopping_items().create(&"l".parse().unwrap(), item));
    let cleared = batch.add(client.shopping_items().delete_checked(&"l".parse().unwrap()));
    let untitled = batch.add(client.tasks().create(TaskChange::new().title("")));
    let nothing = batch.add(client.tasks().restore(&"none".parse().unwrap()));
    assert_eq!(batch.len(), 9);
    let results = batch.send().await.unwrap();

    assert_eq!(results.get(&daily).unwrap().recurrence.as_deref(), Some("FREQ=DAILY"));
    assert!(results.get(&ended).unwrap().success);
    let pinned = results.get(&pinned).unwrap();
    assert!(pinned.pinned && pinned.etag().is_some_and(|etag| *etag != stale));
    assert!(results.get(&late).unwrap_err().is_precondition_failed());
    assert_eq!(results.get(&moved).unwrap().order, 5);
    let item = results.get(&item).unwrap();
    assert_eq!(results.get(&cleared).unwrap().ids, std::slice::from_ref(&item.id));
    let error = results.get(&untitled).unwrap_err();
    assert_eq!((error.status(), error.field_errors()[0].pointer.as_str()), (Some(422), "/title"));
    assert!(!error.is_in_doubt() && error.request_id().is_some());
    assert!(results.get(&nothing).unwrap_err().is_not_found());
}

#[tokio::test]
async fn a_creation_in_a_batch_keeps_its_key_and_its_notices() {
    let service = Service::start().await;
    let client = service.client(KeyMode::V1Full).await;
    let key = "import-17".parse().unwrap();
    let due = DateOrInstant::parse("2026-12-24T18:00+05:00").unwrap();
    let mut ids = Vec::new();
    for _ in 0..2 {
        let mut batch = client.batch();
        let task = TaskChange::new().title("Once").due_date(due);
        let created = batch.add(client.tasks().create(task).idempotency_key(&key));
        let created = batch.send().await.unwrap().get(&created).unwrap();
        assert_eq!(created.time_notices()[0].kind, TimeNoticeKind::ForeignOffset);
        ids.push(created.id.clone());
    }
    assert_eq!(ids[0], ids[1]);
}

#[tokio::test]
async fn a_call_that_no_batch_can_contain_is_refused_alone() {
    let service = Service::start().await;
    let client = service.client(KeyMode::V1Full).await;
    let mut batch = client.batch();
    let profile = batch.add(client.profile().get());
    let in_session = batch.add(service.session().tasks().delete(&"open".parse().unwrap()));
    let deleted = batch.add(client.tasks().delete(&"open".parse().unwrap()));
    let results = batch.send().await.unwrap();
    let error = results.get(&profile).unwrap_err();
    assert_eq!(error.field_errors()[0].pointer, "/requests/0/method");
    assert!(results.get(&in_session).unwrap_err().is_configuration());
    assert!(results.get(&deleted).is_ok());

    let mut larger = client.batch();
    let last = (0..=Batch::MAX).map(|_| larger.add(client.tasks().delete(&"done".parse().unwrap()))).last().unwrap();
    let error = larger.send().await.unwrap_err();
    assert!(error.is_code(ErrorCode::InvalidField), "{error:?}");
    assert!(results.get(&last).unwrap_err().is_configuration());
}

#[tokio::test]
async fn an_entry_of_another_batch_or_client_has_no_result() {
    let service = Service::start().await;
    let client = service.client(KeyMode::V1Full).await;
    let other = service.client(KeyMode::V1Full).await;
    let (done, open) = ("done".parse().unwrap(), "open".parse().unwrap());
    let mut unsent = client.batch();
    let elsewhere = unsent.add(client.tasks().delete(&done));
    let mut batch = client.batch();
    let foreign = batch.add(other.tasks().delete(&open));
    let own = batch.add(client.clone().tasks().delete(&done));
    assert_eq!(batch.len(), 1);
    let results = batch.send().await.unwrap();
    assert_eq!(results.get(&own).unwrap().id, done);
    for error in [results.get(&elsewhere).unwrap_err(), results.get(&foreign).unwrap_err()] {
        assert!(error.is_configuration() && !error.is_in_doubt(), "{error:?}");
    }
    assert!(client.read().task(&open).await.is_ok());
}

fn responses(responses: &[Value]) -> ResponseTemplate {
    let complete = |response: &Value| {
        let mut complete = json!({ "etag": null, "location": null, "notice": null, "retryAfter": null });
        complete.as_object_mut().unwrap().extend(response.as_object().unwrap().clone());
        complete
    };
    ResponseTemplate::new(200).set_body_json(json!({ "responses": responses.iter().map(complete).collect::<Vec<_>>() }))
}

#[tokio::test]
async fn errors_in_a_batch_are_classified_as_those_of_single_calls() {
    let problem = json!({
        "type": "about:blank", "title": "x", "status": 429, "code": "rate_limited", "detail": format!("Echo {TOKEN}."),
        "requestId": "x",
    });
    let server = server_returning(responses(&[
        json!({ "status": 503, "body": problem }),
        json!({ "status": 429, "retryAfter": 7, "body": problem }),
        json!({ "status": 200, "body": {} }),
    ]))
    .await;
    let client = FamilyClient::builder().base_url(server.uri()).token(TOKEN).build().unwrap();
    let mut batch = client.batch();
    let [first, second, third] = [(); 3].map(|()| batch.add(client.tasks().delete(&"t".parse().unwrap())));
    let results = batch.send().await.unwrap();
    let error = results.get(&first).unwrap_err();
    assert!(error.is_in_doubt() && error.is_temporary(), "{error:?}");
    let error = results.get(&second).unwrap_err();
    assert_eq!((error.retry_after(), error.is_in_doubt()), (Some(Duration::from_secs(7)), false));
    assert!(!format!("{error:?}{:?}", error.detail()).contains(TOKEN), "{error:?}");
    let error = results.get(&third).unwrap_err();
    assert!(error.is_in_doubt() && error.status() == Some(200), "{error:?}");
}

#[tokio::test]
async fn a_batch_is_retried_only_if_nothing_was_done() {
    let deleted = responses(&[json!({ "status": 200, "body": { "success": true, "id": "t" } })]);
    let busy = ResponseTemplate::new(429);
    let server = server_returning_each([busy, deleted, ResponseTemplate::new(503), responses(&[])]).await;
    let client = client_of(&server.uri());
    let send = async || {
        let mut batch = client.batch();
        let entry = batch.add(client.tasks().delete(&"t".parse().unwrap()));
        batch.send().await.map(|results| results.get(&entry).is_ok())
    };
    assert!(send().await.unwrap());
    let error = send().await.unwrap_err();
    assert!(error.is_in_doubt() && error.status() == Some(503), "{error:?}");
    let error = send().await.unwrap_err();
    assert!(error.is_in_doubt() && error.to_string().contains("0 responses to 1 requests"), "{error:?}");
    assert_eq!(attempts(&server).await, 4);
}
