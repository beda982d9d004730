//! The OpenAPI document, held against the router, the table of errors and what really comes back.

use std::collections::BTreeSet;

use family_api_core::ErrorCode;
use family_api_salvo::FamilyRoutes;
use salvo::Router;
use salvo::http::Method;
use serde_json::{Value, json};

use crate::support::{Answer, App, CookieUser, anonymous, fits};

/// What the specification and the contract list, written down once more: method, path, scope.
const OPERATIONS: [(&str, &str, Option<&str>); 17] = [
    ("get", "/api/v1/me", Some("v1.read")),
    ("get", "/api/v1/read/{resource}", Some("v1.read")),
    ("patch", "/api/v1/tasks/{id}", Some("v1.tasks.write")),
    ("patch", "/api/v1/notes/{id}", Some("v1.notes.write")),
    ("delete", "/api/v1/notes/{id}", Some("v1.notes.write")),
    ("get", "/api/mcp/read/{resource}", Some("mcp.read")),
    ("get", "/api/users/me", None),
    ("patch", "/api/users/me", None),
    ("post", "/api/users/me/mcp-tokens", None),
    ("get", "/api/users/me/mcp-tokens", None),
    ("delete", "/api/users/me/mcp-tokens/{id}", None),
    ("patch", "/api/tasks/{id}", None),
    ("patch", "/api/notes/{id}", None),
    ("delete", "/api/notes/{id}", None),
    ("get", "/openapi.json", None),
    ("get", "/docs", None),
    ("get", "/docs/{file}", None),
];

const METHODS: [&str; 7] = ["get", "put", "post", "delete", "options", "patch", "trace"];

async fn document(app: &App) -> Value {
    app.send(anonymous(Method::GET, "/openapi.json")).await.is_ok().json()
}

fn operations(document: &Value) -> Vec<(String, String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, item)| {
        let item = item.as_object().unwrap();
        item.iter().map(move |(method, operation)| (method.clone(), path.clone(), operation))
    });
    operations.collect()
}

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

/// Asks as somebody who may do everything.
async fn call(app: &App, method: &str, path: &str) -> Answer {
    let method: Method = method.to_ascii_uppercase().parse().unwrap();
    if path.starts_with("/api/v1") || path.starts_with("/api/mcp") {
        app.with_token("ann-rw", method, path).await
    } else {
        app.in_session("ann", method, path).await
    }
}

#[tokio::test]
async fn the_document_has_the_operations_of_the_contract_with_their_scopes_and_no_other() {
    let app = App::on_memory().await;
    let document = document(&app).await;
    assert_eq!(document["openapi"], "3.1.0");
    let mut documented = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let scope = operation["security"].pointer("/0/bearer/0").and_then(Value::as_str).map(str::to_owned);
        let by_session = operation["security"].pointer("/0/session").is_some();
        assert_eq!(by_session, scope.is_none() && path.starts_with("/api"), "{method} {path}");
        documented.insert((method, path, scope));
    }
    let listed = OPERATIONS.map(|(method, path, scope)| (method.to_owned(), path.to_owned(), scope.map(str::to_owned)));
    assert_eq!(documented, BTreeSet::from(listed));
}

#[tokio::test]
async fn the_router_answers_what_is_documented_and_refuses_every_other_method() {
    let document = document(&App::on_memory().await).await;
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in METHODS {
            let answer = call(&App::on_memory().await, method, &concrete(path)).await;
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

#[tokio::test]
async fn every_code_of_the_table_is_documented_and_every_documented_code_is_in_the_table() {
    let app = App::on_memory().await;
    let document = document(&app).await;
    let mut documented = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let Some(schema) = response["content"].get("application/problem+json").map(|media| &media["schema"]) else {
                assert!(["200", "201", "308"].contains(&status.as_str()), "{method} {path} {status}");
                continue;
            };
            assert_eq!(schema["properties"]["status"]["const"].to_string(), *status);
            for code in schema["properties"]["code"]["enum"].as_array().unwrap() {
                let row = (status.parse().unwrap(), code.as_str().unwrap());
                let known = ErrorCode::ALL.into_iter().find(|known| known.row() == row);
                documented.insert(known.unwrap_or_else(|| panic!("{method} {path} {row:?}")));
            }
        }
    }
    // A method that is none belongs to no operation; the last two have no route yet.
    let elsewhere = [ErrorCode::MethodNotAllowed, ErrorCode::PreconditionFailed, ErrorCode::RateLimited];
    let undocumented: Vec<_> = ErrorCode::ALL.into_iter().filter(|code| !documented.contains(code)).collect();
    assert_eq!(undocumented, elsewhere);
    let all: BTreeSet<&str> = ErrorCode::ALL.into_iter().map(ErrorCode::as_str).collect();
    let codes = document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"].as_array().unwrap();
    assert_eq!(codes.iter().filter_map(Value::as_str).collect::<BTreeSet<_>>(), all);
}

