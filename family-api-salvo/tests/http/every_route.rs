//! Rules that hold for every documented operation. The operations come from the OpenAPI document, so a new route is
//! tested too.

use family_api_core::FamilyApiBuilder;
use salvo::http::Method;
use salvo::test::RequestBuilder;
use serde_json::Value;

use crate::openapi::{document, operations, scope};
use crate::openapi_conformance::fill_template;
use crate::storages::{StorageKind, on_every_storage};
use crate::support::{App, bearer, session};

/// Returns a request of Ann to an operation, with the credential that the operation requires.
fn request(method: &str, path: &str, operation: &Value) -> RequestBuilder {
    let method: Method = method.to_ascii_uppercase().parse().unwrap();
    let path = fill_template(path);
    if scope(operation).is_some() { bearer("ann-full", method, &path) } else { session("ann", method, &path) }
}

on_every_storage! {
    async fn every_body_is_checked_for_type_size_json_and_fields(kind: StorageKind) {
        let app = App::with_api(kind, FamilyApiBuilder::without_session_write_limit).await;
        let before = app.snapshot().await;
        let document = document(&app).await;
        let large = format!(r#"{{"title":"{}"}}"#, "x".repeat(1_280 * 1024));
        for (method, path, operation) in operations(&document) {
            let Some(body) = operation.get("requestBody") else { continue };
            let context = format!("{method} {path}");
            let accepted: Vec<&str> = body["content"].as_object().unwrap().keys().map(String::as_str).collect();
            let send = async |media_type: &str, body: &str| {
                let request = request(&method, &path, operation).add_header("content-type", media_type, true);
                app.send(request.body(body.to_owned())).await
            };
            for media_type in ["text/plain", "application/x-www-form-urlencoded", "application/merge-patch+json"] {
                if !accepted.contains(&media_type) {
                    send(media_type, "{}").await.assert_problem(415, "unsupported_media_type");
                }
            }
            for media_type in accepted {
                send(media_type, "{").await.assert_problem(400, "invalid_json");
                send(media_type, &large).await.assert_problem(413, "payload_too_large");
                let pointers = send(media_type, r#"{"familyId":"tal"}"#).await.error_pointers();
                assert!(pointers.iter().any(|pointer| pointer == "/familyId"), "{context}: {pointers:?}");
                assert_eq!(send(media_type, "[]").await.error_pointers(), [""], "{context}");
            }
        }
        assert_eq!(app.snapshot().await, before);
    }
}
