//! Compares real responses with the OpenAPI document.

use std::collections::BTreeSet;

use salvo::http::Method;
use serde_json::{Value, json};

use crate::openapi::document;
use crate::storages::{OnStorage, StorageKind, on_every_storage};
use crate::support::{Answer, App, fits};

/// `delete` is last, because it removes records.
const METHODS: [&str; 7] = ["get", "put", "post", "options", "patch", "trace", "delete"];

fn concrete(template: &str) -> String {
    let id = if template.contains("tasks") {
        "task-berg"
    } else if template.contains("notes") {
        "note-berg"
    } else {
        "ann-none"
    };
    template.replace("{id}", id).replace("{resource}", "notes").replace("{file}", "swagger-ui.css")
}

/// Sends a request as a caller with all permissions.
async fn call(app: &App, method: &str, path: &str) -> Answer {
    let method: Method = method.to_ascii_uppercase().parse().unwrap();
    if path.starts_with("/api/v1") || path.starts_with("/api/mcp") {
        app.with_token("ann-rw", method, path).await
    } else {
        app.in_session("ann", method, path).await
    }
}

/// Returns values of a documented field that must be accepted, and values that must be refused.
fn samples(schema: &Value) -> (Vec<Value>, Vec<Value>) {
    let text = |length: u64| json!("x".repeat(usize::try_from(length).unwrap()));
    if let Some(values) = schema["enum"].as_array() {
        return (values.clone(), vec![json!("other"), json!(null)]);
    }
    let nullable = schema["type"].as_array().is_some_and(|types| types.contains(&json!("null")));
    let kind = schema["type"].as_array().map_or(&schema["type"], |types| &types[0]);
    let (mut good, mut bad) = match kind.as_str().unwrap() {
        "boolean" => (vec![json!(true), json!(false)], vec![json!(1)]),
        "integer" => {
            let (least, most) = (schema["minimum"].as_i64().unwrap(), schema["maximum"].as_i64().unwrap());
            (vec![json!(least), json!(most)], vec![json!(least - 1), json!(most + 1)])
        }
        "array" => {
            let (good, bad) = samples(&schema["items"]);
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
        other => panic!("no samples of {other}"),
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
            for method in METHODS {
                let answer = call(&app, method, &concrete(path)).await;
                if item.get(method).is_some() {
                    assert!(!matches!(answer.status, 404 | 405), "{method} {path}: {answer:?}");
                } else {
                    let allow = answer.is(405, "method_not_allowed").header("allow").unwrap().to_ascii_lowercase();
                    let allowed: BTreeSet<&str> = allow.split(", ").filter(|method| *method != "head").collect();
                    assert_eq!(allowed, item.as_object().unwrap().keys().map(String::as_str).collect(), "{path}");
                }
            }
        }
    }

    async fn responses_match_their_documented_schema(app: App) {
        let document = document(&app).await;
        let checked = |answer: &Answer, method: &str, template: &str| {
            let response = &document["paths"][template][method]["responses"][answer.status.to_string()];
            let media_type = answer.header("content-type").unwrap();
            let schema = &response["content"][media_type]["schema"];
            assert!(schema.is_object(), "{method} {template} {} {media_type}", answer.status);
            fits(&document, schema, &answer.json()).unwrap_or_else(|fault| panic!("{method} {template}: {fault}"));
        };
        for resource in ["tasks", "events", "shopping", "notes", "task_stats", "recipes", "events?from=x"] {
            for base in ["/api/v1/read", "/api/mcp/read"] {
                let answer = call(&app, "get", &format!("{base}/{resource}")).await;
                checked(&answer, "get", &format!("{base}/{{resource}}"));
            }
        }
        for (method, template) in [
            ("get", "/api/v1/me"),
            ("get", "/api/users/me"),
            ("get", "/api/users/me/mcp-tokens"),
            ("delete", "/api/users/me/mcp-tokens/{id}"),
            ("get", "/openapi.json"),
        ] {
            for _first_and_again in 0..2 {
                checked(&call(&app, method, &concrete(template)).await, method, template);
            }
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
        ] {
            let answer = app.write_in_session("ann", method.clone(), &concrete(template), body).await;
            checked(&answer, &method.as_str().to_ascii_lowercase(), template);
        }
    }

    async fn documented_body_limits_match_the_router(kind: StorageKind) {
        let app = App::without_write_limit(kind).await;
        let schemas = &document(&app).await["components"]["schemas"];
        for (schema, path) in [
            (&schemas["TaskUpdate"]["oneOf"][0], "/api/tasks/task-berg"),
            (&schemas["NoteUpdate"], "/api/notes/note-berg"),
            (&schemas["ProfileUpdate"], "/api/users/me"),
        ] {
            for (field, schema) in schema["properties"].as_object().unwrap() {
                let (good, bad) = samples(schema);
                for (values, status) in [(good, 200), (bad, 422)] {
                    for value in values {
                        let body = json!({ field: value }).to_string();
                        let answer = app.write_in_session("ann", Method::PATCH, path, &body).await;
                        assert_eq!(answer.status, status, "{path} {body:.80}");
                    }
                }
            }
            assert_eq!(schema["additionalProperties"], false);
        }
    }
}
