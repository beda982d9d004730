//! Several writes in one request (HTTP reference, "Batches").

use std::num::NonZeroU32;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use family_api_core::audit::{AuditEvent, AuditSink};
use family_api_core::id::UserId;
use family_api_core::limit::Rate;
use family_api_core::resource::{RecordKind, Verb};
use family_api_core::storage::{Capabilities, SignedIn};
use family_api_core::{Endpoint, FamilyApi, Surface};
use family_api_salvo::{FamilyRoutes, Overload, UnreadResponseLimit};
use futures_util::FutureExt;
use salvo::Router;
use salvo::http::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::fault_sweep::FaultInjection;
use crate::held_back_body::held_back_body;
use crate::storages::{LoadStorage, OnStorage, StorageKind, on_every_storage};
use crate::support::{App, LOG, NOW, TestResponse, TestServer, anonymous, bearer, fixture, token};

const BATCH: &str = "/api/v1/batch";

async fn send(app: &App, key: &str, requests: &[Value]) -> TestResponse {
    app.send(bearer(key, Method::POST, BATCH).raw_json(json!({ "requests": requests }).to_string())).await
}

/// Sends a batch, and returns its responses.
async fn responses(app: &App, key: &str, requests: &[Value]) -> Vec<Value> {
    let answer = send(app, key, requests).await.assert_ok().json();
    let responses = answer["responses"].as_array().unwrap().clone();
    assert_eq!(responses.len(), requests.len());
    responses
}

fn statuses(responses: &[Value]) -> Vec<u64> {
    responses.iter().map(|response| response["status"].as_u64().unwrap()).collect()
}

fn delete(url: &str) -> Value {
    json!({ "method": "DELETE", "url": url })
}

fn create_task(title: &str) -> Value {
    json!({ "method": "POST", "url": "/tasks", "body": { "title": title } })
}

/// Returns the code of a failed response and the pointers of its faults.
fn failure(response: &Value) -> (&str, Vec<&str>) {
    let faults = response["body"]["errors"].as_array().into_iter().flatten();
    (response["body"]["code"].as_str().unwrap(), faults.map(|fault| fault["pointer"].as_str().unwrap()).collect())
}

/// A request of each kind of operation.
fn mixed() -> [Value; 9] {
    [
        json!({ "method": "POST", "url": "/events", "idempotencyKey": "k", "body": {
            "title": "Choir", "startDate": "2026-03-29T02:30", "endDate": "2026-03-29T04:00", "recurrence": "FREQ=DAILY",
        } }),
        json!({ "method": "PATCH", "url": "/tasks/task-berg", "ifMatch": "*", "body": { "title": "Mop" } }),
        json!({ "method": "PATCH", "url": "/notes/note-berg", "ifMatch": "\"old\"", "body": { "title": "x" } }),
        json!({ "method": "PATCH", "url": "/notes/note-berg", "body": { "title": 7, "colour": 1 } }),
        json!({ "method": "POST", "url": "/tasks", "body": null }),
        delete("/tasks/task-berg"),
        json!({ "method": "POST", "url": "/tasks/task-berg/restore" }),
        delete("/shopping-lists/list-berg/items?checked=true"),
        delete("/tasks/none"),
    ]
}

fn assert_mixed(responses: &[Value]) {
    assert_eq!(statuses(responses), [201, 200, 412, 422, 422, 200, 200, 200, 404]);
    let event = &responses[0];
    assert_eq!(event["location"], format!("/api/v1/events/{}", event["body"]["id"].as_str().unwrap()));
    assert_eq!(event["notice"], "startDate=skipped");
    assert!(event["etag"].as_str().unwrap().starts_with('"'));
    assert_eq!(responses[1]["body"]["title"], "Mop");
    assert_eq!(failure(&responses[2]).0, "precondition_failed");
    assert_eq!(failure(&responses[3]), ("invalid_field", vec!["/title", "/colour"]));
    assert_eq!(failure(&responses[4]), ("invalid_field", vec![""]));
    let deletion = json!({
        "status": 200, "etag": null, "location": null, "notice": null, "retryAfter": null,
        "body": { "success": true, "id": "task-berg" },
    });
    assert_eq!(responses[5], deletion);
    assert_eq!(responses[6]["body"]["title"], "Mop");
    assert_eq!([1, 6].map(|index| responses[index]["body"]["sequence"].as_u64()), [Some(1), Some(2)]);
    assert_ne!(responses[6]["etag"], responses[1]["etag"]);
    assert_eq!(responses[7]["body"], json!({ "success": true, "ids": ["item-berg"] }));
    assert_eq!(failure(&responses[8]).0, "not_found");
}

