//! Rules that hold for every documented operation. The operations come from the OpenAPI document, so a new route is
//! tested too.

use std::collections::BTreeSet;

use salvo::http::Method;
use salvo::test::RequestBuilder;
use serde_json::{Value, json};

use crate::openapi::{OPERATIONS, document, operations, scope};
use crate::openapi_conformance::fill_template;
use crate::storages::{StorageKind, on_every_storage};
use crate::support::{App, anonymous, bearer, session};

const KEYS: &str = "/api/users/me/mcp-tokens";

/// Returns a request of Ann to an operation, with the credential that the operation requires.
fn request(method: &str, path: &str, operation: &Value) -> RequestBuilder {
    let method: Method = method.to_ascii_uppercase().parse().unwrap();
    let path = fill_template(path);
    if scope(operation).is_some() { bearer("ann-full", method, &path) } else { session("ann", method, &path) }
}

on_every_storage! {
    async fn keys_of_the_three_old_modes_lack_every_new_scope(app: App) {
        let before = app.snapshot().await;
        let document = document(&app).await;
        let mut refused = BTreeSet::new();
        for mode in ["mcp_read", "v1_read", "v1_read_write"] {
            let body = json!({ "mode": mode }).to_string();
            let key = app.send_json_in_session("ann", Method::POST, KEYS, body).await.json();
            for (method, path, operation) in operations(&document) {
                let Some(scope) = scope(operation) else { continue };
                if key["scopes"].as_array().unwrap().contains(&json!(scope)) {
                    continue;
                }
                let request = anonymous(method.to_ascii_uppercase().parse().unwrap(), &fill_template(&path));
                // The body is invalid: the scope is checked first.
                let response = app.send(request.bearer_auth(key["token"].as_str().unwrap()).raw_json("{")).await;
                response.assert_problem(401, "insufficient_scope");
                let challenge = response.header("www-authenticate").unwrap();
                assert!(challenge.ends_with(&format!(r#"scope="{scope}""#)), "{mode} {method} {path}: {challenge}");
                if mode == "v1_read_write" {
                    refused.insert((method, path, scope));
                }
            }
        }
        let new_scopes = ["v1.tasks.manage", "v1.notes.manage", "v1.events.write", "v1.shopping.write"];
        let expected = OPERATIONS.into_iter().filter_map(|(method, path, scope)| {
            let scope = scope.filter(|scope| new_scopes.contains(scope))?;
            Some((method.to_owned(), path.to_owned(), scope))
        });
        assert_eq!(refused, expected.collect());
        assert_eq!(refused.len(), 15);
        assert_eq!(app.snapshot().await, before);
    }

    async fn every_write_in_a_session_refuses_other_sites(app: App) {
        let before = app.snapshot().await;
        let document = document(&app).await;
        let mut writes = 0;
        for (method, path, operation) in operations(&document) {
            if method == "get" || operation["security"].pointer("/0/session").is_none() {
                continue;
            }
            for (name, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")] {
                let request = request(&method, &path, operation).add_header(name, value, true);
                app.send(request.raw_json("{}")).await.assert_problem(403, "cross_site_request");
            }
            let method: Method = method.to_ascii_uppercase().parse().unwrap();
            app.send(anonymous(method, &fill_template(&path))).await.assert_problem(401, "not_signed_in");
            writes += 1;
        }
        assert!(writes >= 30, "{writes}");
        assert_eq!(app.snapshot().await, before);
    }

    async fn every_body_is_checked_for_type_size_json_and_fields(kind: StorageKind) {
        let app = App::without_write_limit(kind).await;
        let before = app.snapshot().await;
        let document = document(&app).await;
        let large = format!(r#"{{"title":"{}"}}"#, "x".repeat(256 * 1024));
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
