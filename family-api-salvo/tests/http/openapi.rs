//! The OpenAPI document lists every operation of the HTTP reference and every code of the error table. The
//! documentation page works.

use std::collections::BTreeSet;

use family_api_core::ErrorCode;
use salvo::http::Method;
use serde_json::{Value, json};

use crate::openapi_conformance::{fill_template, make_daily, send_authorized};
use crate::storages::{OnStorage, StorageKind, on_every_storage};
use crate::support::{App, anonymous};

pub(crate) async fn document(app: &App) -> Value {
    app.send(anonymous(Method::GET, "/openapi.json")).await.assert_ok().json()
}

/// Returns the method, the path and the description of each operation.
pub(crate) fn operations(document: &Value) -> Vec<(String, String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, item)| {
        let item = item.as_object().unwrap();
        item.iter().map(move |(method, operation)| (method.clone(), path.clone(), operation))
    });
    operations.collect()
}

/// Returns the scope that an operation requires.
pub(crate) fn scope(operation: &Value) -> Option<&str> {
    operation["security"].pointer("/0/bearer/0").and_then(Value::as_str)
}

fn dereference<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("{reference}")),
        None => value,
    }
}

/// Asserts that an operation refers to each component, itself or through other components.
pub(crate) fn assert_each_component_is_used(document: &Value) {
    let mut operations = document.clone();
    let components = operations.as_object_mut().unwrap().remove("components").unwrap();
    let mut used = operations.to_string();
    let sections = components.as_object().unwrap().iter();
    let mut unused: Vec<_> = sections
        .flat_map(|(section, members)| {
            members.as_object().unwrap().iter().map(move |(name, component)| match section.as_str() {
                "securitySchemes" => (format!(r#"{{"{name}":["#), component.to_string()),
                _ => (format!(r##""#/components/{section}/{name}""##), component.to_string()),
            })
        })
        .collect();
    while !unused.is_empty() {
        let (found, others): (Vec<_>, _) = unused.into_iter().partition(|(reference, _)| used.contains(reference));
        assert!(!found.is_empty(), "{:?}", others.iter().map(|(reference, _)| reference).collect::<Vec<_>>());
        used.extend(found.into_iter().map(|(_, component)| component));
        unused = others;
    }
}

pub(crate) fn assert_references_resolve(document: &Value, value: &Value) {
    dereference(document, value);
    match value {
        Value::Object(members) => members.values().for_each(|member| assert_references_resolve(document, member)),
        Value::Array(elements) => elements.iter().for_each(|element| assert_references_resolve(document, element)),
        _ => {}
    }
}

on_every_storage! {
    async fn documented_error_codes_match_the_error_table(app: App) {
        let document = document(&app).await;
        let mut documented = BTreeSet::new();
        for (method, path, operation) in operations(&document) {
            for (status, response) in operation["responses"].as_object().unwrap() {
                let Some(problem) = response["content"].get("application/problem+json") else {
                    assert!(["200", "201", "304", "308"].contains(&status.as_str()), "{method} {path} {status}");
                    continue;
                };
                let schema = &problem["schema"];
                assert_eq!(schema["properties"]["status"]["const"].to_string(), *status);
                for code in schema["properties"]["code"]["enum"].as_array().unwrap() {
                    let row = (status.parse().unwrap(), code.as_str().unwrap());
                    let known = ErrorCode::ALL.into_iter().find(|known| known.row() == row);
                    documented.insert(known.unwrap_or_else(|| panic!("{method} {path} {row:?}")));
                }
            }
        }
        // No operation documents the errors for an unsupported method and an invalid `Host`. The consent page shows its
        // errors itself. The app has no MCP endpoint.
        let expected = [
            ErrorCode::InvalidRequest,
            ErrorCode::McpScope,
            ErrorCode::MethodNotAllowed,
            ErrorCode::ConnectionLimitReached,
            ErrorCode::ConsentUsed,
        ];
        let undocumented: Vec<_> = ErrorCode::ALL.into_iter().filter(|code| !documented.contains(code)).collect();
        assert_eq!(undocumented, expected);
        let all: BTreeSet<&str> = ErrorCode::ALL.into_iter().map(ErrorCode::as_str).collect();
        let codes = document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"].as_array().unwrap();
        assert_eq!(codes.iter().filter_map(Value::as_str).collect::<BTreeSet<_>>(), all);
    }

    async fn references_resolve_and_operations_are_complete(app: App) {
        let document = document(&app).await;
        assert_references_resolve(&document, &document);
        assert_each_component_is_used(&document);
        let tags = document["tags"].as_array().unwrap();
        let tags: Vec<&str> = tags.iter().filter_map(|tag| tag["name"].as_str()).collect();
        assert_eq!(tags.len(), tags.iter().collect::<BTreeSet<_>>().len(), "{tags:?}");
        let mut ids = BTreeSet::new();
        for (method, path, operation) in operations(&document) {
            assert!(ids.insert(operation["operationId"].as_str().unwrap().to_owned()), "{method} {path}");
            assert!(operation["summary"].as_str().is_some_and(|summary| !summary.is_empty()));
            assert!(tags.contains(&operation["tags"][0].as_str().unwrap()), "{method} {path}");
            let has_body = ["post", "patch"].contains(&method.as_str()) && !path.ends_with("/restore");
            assert_eq!(operation.get("requestBody").is_some(), has_body, "{path}");
            for response in operation["responses"].as_object().unwrap().values() {
                assert!(response["headers"].get("X-Request-Id").is_some(), "{method} {path}");
            }
            let in_path = path.matches('{').count();
            let parameters = operation["parameters"].as_array().unwrap();
            let parameters = parameters.iter().map(|parameter| dereference(&document, parameter));
            assert_eq!(parameters.filter(|parameter| parameter["in"] == "path").count(), in_path, "{path}");
        }
    }

    async fn session_writes_document_429_and_session_reads_do_not(app: App) {
        for (method, path, operation) in operations(&document(&app).await) {
            let has_token = ["/api/v1", "/api/mcp"].iter().any(|base| path.starts_with(base));
            if path.starts_with("/api") && !has_token {
                assert_eq!(operation["responses"].get("429").is_some(), method != "get", "{method} {path}");
            }
        }
    }

    async fn generators_know_each_format_and_name_each_branch_of_a_union(app: App) {
        fn check(schema: &Value, path: &str) {
            if let Some(format) = schema["format"].as_str() {
                assert!(["date", "date-time", "int32", "int64"].contains(&format), "{path}: {format}");
            }
            for union in ["anyOf", "oneOf"] {
                for branch in schema[union].as_array().into_iter().flatten() {
                    // An enumeration is an `enum`, because many generators of clients name no constants of a union.
                    assert!(branch.get("const").is_none(), "{path}: {branch}");
                    let has_name = ["title", "$ref"].iter().any(|name| branch.get(name).is_some());
                    assert!(has_name || branch["type"] == "null", "{path}: {branch}");
                }
            }
            match schema {
                Value::Object(members) => members.iter().for_each(|(name, it)| check(it, &format!("{path}/{name}"))),
                Value::Array(elements) => elements.iter().for_each(|element| check(element, path)),
                _ => {}
            }
        }
        check(&document(&app).await, "");
    }

    async fn each_body_has_an_example_that_the_api_accepts(kind: StorageKind) {
        let document = document(&App::on(kind).await).await;
        let mut bodies = 0;
        for (method, path, operation) in operations(&document) {
            let Some(body) = operation.get("requestBody") else { continue };
            for content in body["content"].as_object().unwrap().values() {
                let example = &dereference(&document, &content["schema"])["example"];
                assert!(example.is_object(), "{method} {path}");
            }
            let app = App::on(kind).await;
            make_daily(&app).await;
            let example = dereference(&document, &body["content"]["application/json"]["schema"])["example"].to_string();
            let response = send_authorized(&app, &method, &fill_template(&path), Some(&example)).await;
            let cache_control = match response.status {
                200 => "private, no-cache",
                201 => "no-store",
                _ => panic!("{method} {path} {example}: {response:?}"),
            };
            assert_eq!(response.header("cache-control"), Some(cache_control), "{method} {path}");
            bodies += 1;
        }
        assert!(bodies >= 24, "{bodies}");
    }

    async fn host_can_add_its_own_operations(app: App) {
        let fragment = json!({
            "info": { "title": "The Bergs" },
            "tags": [{ "name": "Host" }],
            "paths": { "/healthz": { "get": { "operationId": "healthz" } } },
            "components": { "securitySchemes": { "session": { "name": "berg_session" } } },
        });
        let address = "https://home.example".parse().unwrap();
        let app = app.configured(|routes| routes.openapi_fragment(fragment).public_address(address));
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

    async fn documentation_page_loads_nothing_from_other_origins(app: App) {
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
        let viewport = r#"<meta name="viewport" content="width=device-width, initial-scale=1">"#;
        assert!(html.split_once("</head>").unwrap().0.contains(viewport), "{html}");
        let loaded: Vec<&str> = html.split(['"', '\'']).filter(|text| text.starts_with("./")).collect();
        assert_eq!(loaded.len(), 3);
        for file in loaded {
            let response = app.send(anonymous(Method::GET, &format!("/docs/{}", &file[2..]))).await;
            assert_eq!(response.status, 200, "{file}");
            assert!(!response.body.is_empty(), "{file}");
        }
        app.send(anonymous(Method::GET, "/docs/nothing.js")).await.assert_problem(404, "not_found");
    }
}
