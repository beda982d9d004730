//! Compares real responses with the OpenAPI document.

use std::collections::BTreeSet;

use family_api_core::FamilyApiBuilder;
use salvo::http::Method;
use serde_json::{Value, json};

use crate::openapi::document;
use crate::storages::{OnStorage, StorageKind, on_every_storage};
use crate::support::{App, TestResponse, bearer, session, validate};

/// The tests send the methods in this order. `delete` is last, because it removes records.
const METHODS: [&str; 8] = ["get", "put", "post", "options", "patch", "trace", "purge", "delete"];

const EVENT: &str = "/api/events/event-berg";

/// Replaces the parameters of a path template by values from the fixture.
pub(crate) fn fill_template(template: &str) -> String {
    let ids = [
        ("/tasks/", "task-berg"),
        ("/notes/", "note-berg"),
        ("/events/", "event-berg"),
        ("/shopping-items/", "item-berg"),
        ("/shopping-lists/", "list-berg"),
        ("/boards/", "board-berg"),
        ("/columns/", "column-berg"),
        ("/note-categories/", "category-berg"),
        ("/connections/", "grant-ann"),
        ("/calendar-feeds/", "feed-ann"),
    ];
    let id = ids.into_iter().find(|(part, _)| template.contains(part)).map_or("ann-none", |(_, id)| id);
    template
        .replace("{id}", id)
        .replace("{resource}", "notes")
        .replace("{file}", "swagger-ui.css")
        .replace("{start}", "20261124")
}

/// Sends a request with the credentials that the path requires.
pub(crate) async fn send_authorized(app: &App, method: &str, path: &str, body: Option<&str>) -> TestResponse {
    let method: Method = method.to_ascii_uppercase().parse().unwrap();
    let has_token = path.starts_with("/api/v1") || path.starts_with("/api/mcp");
    let request = if has_token { bearer("ann-full", method, path) } else { session("ann", method, path) };
    app.send(if let Some(body) = body { request.raw_json(body) } else { request }).await
}

