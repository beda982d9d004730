//! The order of checks (HTTP reference, "Order of checks"), as far as the access matrix does not show it.

use salvo::http::Method;

use crate::storages::on_every_storage;
use crate::support::{App, bearer, session};

/// A body that is not valid JSON.
const BAD_BODY: &str = "{";

on_every_storage! {
    async fn patch_checks_scope_type_size_json_fields_record_in_order(app: App) {
        let path = "/api/v1/tasks/nothing";
        let large = "x".repeat(1_280 * 1024 + 1);
        let plain = |key: &str| bearer(key, Method::PATCH, path).add_header("content-type", "text/plain", true);
        app.send(plain("ann-read").body(large.clone())).await.assert_problem(401, "insufficient_scope");
        app.send(plain("ann-rw").body(large.clone())).await.assert_problem(415, "unsupported_media_type");
        let json = async |body: &str| app.send_json_with_token("ann-rw", Method::PATCH, path, body).await;
        json(&large).await.assert_problem(413, "payload_too_large");
        json(BAD_BODY).await.assert_problem(400, "invalid_json");
        json(r#"{"title":""}"#).await.assert_problem(422, "invalid_field");
        json(r#"{"columnId":"nothing"}"#).await.assert_problem(404, "not_found");
    }

    async fn invalid_id_is_checked_after_the_body(app: App) {
        for path in ["/api/v1/tasks/no%20id", "/api/v1/notes/no%20id"] {
            app.send_json_with_token("ann-rw", Method::PATCH, path, BAD_BODY).await.assert_problem(400, "invalid_json");
            app.send_json_with_token("ann-rw", Method::PATCH, path, r#"{"x":1}"#)
                .await
                .assert_problem(422, "invalid_field");
            app.send_json_with_token("ann-rw", Method::PATCH, path, "{}").await.assert_problem(404, "not_found");
        }
    }

    async fn session_is_checked_before_site_and_site_before_method(app: App) {
        for (method, path) in [
            (Method::POST, "/api/users/me/mcp-tokens"),
            (Method::PATCH, "/api/users/me"),
            (Method::PUT, "/api/users/me"),
            (Method::DELETE, "/api/tasks/task-berg"),
        ] {
            let foreign = |user| {
                let request = session(user, method.clone(), path).add_header("sec-fetch-site", "same-site", true);
                request.add_header("content-type", "text/plain", true).body(BAD_BODY)
            };
            app.send(foreign("nobody")).await.assert_problem(401, "not_signed_in");
            app.send(foreign("ann")).await.assert_problem(403, "cross_site_request");
        }
        let put = session("ann", Method::PUT, "/api/users/me").text(BAD_BODY);
        app.send(put).await.assert_problem(405, "method_not_allowed");
        let patch = session("ann", Method::PATCH, "/api/users/me").text(BAD_BODY);
        app.send(patch).await.assert_problem(415, "unsupported_media_type");
        app.send_json_in_session("ann", Method::PATCH, "/api/users/me", BAD_BODY)
            .await
            .assert_problem(400, "invalid_json");
    }

    async fn key_fields_are_checked_before_api_switch(app: App) {
        let body = r#"{"mode":"v1_read","name":""}"#;
        let response = app.send_json_in_session("bob", Method::POST, "/api/users/me/mcp-tokens", body).await;
        assert_eq!(response.error_pointers(), ["/name"]);
    }
}
