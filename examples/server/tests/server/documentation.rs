//! The OpenAPI document of the whole server.

use serde_json::Value;

use crate::client::call;
use crate::sandbox::Sandbox;

async fn document() -> Value {
    let sandbox = Sandbox::on_sqlite();
    let server = sandbox.serve();
    call(&server, "GET", "/openapi.json").await.json()
}

#[tokio::test]
async fn every_documented_path_exists_and_own_routes_are_documented() {
    let sandbox = Sandbox::on_sqlite();
    let server = sandbox.serve();
    let document = call(&server, "GET", "/openapi.json").await.json();
    let paths = document["paths"].as_object().unwrap();
    for own in ["/", "/healthz", "/readyz", "/login", "/logout", "/openapi.json", "/docs"] {
        assert!(paths.contains_key(own), "{own}");
    }
    for path in paths.keys().filter(|path| !path.contains('{')) {
        // No path supports TRACE, so a known path returns 405.
        let status = call(&server, "TRACE", path).await.status;
        assert!(matches!(status, 401 | 405), "{path}: {status}");
    }
}

#[tokio::test]
async fn every_reference_in_the_document_resolves() {
    let document = document().await;
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 100);
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

#[tokio::test]
async fn operation_ids_are_unique_and_the_cookie_name_is_documented() {
    let document = document().await;
    let items = document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
    let mut names: Vec<&str> = items.map(|operation| operation["operationId"].as_str().unwrap()).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    let scheme = &document["components"]["securitySchemes"]["session"];
    assert_eq!((scheme["in"].as_str(), scheme["name"].as_str()), (Some("cookie"), Some("family_session")));
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            references.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|value| collect(value, references));
        }
        Value::Array(elements) => elements.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}