#[tokio::test]
async fn every_reference_resolves_and_every_operation_is_complete() {
    let app = App::on_memory().await;
    let document = document(&app).await;
    resolve_all(&document, &document);
    let tags: Vec<&str> = document["tags"].as_array().unwrap().iter().filter_map(|tag| tag["name"].as_str()).collect();
    assert_eq!(tags.len(), tags.iter().collect::<BTreeSet<_>>().len(), "{tags:?}");
    let mut ids = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        assert!(ids.insert(operation["operationId"].as_str().unwrap().to_owned()), "{method} {path}");
        assert!(operation["summary"].as_str().is_some_and(|summary| !summary.is_empty()));
        assert!(tags.contains(&operation["tags"][0].as_str().unwrap()), "{method} {path}");
        assert_eq!(operation.get("requestBody").is_some(), ["post", "patch"].contains(&method.as_str()), "{path}");
        for response in operation["responses"].as_object().unwrap().values() {
            assert!(response["headers"].get("X-Request-Id").is_some(), "{method} {path}");
        }
        let in_path = path.matches('{').count();
        let parameters = operation["parameters"].as_array().unwrap();
        let parameters = parameters.iter().map(|parameter| lookup(&document, parameter));
        assert_eq!(parameters.filter(|parameter| parameter["in"] == "path").count(), in_path, "{path}");
    }
}

fn lookup<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("{reference}")),
        None => value,
    }
}

fn resolve_all(document: &Value, value: &Value) {
    lookup(document, value);
    match value {
        Value::Object(members) => members.values().for_each(|member| resolve_all(document, member)),
        Value::Array(elements) => elements.iter().for_each(|element| resolve_all(document, element)),
        _ => {}
    }
}

#[tokio::test]
async fn what_comes_back_fits_the_schema_of_its_status() {
    let app = App::on_memory().await;
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

/// Values of a documented field that must be taken, and values that must not.
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

#[tokio::test]
async fn the_limits_of_the_documented_bodies_are_those_of_the_router() {
    let app = App::on_memory().await;
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

#[tokio::test]
async fn the_documented_fields_are_all_the_fields_there_are() {
    let app = App::on_memory().await;
    let schemas = &document(&app).await["components"]["schemas"];
    let fields = |schema: &Value| schema["properties"].as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let task = [
        "title",
        "description",
        "priority",
        "completed",
        "columnId",
        "order",
        "assigneeId",
        "dueDate",
        "labels",
        "isPrivate",
    ];
    assert_eq!(fields(&schemas["TaskUpdate"]["oneOf"][0]), named(&task));
    assert_eq!(fields(&schemas["TaskUpdate"]["oneOf"][1]), named(&["type", "columnId", "order"]));
    let note = ["title", "content", "pinned", "categoryId", "emoji", "color", "tags"];
    assert_eq!(fields(&schemas["NoteUpdate"]), named(&note));
    assert_eq!(fields(&schemas["KeyDraft"]), named(&["mode", "name", "expiresAt"]));
}

#[tokio::test]
async fn a_host_adds_its_own_operations() {
    let fragment = json!({
        "info": { "title": "The Bergs" },
        "tags": [{ "name": "Host" }],
        "paths": { "/healthz": { "get": { "operationId": "healthz" } } },
        "components": { "securitySchemes": { "session": { "name": "berg_session" } } },
    });
    let app = App::on_memory().await.mounted(|api| {
        let routes = FamilyRoutes::new(api).session(CookieUser).describe(fragment);
        Router::new().push(routes.public_address("https://home.example".parse().unwrap()).into_router())
    });
    let document = document(&app).await;
    assert_eq!(document["info"]["title"], "The Bergs");
    assert_eq!(document["paths"]["/healthz"]["get"]["operationId"], "healthz");
    assert!(document["paths"].get("/api/v1/me").is_some());
    let session = json!({
        "type": "apiKey", "in": "cookie", "name": "berg_session", "description": "The session of a signed-in user.",
    });
    assert_eq!(document["components"]["securitySchemes"]["session"], session);
    assert!(document["tags"].as_array().unwrap().contains(&json!({ "name": "Host" })));
    assert_eq!(document["servers"], json!([{ "url": "https://home.example" }]));
}

#[tokio::test]
async fn the_page_loads_nothing_from_elsewhere() {
    let app = App::on_memory().await;
    let moved = app.send(anonymous(Method::GET, "/docs")).await;
    assert_eq!((moved.status, moved.header("location")), (308, Some("docs/")));
    let document = app.send(anonymous(Method::GET, "/openapi.json")).await.json();
    assert!(document["paths"]["/docs"]["get"]["responses"]["308"].is_object());
    let page = app.send(anonymous(Method::GET, "/docs/")).await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html")));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("http"), "{policy}");
    let html = page.text();
    assert!(html.contains("../openapi.json") && html.contains(r#""validatorUrl":"none""#), "{html}");
    assert!(!html.contains("://"), "{html}");
    let loaded: Vec<&str> = html.split(['"', '\'']).filter(|text| text.starts_with("./")).collect();
    assert_eq!(loaded.len(), 3);
    for file in loaded {
        let answer = app.send(anonymous(Method::GET, &format!("/docs/{}", &file[2..]))).await;
        assert_eq!(answer.status, 200, "{file}");
        assert!(!answer.body.is_empty(), "{file}");
    }
    app.send(anonymous(Method::GET, "/docs/nothing.js")).await.is(404, "not_found");
}