on_every_storage! {
    async fn requests_are_made_in_their_order_and_have_their_own_responses(app: App) {
        let response = send(&app, "ann-full", &mixed()).await;
        let answer = response.assert_ok().json();
        let responses = answer["responses"].as_array().unwrap();
        assert_mixed(responses);
        for failed in responses.iter().filter(|response| response["status"].as_u64() > Some(299)) {
            assert_eq!(failed["body"]["requestId"].as_str(), response.header("x-request-id"));
        }
        let event = responses[0]["body"]["id"].as_str().unwrap();
        let occurrence = format!("/events/{event}/occurrences/20260401T013000Z");
        let requests = [
            json!({ "method": "PATCH", "url": &occurrence, "body": { "title": "Solo" } }),
            json!({ "method": "POST", "url": format!("{occurrence}/restore") }),
            delete(&format!("{occurrence}?scope=following")),
            delete(&format!("{occurrence}?scope=never")),
        ];
        let responses = self::responses(&app, "ann-full", &requests).await;
        assert_eq!(statuses(&responses), [200, 200, 200, 422]);
        assert_eq!(failure(&responses[3]), ("invalid_field", vec!["/scope"]));
    }

    async fn a_hundred_records_are_created_and_deleted(app: App) {
        let before = app.read("tasks").await;
        let created: Vec<Value> = (0..100).map(|number| create_task(&number.to_string())).collect();
        let created = responses(&app, "ann-full", &created).await;
        assert_eq!(statuses(&created), [201; 100]);
        let id = |response: &Value| response["body"]["id"].as_str().unwrap().to_owned();
        let mut deletions: Vec<Value> = created.iter().map(|task| delete(&format!("/tasks/{}", id(task)))).collect();
        let deleted = responses(&app, "ann-full", &deletions).await;
        assert_eq!(deleted.iter().map(id).collect::<Vec<_>>(), created.iter().map(id).collect::<Vec<_>>());
        assert_eq!(statuses(&deleted), [200; 100]);
        assert_eq!(app.read("tasks").await, before);

        deletions.push(delete("/tasks/task-berg"));
        let refused = send(&app, "ann-full", &deletions).await;
        assert_eq!((refused.status, refused.error_pointers()), (422, vec!["/requests".to_owned()]));
        assert_eq!(app.read("tasks").await, before);
    }

    async fn each_request_needs_its_own_scope_and_its_own_family(app: App) {
        let before = app.snapshot().await;
        for key in ["ann-read", "eve-full"] {
            let requests = mixed();
            let status = if key == "ann-read" { 401 } else { 404 };
            // The first request creates an event for Eve. A body and a tag are checked before the record.
            for (index, request) in requests.iter().enumerate().filter(|(index, _)| ![0, 3, 4].contains(index)) {
                let response = &responses(&app, key, std::slice::from_ref(request)).await[0];
                assert_eq!(response["status"], status, "{key} {index} {response}");
            }
        }
        assert_eq!(app.snapshot().await, before);
        let requests = [delete("/tasks/task-berg"), delete("/notes/note-berg"), create_task("x")];
        let responses = responses(&app, "ann-rw", &requests).await;
        assert_eq!(statuses(&responses), [401, 200, 401]);
        assert_eq!(failure(&responses[0]).0, "insufficient_scope");
        for (key, code) in [("ann-tasks", "insufficient_scope"), ("ann-mcp", "insufficient_scope"),
            ("ann-revoked", "invalid_token"), ("bob-rw", "api_disabled"), ("cid-rw", "no_family")]
        {
            send(&app, key, &requests).await.assert_problem(401, code);
        }
        app.send(anonymous(Method::POST, BATCH)).await.assert_problem(401, "missing_token");
    }

    async fn a_repeated_creation_in_a_batch_creates_nothing(app: App) {
        let request = |title: &str, key: &str| {
            json!({ "method": "POST", "url": "/tasks", "idempotencyKey": key, "body": { "title": title } })
        };
        let requests = [request("one", "a"), request("two", "b"), request("one", "a"), request("two", "a")];
        let first = responses(&app, "ann-full", &requests).await;
        assert_eq!(statuses(&first), [201, 201, 201, 422]);
        assert_eq!(first[0], first[2]);
        assert_eq!(failure(&first[3]).0, "idempotency_mismatch");
        assert_eq!(responses(&app, "ann-full", &requests[..3]).await, first[..3]);
        let single = bearer("ann-full", Method::POST, "/api/v1/tasks").raw_json(r#"{"title":"one"}"#);
        let single = app.send(single.add_header("idempotency-key", "a", true)).await;
        assert_eq!(single.json(), first[0]["body"]);
        let invalid = responses(&app, "ann-full", &[request("one", "a b"), request("one", "é")]).await;
        assert!(invalid.iter().all(|response| failure(response).0 == "invalid_idempotency_key"), "{invalid:?}");
    }

    async fn only_a_mounted_write_of_records_can_be_in_a_batch(app: App) {
        let before = app.snapshot().await;
        for (method, url, pointer) in [
            ("GET", "/tasks/task-berg", "method"),
            ("PUT", "/tasks/task-berg", "method"),
            ("POST", "/batch", "url"),
            ("POST", "/mcp", "url"),
            ("PATCH", "/me", "url"),
            ("POST", "/users/me/mcp-tokens", "url"),
            ("DELETE", "/tasks", "url"),
            ("POST", "/tasks/task-berg", "url"),
            ("DELETE", "/api/v1/tasks/task-berg", "url"),
            ("DELETE", "/tasks/task-berg/", "url"),
            ("DELETE", "//tasks/task-berg", "url"),
            ("DELETE", "/t%61sks/task-berg", "url"),
            ("DELETE", "/tasks/task-berg#x", "url"),
            ("DELETE", "/tasks/task berg", "url"),
            ("DELETE", "/x/../tasks/task-berg", "url"),
            ("DELETE", "http://family.example/api/v1/tasks/task-berg", "url"),
            ("DELETE", "tasks/task-berg", "url"),
        ] {
            let request = json!({ "method": method, "url": url, "body": { "title": "x" } });
            let response = &responses(&app, "ann-full", &[request]).await[0];
            let pointer = format!("/requests/0/{pointer}");
            assert_eq!(failure(response), ("invalid_field", vec![pointer.as_str()]), "{method} {url}");
        }
        assert_eq!(app.snapshot().await, before);
        let encoded = responses(&app, "ann-full", &[json!(7), delete("/tasks/task%2Dberg")]).await;
        assert_eq!(failure(&encoded[0]), ("invalid_field", vec!["/requests/0"]));
        assert_eq!(encoded[1]["body"]["id"], "task-berg");
    }

    async fn each_request_counts_against_the_rate_limit(kind: StorageKind) {
        let rate = Rate::per_minute(NonZeroU32::new(4).unwrap());
        let app = App::with_api(kind, |api| api.rate_limit(rate)).await;
        let requests = [delete("/tasks/none"), delete("x"), create_task("a"), create_task("b"), create_task("c"),
            delete("/tasks/task-berg")];
        let answer = send(&app, "ann-full", &requests).await;
        assert_eq!(answer.header("ratelimit"), Some("\"key\";r=0;t=60"));
        let responses = answer.assert_ok().json()["responses"].as_array().unwrap().clone();
        assert_eq!(statuses(&responses), [404, 422, 201, 201, 429, 429]);
        for refused in &responses[4..] {
            assert_eq!((failure(refused).0, &refused["retryAfter"]), ("rate_limited", &json!(15)));
        }
        let tasks = app.read("tasks").await;
        let tasks = tasks[0]["columns"][0]["tasks"].as_array().unwrap().iter();
        let titles: Vec<&str> = tasks.map(|task| task["title"].as_str().unwrap()).collect();
        assert_eq!(titles, ["Sweep", "a", "b"]);
        send(&app, "ann-full", &requests).await.assert_problem(429, "rate_limited");
    }

    async fn no_request_is_made_after_a_mebibyte_of_responses(app: App) {
        let content = "x".repeat(200_000);
        let note = json!({ "method": "POST", "url": "/notes", "body": { "title": "long", "content": content } });
        let id = responses(&app, "ann-full", &[note]).await[0]["body"]["id"].as_str().unwrap().to_owned();
        let mut requests = vec![json!({ "method": "PATCH", "url": format!("/notes/{id}"), "body": {} }); 6];
        requests.push(delete("/tasks/task-berg"));
        let answer = responses(&app, "ann-full", &requests).await;
        assert_eq!(statuses(&answer), [200, 200, 200, 200, 200, 200, 413]);
        assert_eq!(failure(&answer[6]).0, "payload_too_large");
        assert_eq!(statuses(&responses(&app, "ann-full", &requests[6..]).await), [200]);
    }

    async fn what_a_batch_holds_while_it_waits_is_bounded(app: App) {
        let before = app.snapshot().await;
        let long = format!("/tasks/{}", "x".repeat(4_096));
        let tags = vec!["\"x\""; 100_000].join(",");
        for (field, value) in [("url", &long), ("idempotencyKey", &long), ("ifMatch", &tags)] {
            let mut request = create_task("x");
            request[field] = value.as_str().into();
            let response = &responses(&app, "ann-full", &[request]).await[0];
            let pointer = format!("/requests/0/{field}");
            assert_eq!(failure(response), ("invalid_field", vec![pointer.as_str()]));
        }
        let mut request = create_task("x");
        request["idempotencyKey"] = "x".repeat(256).into();
        let response = &responses(&app, "ann-full", &[request]).await[0];
        assert_eq!(failure(response).0, "invalid_idempotency_key");
        let values = json!({ "method": "POST", "url": "/tasks", "body": vec![[0]; 100_000] });
        let refused = send(&app, "ann-full", &[values]).await;
        assert_eq!((refused.status, refused.error_pointers()), (422, vec!["/requests".to_owned()]));
        assert_eq!(app.snapshot().await, before);
    }

    async fn a_host_can_remove_the_batches(app: App) {
        let app = app.configured(FamilyRoutes::without_batch);
        send(&app, "ann-full", &[delete("/tasks/task-berg")]).await.assert_problem(404, "not_found");
        let document = FamilyRoutes::new(app.api.clone()).without_batch().document();
        assert!(document["paths"].get(BATCH).is_none());
        assert!(document["paths"].get("/api/v1/tasks/{id}").is_some());
        app.send(bearer("ann-full", Method::DELETE, "/api/v1/tasks/task-berg")).await.assert_ok();
    }

    async fn a_family_has_one_batch_at_a_time(app: App) {
        let request = [delete("/tasks/none")];
        let header = format!("Bearer {}", token("ann-rw"));
        let caller = app.api.admit([header.as_bytes()], Surface::V1, Endpoint::Rest).await.caller.unwrap();
        let batches = app.api.batches(&caller).unwrap();
        let running = batches.begin().unwrap();
        let refused = send(&app, "ann-full", &request).await;
        assert_eq!(refused.assert_problem(429, "rate_limited").header("retry-after"), Some("1"));
        assert_eq!(statuses(&responses(&app, "eve-full", &request).await), [404]);
        let single = bearer("ann-full", Method::DELETE, "/api/v1/tasks/none");
        app.send(single).await.assert_problem(404, "not_found");
        drop(running);
        assert_eq!(statuses(&responses(&app, "ann-full", &request).await), [404]);
    }

    async fn location_in_a_batch_has_the_prefix_of_the_host(app: App) {
        let app = app.with_routes(|api| {
            Router::new().push(Router::with_path("home/{name}").push(FamilyRoutes::new(api).into_router()))
        });
        let body = json!({ "requests": [create_task("x")] }).to_string();
        let answer = app.send(bearer("ann-full", Method::POST, "/home/x%20y/api/v1/batch").raw_json(body)).await.json();
        let created = &answer["responses"][0];
        let id = created["body"]["id"].as_str().unwrap();
        assert_eq!(created["location"], format!("/home/x%20y/api/v1/tasks/{id}"));
    }

    async fn a_batch_works_over_a_socket(app: App) {
        let server = TestServer::start(app.service).await;
        let body = json!({ "requests": mixed() }).to_string();
        let request = format!(
            "POST {BATCH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            token("ann-full"),
            body.len(),
        );
        let (head, answer) = server.send(request.as_bytes()).await;
        assert!(head.starts_with("http/1.1 200"), "{head}");
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_mixed(answer["responses"].as_array().unwrap());
    }
}

/// Revokes a key when it has deleted a record.
struct RevokeAfterDeletion(Arc<dyn LoadStorage>);

impl AuditSink for RevokeAfterDeletion {
    fn record(&self, event: AuditEvent) {
        if event.name() != "record_deleted" {
            return;
        }
        let ann = SignedIn::from("ann".parse::<UserId>().unwrap());
        let key = "ann-full".parse().unwrap();
        let revocation = self.0.revoke_key(&ann, &key, NOW.parse().unwrap());
        revocation.now_or_never().expect("the storage is in memory").unwrap();
    }
}

#[tokio::test]
async fn requests_after_the_revocation_of_the_key_get_401() {
    let (storage, _location) = fixture::seeded(StorageKind::Memory).await;
    let api = FamilyApi::builder(storage.clone()).audit(RevokeAfterDeletion(storage)).full_access(true).build();
    let app = App::with_api(StorageKind::Memory, |api| api)
        .await
        .with_routes(|_| Router::new().push(FamilyRoutes::new(api).into_router()));
    let requests = [delete("/tasks/none"), delete("/tasks/task-berg"), delete("/notes/note-berg"), create_task("x")];
    let responses = responses(&app, "ann-full", &requests).await;
    assert_eq!(statuses(&responses), [404, 200, 401, 401]);
    assert_eq!(failure(&responses[2]).0, "invalid_token");
    send(&app, "ann-full", &requests).await.assert_problem(401, "invalid_token");
}

#[tokio::test(start_paused = true)]
async fn no_request_is_made_in_the_last_sixth_of_the_timeout() {
    let app = App::on(StorageKind::Memory).await;
    let body = json!({ "requests": [delete("/tasks/task-berg"), delete("/tasks/none")] }).to_string();
    for (wait, expected) in [(26, [429, 429]), (24, [200, 404])] {
        let (late, chunks) = held_back_body();
        let request = bearer("ann-full", Method::POST, BATCH).add_header("content-type", "application/json", true);
        let sending = async {
            sleep(Duration::from_secs(wait)).await;
            chunks.send(body.clone().into()).await.unwrap();
            drop(chunks);
        };
        let (answer, ()) = tokio::join!(app.send(request.body(late)), sending);
        let responses = answer.assert_ok().json()["responses"].as_array().unwrap().clone();
        assert_eq!(statuses(&responses), expected, "after {wait} s");
        for refused in responses.iter().filter(|response| response["status"] == 429) {
            assert_eq!((failure(refused).0, &refused["retryAfter"]), ("rate_limited", &json!(1)));
        }
    }
}

#[tokio::test]
async fn failures_in_a_batch_are_logged_and_overload_marks_its_answer() {
    LazyLock::force(&LOG);
    let app = App::on(StorageKind::Memory)
        .await
        .configured(|routes| routes.unread_response_limit(UnreadResponseLimit::of_bytes(0)));
    let update = json!({ "method": "PATCH", "url": "/tasks/task-berg", "body": { "title": "x" } });
    for (id, requests, is_overloaded) in [
        ("batch-with-two-503", vec![update.clone(), delete("/tasks/none"), update], true),
        ("batch-without-503", vec![delete("/tasks/none")], false),
    ] {
        let request = bearer("ann-full", Method::POST, BATCH).add_header("x-request-id", id, true);
        let answer = request.raw_json(json!({ "requests": requests }).to_string()).send(&app.service).await;
        assert_eq!(answer.status_code.map(|status| status.as_u16()), Some(200));
        assert_eq!(Overload::caused(&answer), is_overloaded, "{id}");
    }
    LOG.assert_line_with(&[" WARN ", "batch-with-two-503", "failures=2"]);
    assert!(!LOG.text().lines().any(|line| line.contains("batch-without-503") && line.contains(" WARN ")));
}

#[tokio::test]
async fn a_batch_offers_what_the_storage_supports() {
    let app = async |capabilities| {
        App::with_storage(Arc::new(FaultInjection::in_memory().await.with_capabilities(capabilities)))
    };
    let updates = app(Capabilities::updates().with(RecordKind::Event, Verb::Create)).await;
    let update = json!({ "method": "PATCH", "url": "/tasks/task-berg", "body": { "title": "x" } });
    let responses = responses(&updates, "ann-full", &[delete("/tasks/task-berg"), update.clone()]).await;
    assert_eq!(failure(&responses[0]), ("invalid_field", vec!["/requests/0/url"]));
    assert_eq!(responses[1]["body"]["title"], "x");
    let reads = app(Capabilities::reads()).await;
    assert_eq!(send(&reads, "ann-full", &[update]).await.status, 404);
}
