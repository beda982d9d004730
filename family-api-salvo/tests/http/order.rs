//! The order of checks (HTTP reference, "Order of checks").

use salvo::http::Method;

use crate::storages::on_every_storage;
use crate::support::{App, anonymous, bearer, session};

const UNKNOWN: [&str; 8] = [
    "/api/v1",
    "/api/v1/",
    "/api/v1/recipes",
    "/api/v1/read",
    "/api/v1/read/notes/more",
    "/api/v1/tasks/task-berg/more",
    "/api//v1//me//more",
    "/api/v1/%6De/more",
];

const METHODS: [Method; 7] =
    [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];

/// A body that is not valid JSON.
const BAD_BODY: &str = "{";

on_every_storage! {
    async fn v1_checks_token_then_flag_then_family_first(app: App) {
        for path in UNKNOWN.into_iter().chain(["/api/v1/me", "/api/v1/read/recipes", "/api/v1/tasks/no%20id"]) {
            for method in METHODS {
                let answers = [
                    app.send(anonymous(method.clone(), path)).await,
                    app.with_token("nobody", method.clone(), path).await,
                    app.with_token("bob-rw", method.clone(), path).await,
                    app.with_token("cid-rw", method.clone(), path).await,
                ];
                let codes = ["missing_token", "invalid_token", "api_disabled", "no_family"];
                for (answer, code) in answers.iter().zip(codes) {
                    assert_eq!(answer.status, 401, "{method} {path} {code}");
                    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
                    if method != Method::HEAD {
                        answer.is(401, code);
                    }
                }
            }
        }
    }

    async fn read_path_checks_the_same_except_the_flag(app: App) {
        for path in ["/api/mcp", "/api/mcp/", "/api/mcp/read", "/api/mcp/tasks/x", "/api/mcp/read/notes/more"] {
            for method in METHODS {
                assert_eq!(app.send(anonymous(method.clone(), path)).await.status, 401, "{method} {path}");
                assert_eq!(app.with_token("cid-rw", method.clone(), path).await.status, 401, "{method} {path}");
                assert_eq!(app.with_token("bob-rw", method.clone(), path).await.status, 404, "{method} {path}");
            }
        }
    }

    async fn unknown_path_needs_no_scope_and_supports_no_method(app: App) {
        for path in UNKNOWN {
            for method in METHODS {
                let answer = app.with_token("ann-none", method.clone(), path).await;
                assert_eq!(answer.status, 404, "{method} {path}");
                if method != Method::HEAD {
                    answer.is(404, "not_found");
                }
            }
        }
    }

    async fn method_is_checked_before_the_scope(app: App) {
        app.with_token("ann-none", Method::PUT, "/api/v1/tasks/task-berg").await.is(405, "method_not_allowed");
        app.with_token("ann-none", Method::POST, "/api/v1/read/recipes").await.is(405, "method_not_allowed");
    }

    async fn scope_is_checked_before_resource_and_query(app: App) {
        for path in ["/api/v1/read/recipes", "/api/v1/read/events?from=x"] {
            app.with_token("ann-none", Method::GET, path).await.is(401, "insufficient_scope");
        }
        app.with_token("ann-read", Method::GET, "/api/v1/read/recipes?from=x").await.is(404, "not_found");
        app.with_token("ann-read", Method::GET, "/api/v1/read/events?from=x").await.is(400, "invalid_query");
    }

    async fn scope_type_size_json_fields_record_are_checked_in_order(app: App) {
        let path = "/api/v1/tasks/nothing";
        let large = "x".repeat(256 * 1024 + 1);
        let plain = |key: &str| bearer(key, Method::PATCH, path).add_header("content-type", "text/plain", true);
        app.send(plain("ann-read").body(large.clone())).await.is(401, "insufficient_scope");
        app.send(plain("ann-rw").body(large.clone())).await.is(415, "unsupported_media_type");
        let json = async |body: &str| app.write_with_token("ann-rw", Method::PATCH, path, body).await;
        json(&large).await.is(413, "payload_too_large");
        json(BAD_BODY).await.is(400, "invalid_json");
        json(r#"{"title":""}"#).await.is(422, "invalid_field");
        json(r#"{"columnId":"nothing"}"#).await.is(404, "not_found");
    }

    async fn invalid_id_is_checked_after_the_body(app: App) {
        for path in ["/api/v1/tasks/no%20id", "/api/v1/notes/no%20id"] {
            app.write_with_token("ann-rw", Method::PATCH, path, BAD_BODY).await.is(400, "invalid_json");
            app.write_with_token("ann-rw", Method::PATCH, path, r#"{"x":1}"#).await.is(422, "invalid_field");
            app.write_with_token("ann-rw", Method::PATCH, path, "{}").await.is(404, "not_found");
        }
    }

    async fn session_then_site_then_method_are_checked(app: App) {
        for (method, path) in [
            (Method::POST, "/api/users/me/mcp-tokens"), (Method::PATCH, "/api/users/me"),
            (Method::PUT, "/api/users/me"), (Method::DELETE, "/api/tasks/task-berg"),
        ] {
            let foreign = |user| {
                let request = session(user, method.clone(), path).add_header("sec-fetch-site", "same-site", true);
                request.add_header("content-type", "text/plain", true).body(BAD_BODY)
            };
            app.send(foreign("nobody")).await.is(401, "not_signed_in");
            app.send(foreign("ann")).await.is(403, "cross_site_request");
        }
        let put = session("ann", Method::PUT, "/api/users/me").text(BAD_BODY);
        app.send(put).await.is(405, "method_not_allowed");
        let patch = session("ann", Method::PATCH, "/api/users/me").text(BAD_BODY);
        app.send(patch).await.is(415, "unsupported_media_type");
        app.write_in_session("ann", Method::PATCH, "/api/users/me", BAD_BODY).await.is(400, "invalid_json");
    }

    async fn key_field_errors_come_before_flag_and_limit(app: App) {
        let body = r#"{"mode":"v1_read","name":""}"#;
        let answer = app.write_in_session("bob", Method::POST, "/api/users/me/mcp-tokens", body).await;
        assert_eq!(answer.pointers(), ["/name"]);
    }

    async fn without_a_family_the_body_is_checked_before_the_record(app: App) {
        for path in ["/api/tasks/task-berg", "/api/notes/note-berg"] {
            app.write_in_session("cid", Method::PATCH, path, r#"{"x":1}"#).await.is(422, "invalid_field");
            app.write_in_session("cid", Method::PATCH, path, "{}").await.is(404, "not_found");
        }
        app.in_session("cid", Method::DELETE, "/api/notes/note-berg").await.is(404, "not_found");
    }
}
