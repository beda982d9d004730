//! Changes of one occurrence of an event (HTTP reference, "Changing one occurrence").

use salvo::http::Method;
use serde_json::{Value, json};

use crate::storages::on_every_storage;
use crate::support::{App, TestResponse, bearer};

const EVENT: &str = "/api/v1/events/event-berg";
const OCCURRENCE: &str = "/api/v1/events/event-berg/occurrences/20261201T090000Z";
const RESTORE: &str = "/api/v1/events/event-berg/occurrences/20261201T090000Z/restore";

/// Makes the dentist weekly, on Tuesdays at 09:00 UTC. Returns the event.
pub(crate) async fn make_weekly(app: &App) -> Value {
    patch(app, EVENT, r#"{"recurrence":"FREQ=WEEKLY","timeZone":"Europe/Madrid"}"#).await.assert_ok().json()
}

async fn patch(app: &App, path: &str, body: &str) -> TestResponse {
    app.send_json_with_token("ann-full", Method::PATCH, path, body).await
}

async fn send(app: &App, method: Method, path: &str) -> TestResponse {
    app.send_with_token("ann-full", method, path).await
}

/// Returns an event with the `sequence` after some changes.
fn after_changes(mut event: Value, changes: u64) -> Value {
    event["sequence"] = json!(event["sequence"].as_u64().unwrap() + changes);
    event
}

/// Returns an event without the instant of its last change.
fn content(mut event: Value) -> Value {
    event["updatedAt"] = json!(null);
    event
}

on_every_storage! {
    async fn an_occurrence_is_changed_skipped_and_restored(app: App) {
        let event = make_weekly(&app).await;
        let body = r#"{"title":"Orthodontist","startDate":"2026-12-02T09:00:00Z","endDate":"2026-12-02T10:00:00Z"}"#;
        let response = patch(&app, OCCURRENCE, body).await;
        let changed = response.assert_ok().json();
        let stored = send(&app, Method::GET, EVENT).await;
        assert_eq!((stored.json(), stored.header("etag")), (changed.clone(), response.header("etag")));
        let mut expected = event.clone();
        expected["overrides"] = json!([{
            "recurrenceId": "2026-12-01T10:00:00", "startDate": "2026-12-02T09:00:00.000Z",
            "endDate": "2026-12-02T10:00:00.000Z", "title": "Orthodontist",
        }]);
        assert_eq!(content(changed), content(after_changes(expected, 1)));
        let moved = app.read("events?from=2026-12-01&to=2026-12-07&expand=true").await;
        assert_eq!(moved.as_array().unwrap().len(), 1);
        assert_eq!((&moved[0]["id"], &moved[0]["title"]), (&json!("event-berg@20261201T090000Z"), &json!("Orthodontist")));
        assert_eq!(moved[0]["startDate"], "2026-12-02T09:00:00.000Z");

        let deleted = send(&app, Method::DELETE, OCCURRENCE).await.assert_ok().json();
        assert_eq!(deleted, json!({ "success": true, "id": "event-berg@20261201T090000Z" }));
        let mut skipped = event.clone();
        skipped["recurrence"] = json!("FREQ=WEEKLY\nEXDATE:20261201T100000");
        assert_eq!(content(send(&app, Method::GET, EVENT).await.json()), content(after_changes(skipped, 2)));
        send(&app, Method::DELETE, OCCURRENCE).await.assert_problem(404, "not_found");
        patch(&app, OCCURRENCE, r#"{"title":"x"}"#).await.assert_problem(404, "not_found");
        let days = app.read("events?from=2026-11-24&to=2026-12-09&expand=true").await;
        let starts: Vec<&Value> = days.as_array().unwrap().iter().map(|item| &item["startDate"]).collect();
        assert_eq!(starts, ["2026-11-24T09:00:00.000Z", "2026-12-08T09:00:00.000Z"]);

        let restored = send(&app, Method::POST, RESTORE).await;
        assert_eq!(content(restored.assert_ok().json()), content(after_changes(event, 3)));
        let again = send(&app, Method::POST, RESTORE).await;
        assert_eq!((again.header("etag"), again.json()), (restored.header("etag"), restored.json()));
    }

    async fn all_occurrences_move_and_the_event_ends_before_one(app: App) {
        make_weekly(&app).await;
        let all = format!("{OCCURRENCE}?scope=all");
        let body = r#"{"title":"Orthodontist","startDate":"2026-12-02T11:00"}"#;
        let moved = patch(&app, &all, body).await.assert_ok().json();
        assert_eq!((&moved["title"], &moved["startDate"]), (&json!("Orthodontist"), &json!("2026-11-25T10:00:00.000Z")));
        assert_eq!(moved["endDate"], "2026-11-25T11:00:00.000Z");
        let following = format!("{EVENT}/occurrences/20261209?scope=following");
        let deleted = send(&app, Method::DELETE, &following).await.assert_ok().json();
        assert_eq!(deleted["id"], "event-berg@20261209");
        let ended = send(&app, Method::GET, EVENT).await.json();
        assert_eq!(ended["recurrence"], "FREQ=WEEKLY;UNTIL=20261209T095959Z");
        let first = format!("{EVENT}/occurrences/20261125?scope=following");
        assert_eq!(send(&app, Method::DELETE, &first).await.error_pointers(), ["/scope"]);
    }

    async fn the_following_occurrences_become_another_event(app: App) {
        let event = make_weekly(&app).await;
        let tag = send(&app, Method::GET, EVENT).await.header("etag").unwrap().to_owned();
        let path = format!("{EVENT}/occurrences/20261208?scope=following");
        let split = || {
            let request = bearer("ann-full", Method::PATCH, &path).add_header("if-match", tag.clone(), true);
            request.raw_json(r#"{"title":"Orthodontist","startDate":"2026-12-09T09:00:00Z"}"#)
        };
        let response = app.send(split()).await;
        assert_eq!(response.status, 201, "{response:?}");
        let other = response.json();
        let id = other["id"].as_str().unwrap();
        assert_ne!(id, "event-berg");
        let path_of_other = format!("/api/v1/events/{id}");
        assert_eq!(response.header("location"), Some(path_of_other.as_str()));
        let stored = send(&app, Method::GET, &path_of_other).await;
        assert_eq!((stored.json(), stored.header("etag")), (other.clone(), response.header("etag")));
        let mut expected = event.clone();
        expected["id"] = json!(id);
        expected["title"] = json!("Orthodontist");
        expected["startDate"] = json!("2026-12-09T09:00:00.000Z");
        expected["endDate"] = json!("2026-12-09T10:00:00.000Z");
        expected["createdAt"] = other["updatedAt"].clone();
        expected["sequence"] = json!(0);
        assert_eq!(content(other), content(expected));
        let mut ended = event;
        ended["recurrence"] = json!("FREQ=WEEKLY;UNTIL=20261208T085959Z");
        assert_eq!(content(send(&app, Method::GET, EVENT).await.json()), content(after_changes(ended, 1)));
        let days = app.read("events?from=2026-12-01&to=2026-12-16&expand=true").await;
        let starts: Vec<&Value> = days.as_array().unwrap().iter().map(|item| &item["startDate"]).collect();
        assert_eq!(starts, ["2026-12-01T09:00:00.000Z", "2026-12-09T09:00:00.000Z", "2026-12-16T09:00:00.000Z"]);
        // The request is repeated.
        app.send(split()).await.assert_problem(412, "precondition_failed");
        patch(&app, &path, r#"{"title":"Orthodontist"}"#).await.assert_problem(404, "not_found");
        let events = app.read("events").await;
        let is_other = |event: &&Value| event["title"] == "Orthodontist";
        assert_eq!(events.as_array().unwrap().iter().filter(is_other).count(), 1);
    }

    async fn faults_of_an_occurrence_are_told(app: App) {
        patch(&app, OCCURRENCE, r#"{"title":"x"}"#).await.assert_problem(404, "not_found");
        make_weekly(&app).await;
        let before = app.snapshot().await;
        let body = r#"{"allDay":true,"timeZone":"Europe/Kyiv","recurrence":null}"#;
        assert_eq!(patch(&app, OCCURRENCE, body).await.error_pointers(), ["/allDay", "/timeZone", "/recurrence"]);
        for query in ["?scope=every", "?scope=", "?scope=this&scope=this"] {
            let path = format!("{OCCURRENCE}{query}");
            assert_eq!(patch(&app, &path, "{}").await.error_pointers(), ["/scope"]);
            assert_eq!(send(&app, Method::DELETE, &path).await.error_pointers(), ["/scope"]);
        }
        assert_eq!(send(&app, Method::DELETE, &format!("{OCCURRENCE}?scope=all")).await.error_pointers(), ["/scope"]);
        let following = format!("{OCCURRENCE}?scope=following");
        let body = r#"{"allDay":true,"timeZone":"Europe/Kyiv","recurrence":null}"#;
        assert_eq!(patch(&app, &following, body).await.error_pointers(), ["/allDay", "/timeZone"]);
        let unchanged = patch(&app, &following, "{}").await;
        assert_eq!(unchanged.assert_ok().header("location"), None);
        for start in ["20261202T090000Z", "20261202", "2026-12-01", "20261201T100000", "next"] {
            let path = format!("{EVENT}/occurrences/{start}");
            patch(&app, &path, "{}").await.assert_problem(404, "not_found");
            send(&app, Method::DELETE, &path).await.assert_problem(404, "not_found");
            send(&app, Method::POST, &format!("{path}/restore")).await.assert_problem(404, "not_found");
        }
        assert_eq!(app.snapshot().await, before);
    }

    async fn a_precondition_is_that_of_the_event(app: App) {
        make_weekly(&app).await;
        let tag = send(&app, Method::GET, EVENT).await.header("etag").unwrap().to_owned();
        let with_tag = |method, path| bearer("ann-full", method, path).add_header("if-match", tag.clone(), true);
        let body = r#"{"location":"Clinic"}"#;
        app.send(with_tag(Method::PATCH, OCCURRENCE).raw_json(body)).await.assert_ok();
        app.send(with_tag(Method::PATCH, OCCURRENCE).raw_json(body)).await.assert_problem(412, "precondition_failed");
        app.send(with_tag(Method::DELETE, OCCURRENCE)).await.assert_problem(412, "precondition_failed");
        app.send(with_tag(Method::POST, RESTORE)).await.assert_problem(412, "precondition_failed");
    }
}