/// Makes the event of the fixture recur, so that it has occurrences.
pub(crate) async fn make_daily(app: &App) {
    send_authorized(app, "patch", EVENT, Some(r#"{"recurrence":"FREQ=DAILY"}"#)).await.assert_ok();
}

/// Returns values that match the schema of a field, and values that do not.
fn valid_and_invalid_values(schema: &Value) -> (Vec<Value>, Vec<Value>) {
    let text = |length: u64| json!("x".repeat(usize::try_from(length).unwrap()));
    if let Some(values) = schema["enum"].as_array() {
        return (values.clone(), vec![json!("other"), json!(null)]);
    }
    let nullable = schema["type"].as_array().is_some_and(|types| types.contains(&json!("null")));
    let kind = schema["type"].as_array().map_or(&schema["type"], |types| &types[0]);
    let (mut good, mut bad) = match kind.as_str().unwrap() {
        "boolean" => (vec![json!(true), json!(false)], vec![json!(1)]),
        "integer" => {
            let (minimum, maximum) = (schema["minimum"].as_i64().unwrap(), schema["maximum"].as_i64().unwrap());
            (vec![json!(minimum), json!(maximum)], vec![json!(minimum - 1), json!(maximum + 1)])
        }
        "array" => {
            let (good, bad) = valid_and_invalid_values(&schema["items"]);
            let most = usize::try_from(schema["maxItems"].as_u64().unwrap()).unwrap();
            let list = |element: &Value, length| json!(vec![element.clone(); length]);
            let too_many = list(&good[0], most + 1);
            (vec![json!([]), list(&good[0], most)], bad.iter().map(|bad| list(bad, 1)).chain([too_many]).collect())
        }
        "string" => {
            let mut good: Vec<Value> = schema["examples"].as_array().cloned().unwrap_or_default();
            let mut bad = vec![json!(7)];
            if let Some(most) = schema["maxLength"].as_u64() {
                good.push(text(most));
                bad.push(text(most + 1));
            }
            if let Some(least) = schema["minLength"].as_u64() {
                good.push(text(least));
                bad.push(text(least - 1));
            }
            (good, bad)
        }
        other => panic!("no example values of type {other}"),
    };
    if nullable {
        good.push(json!(null));
    } else {
        bad.push(json!(null));
    }
    (good, bad)
}

on_every_storage! {
    async fn router_serves_exactly_the_documented_methods(kind: StorageKind) {
        let document = document(&App::on(kind).await).await;
        for (path, item) in document["paths"].as_object().unwrap() {
            let app = App::on(kind).await;
            app.connect("ann", "grant-ann").await;
            make_daily(&app).await;
            for method in METHODS {
                let response = send_authorized(&app, method, &fill_template(path), None).await;
                if item.get(method).is_some() {
                    assert!(!matches!(response.status, 404 | 405), "{method} {path}: {response:?}");
                } else {
                    let allow = response
                        .assert_problem(405, "method_not_allowed")
                        .header("allow")
                        .unwrap()
                        .to_ascii_lowercase();
                    let allowed: BTreeSet<&str> = allow.split(", ").filter(|method| *method != "head").collect();
                    assert_eq!(allow.contains("get"), allow.contains("get, head"), "{path}: {allow}");
                    assert_eq!(allowed, item.as_object().unwrap().keys().map(String::as_str).collect(), "{path}");
                }
            }
        }
    }

    async fn responses_match_their_documented_schema(app: App) {
        let document = document(&app).await;
        let check_response = |response: &TestResponse, method: &str, template: &str| {
            let documented = &document["paths"][template][method]["responses"][response.status.to_string()];
            let media_type = response.header("content-type").unwrap();
            let schema = &documented["content"][media_type]["schema"];
            assert!(schema.is_object(), "{method} {template} {} {media_type}", response.status);
            validate(&document, schema, &response.json())
                .unwrap_or_else(|error| panic!("{method} {template}: {error}"));
        };
        for resource in ["tasks", "events", "shopping", "notes", "task_stats", "recipes", "events?from=x"] {
            for base in ["/api/v1/read", "/api/mcp/read"] {
                let response = send_authorized(&app, "get", &format!("{base}/{resource}"), None).await;
                check_response(&response, "get", &format!("{base}/{{resource}}"));
            }
        }
        let state = app.send_with_token("ann-read", Method::GET, "/api/v1/changes").await.json();
        for (method, template) in [
            ("get", "/api/v1/me"),
            ("get", "/api/v1/read/overview"),
            ("get", "/api/mcp/read/overview"),
            ("get", "/api/v1/changes"),
            ("get", "/api/users/me"),
            ("get", "/api/users/me/mcp-tokens"),
            ("delete", "/api/users/me/mcp-tokens/{id}"),
            ("get", "/api/users/me/connections"),
            ("delete", "/api/users/me/connections/{id}"),
            ("get", "/openapi.json"),
        ] {
            for _ in 0..2 {
                check_response(&send_authorized(&app, method, &fill_template(template), None).await, method, template);
            }
        }
        for body in [
            "{}",
            r#"{"requests":[{"method":"PATCH","url":"/tasks/task-berg","body":{}},{"method":"DELETE","url":"/tasks/x"}]}"#,
        ] {
            let response = send_authorized(&app, "post", "/api/v1/batch", Some(body)).await;
            check_response(&response, "post", "/api/v1/batch");
        }
        for (method, template, body) in [
            (Method::POST, "/api/users/me/mcp-tokens", r#"{"mode":"v1_read"}"#),
            (Method::POST, "/api/users/me/mcp-tokens", "{}"),
            (Method::PATCH, "/api/users/me", "{}"),
            (Method::PATCH, "/api/tasks/{id}", "{}"),
            (Method::PATCH, "/api/tasks/{id}", r#"{"x":1}"#),
            (Method::PATCH, "/api/notes/{id}", "{}"),
            (Method::PATCH, "/api/notes/{id}", "["),
            (Method::DELETE, "/api/notes/{id}", ""),
            (Method::DELETE, "/api/notes/{id}", ""),
            (Method::POST, "/api/notes/{id}/restore", ""),
            (Method::POST, "/api/tasks", r#"{"title":"x"}"#),
            (Method::POST, "/api/tasks", "{}"),
            (Method::POST, "/api/events", r#"{"title":"x","startDate":"2026-12-24","endDate":"2026-12-24","allDay":true}"#),
            (Method::PATCH, "/api/events/{id}", r#"{"recurrence":"FREQ=DAILY"}"#),
            (Method::PATCH, "/api/events/{id}/occurrences/{start}", r#"{"title":"x"}"#),
            (Method::PATCH, "/api/events/{id}/occurrences/{start}", r#"{"allDay":true}"#),
            (Method::DELETE, "/api/events/{id}/occurrences/{start}", ""),
            (Method::DELETE, "/api/events/{id}/occurrences/{start}", ""),
            (Method::POST, "/api/events/{id}/occurrences/{start}/restore", ""),
            (Method::POST, "/api/shopping-lists/{id}/items", r#"{"name":"x"}"#),
            (Method::DELETE, "/api/shopping-lists/{id}/items", ""),
            (Method::POST, "/api/boards", r#"{"name":"x"}"#),
            (Method::POST, "/api/boards/{id}/columns", r#"{"name":"x"}"#),
            (Method::DELETE, "/api/boards/{id}", ""),
            (Method::POST, "/api/shopping-lists", r#"{"name":"x"}"#),
            (Method::POST, "/api/note-categories", r#"{"name":"x"}"#),
        ] {
            let response = app.send_json_in_session("ann", method.clone(), &fill_template(template), body).await;
            check_response(&response, &method.as_str().to_ascii_lowercase(), template);
        }
        for state in [state["newState"].as_str().unwrap(), "x"] {
            let changes = send_authorized(&app, "get", &format!("/api/v1/changes?since={state}"), None).await;
            check_response(&changes, "get", "/api/v1/changes");
            let count = changes.json()["changed"].as_array().map_or(0, Vec::len);
            assert!(changes.status == 410 || count > 5, "{changes:?}");
        }
    }

    async fn documented_body_limits_match_the_router(kind: StorageKind) {
        let app = App::with_api(kind, FamilyApiBuilder::without_session_write_limit).await;
        let document = document(&app).await;
        let schemas = &document["components"]["schemas"];
        // Each example of a date is valid beside these dates.
        let valid_dates = json!({ "startDate": "2026-11-24", "endDate": "2027-01-01", "allDay": false });
        for (schema, path) in [
            (&schemas["TaskUpdate"]["oneOf"][0], "/api/tasks/task-berg"),
            (&schemas["NoteUpdate"], "/api/notes/note-berg"),
            (&schemas["ProfileUpdate"], "/api/users/me"),
            (&schemas["EventUpdate"], EVENT),
            (&schemas["ShoppingItemUpdate"], "/api/shopping-items/item-berg"),
            (&schemas["BoardUpdate"], "/api/boards/board-berg"),
            (&schemas["ColumnUpdate"], "/api/columns/column-berg"),
            (&schemas["ShoppingListUpdate"], "/api/shopping-lists/list-berg"),
            (&schemas["NoteCategoryUpdate"], "/api/note-categories/category-berg"),
        ] {
            for (field, schema) in schema["properties"].as_object().unwrap() {
                let same = |reference: &str| document.pointer(reference.trim_start_matches('#')).unwrap();
                let schema = schema["$ref"].as_str().map_or(schema, same);
                let (mut good, bad) = valid_and_invalid_values(schema);
                if field == "recurrence" {
                    // A text of the right length is not a rule.
                    good.retain(|value| value.is_null() || schema["examples"].as_array().unwrap().contains(value));
                }
                for (values, status) in [(good, 200), (bad, 422)] {
                    for value in values {
                        // No record has the id of an example.
                        let status = match field.as_str() {
                            "assigneeId" if status == 200 && value.is_string() => 422,
                            "participantIds" if status == 200 && value != json!([]) => 422,
                            field if field.ends_with("Id") && status == 200 && value.is_string() => 404,
                            _ => status,
                        };
                        let mut body = if path == EVENT { valid_dates.clone() } else { json!({}) };
                        body[field] = value;
                        let body = body.to_string();
                        let response = app.send_json_in_session("ann", Method::PATCH, path, &body).await;
                        assert_eq!(response.status, status, "{path} {body:.80}");
                    }
                }
            }
            assert_eq!(schema["additionalProperties"], false);
        }
    }
}
