//! The OpenAPI document of the whole server.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::client::call;
use crate::sandbox::Sandbox;

#[tokio::test]
async fn the_document_of_the_whole_server_is_valid_and_matches_its_routes() {
    let (_sandbox, server) = Sandbox::on_sqlite().served();
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
    let mut ids = BTreeSet::new();
    for operation in paths.values().flat_map(|item| item.as_object().unwrap().values()) {
        assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{operation}");
    }
    let scheme = &document["components"]["securitySchemes"]["session"];
    assert_eq!((scheme["in"].as_str(), scheme["name"].as_str()), (Some("cookie"), Some("family_session")));
    assert!(resolve_references(&document, &document) > 100);
    for (section, members) in document["components"].as_object().unwrap() {
        for name in members.as_object().unwrap().keys().filter(|_| section != "securitySchemes") {
            let reference = format!(r##""#/components/{section}/{name}""##);
            assert!(document.to_string().contains(&reference), "{reference}");
        }
    }
}

/// Asserts that every reference in a value resolves. Returns the number of references.
fn resolve_references(document: &Value, value: &Value) -> usize {
    let reference = value.get("$ref").and_then(Value::as_str);
    assert!(reference.is_none_or(|it| document.pointer(it.trim_start_matches('#')).is_some()), "{reference:?}");
    let parts: Vec<&Value> = match value {
        Value::Object(members) => members.values().collect(),
        Value::Array(elements) => elements.iter().collect(),
        _ => Vec::new(),
    };
    usize::from(reference.is_some()) + parts.iter().map(|part| resolve_references(document, part)).sum::<usize>()
}
