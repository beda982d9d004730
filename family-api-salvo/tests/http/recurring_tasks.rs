//! Tasks that recur (HTTP reference, "Recurring tasks").

use salvo::http::Method;
use serde_json::{Value, json};

use crate::storages::on_every_storage;
use crate::support::{App, NOW, TestResponse, bearer};

const TASK: &str = "/api/v1/tasks/task-berg";

/// The user is in Europe/Oslo. It is Friday.
const EVERY_MONDAY: &str = "DTSTART;TZID=Europe/Oslo:20261123T000000\nRRULE:FREQ=WEEKLY;BYDAY=MO";

async fn send(app: &App, method: Method, path: &str, body: &Value) -> TestResponse {
    app.send_json_with_token("ann-full", method, path, body.to_string()).await
}

async fn patch(app: &App, body: Value) -> TestResponse {
    send(app, Method::PATCH, TASK, &body).await
}

/// Returns the fields that a recurrence determines.
fn schedule(task: &Value) -> [&Value; 5] {
    ["recurrence", "dueDate", "completed", "completedAt", "lastCompletedAt"].map(|field| &task[field])
}

on_every_storage! {
    async fn a_recurring_task_is_created_and_completed_again_and_again(app: App) {
        let new = json!({ "title": "Bins", "recurrence": "FREQ=WEEKLY;BYDAY=MO" });
        let created = send(&app, Method::POST, "/api/v1/tasks", &new).await;
        assert_eq!(created.status, 201);
        let path = created.header("location").unwrap().to_owned();
        let bins = created.json();
        let (open, rule) = (json!(false), json!(EVERY_MONDAY));
        assert_eq!(schedule(&bins), [&rule, &json!("2026-11-22T23:00:00.000Z"), &open, &json!(null), &json!(null)]);
        for next in ["2026-11-29T23:00:00.000Z", "2026-12-06T23:00:00.000Z"] {
            let done = send(&app, Method::PATCH, &path, &json!({ "completed": true })).await.assert_ok().json();
            assert_eq!(schedule(&done), [&rule, &json!(next), &open, &json!(null), &json!(NOW)]);
            assert_eq!(app.send_with_token("ann-full", Method::GET, &path).await.json(), done);
        }
    }

    async fn the_last_time_completes_a_recurring_task(app: App) {
        let twice = json!({ "dueDate": "2026-11-20", "recurrence": "FREQ=DAILY;COUNT=2", "completed": true });
        let once = patch(&app, twice).await.assert_ok().json();
        let [rule, due, ..] = schedule(&once);
        assert_eq!((due, &once["completed"]), (&json!("2026-11-20T23:00:00.000Z"), &json!(false)));
        let stats = app.read("task_stats").await;
        let done = patch(&app, json!({ "completed": true })).await.assert_ok().json();
        assert_eq!(schedule(&done), [rule, due, &json!(true), &json!(NOW), &json!(NOW)]);
        // Only the last time counts as a completed task.
        let count = |stats: &Value, field: &str| stats[field].as_u64().unwrap();
        let after = app.read("task_stats").await;
        assert_eq!(count(&after, "doneToday"), count(&stats, "doneToday") + 1);
        assert_eq!(count(&after, "myOpen"), count(&stats, "myOpen") - 1);
    }

    async fn if_match_prevents_that_a_repeated_request_skips_a_time(app: App) {
        let daily = patch(&app, json!({ "recurrence": "FREQ=DAILY" })).await;
        let etag = daily.assert_ok().header("etag").unwrap().to_owned();
        let complete = || async {
            let request = bearer("ann-full", Method::PATCH, TASK);
            app.send(request.add_header("if-match", &etag, true).raw_json(r#"{"completed":true}"#)).await
        };
        complete().await.assert_ok();
        complete().await.assert_problem(412, "precondition_failed");
    }

    async fn a_recurrence_that_cannot_be_due_is_refused(app: App) {
        patch(&app, json!({ "recurrence": "FREQ=DAILY" })).await.assert_ok();
        for (body, pointer) in [
            (json!({ "recurrence": "daily" }), "/recurrence"),
            (json!({ "recurrence": "FREQ=DAILY;UNTIL=20200101" }), "/recurrence"),
            (json!({ "recurrence": "DTSTART:20261123T000000\nRRULE:FREQ=DAILY" }), "/recurrence"),
            (json!({ "dueDate": null }), "/dueDate"),
        ] {
            assert_eq!(patch(&app, body.clone()).await.error_pointers(), [pointer], "{body}");
        }
        let cleared = patch(&app, json!({ "dueDate": null, "recurrence": null })).await.assert_ok().json();
        assert_eq!(schedule(&cleared)[..2], [&json!(null), &json!(null)]);
    }
}
