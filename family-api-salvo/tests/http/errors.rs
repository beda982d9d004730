//! Every row of the error table over HTTP: status, code, headers and body.
//!
//! 500 and 503 are in `faults.rs`, 412 in `conditional.rs`, and 429 in `rate_limit.rs`.

use salvo::http::Method;

use crate::storages::on_every_storage;
use crate::support::{Answer, App, anonymous, bearer, session, token};

const V1_ME: &str = "/api/v1/me";
const V1_TASK: &str = "/api/v1/tasks/task-berg";
const KEYS: &str = "/api/users/me/mcp-tokens";

/// Asserts the headers of every response on bearer routes.
#[track_caller]
fn private_to_a_token(answer: &Answer, challenge: Option<&str>) {
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    assert_eq!(answer.header("vary"), Some("Authorization"));
    assert_eq!(answer.header("www-authenticate"), challenge);
    assert_eq!(answer.header("set-cookie"), None);
}

/// Asserts the headers of every response on session routes.
#[track_caller]
fn private_to_a_session(answer: &Answer) {
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    assert_eq!(answer.header("vary"), Some("Cookie"));
    assert_eq!(answer.header("www-authenticate"), None);
}

const REALM: &str = r#"Bearer realm="family-api""#;
const INVALID: &str = r#"Bearer realm="family-api", error="invalid_token""#;

on_every_storage! {
    async fn no_credentials_is_missing_token(app: App) {
        for path in [V1_ME, "/api/mcp/read/notes"] {
            for header in [None, Some("Basic YTpi"), Some("Bearer"), Some("Bearer "), Some("")] {
                let request = anonymous(Method::GET, path);
                let request = match header {
                    Some(header) => request.add_header("authorization", header, true),
                    None => request,
                };
                let answer = app.send(request).await;
                private_to_a_token(answer.is(401, "missing_token"), Some(REALM));
            }
        }
    }

    async fn token_in_query_or_cookie_is_ignored(app: App) {
        let query = format!("{V1_ME}?access_token={}", token("ann-rw"));
        app.send(anonymous(Method::GET, &query)).await.is(401, "missing_token");
        app.in_session("ann", Method::GET, V1_ME).await.is(401, "missing_token");
    }

    async fn all_invalid_tokens_get_the_same_response(app: App) {
        let mut bodies = Vec::new();
        let long = "x".repeat(513);
        let mistyped = "fam_3yZe7d4vUv9mEHJ1tQXsvAcKQ5CC7CFTGjFjJzYrc1qGXEdbvWh";
        let texts = [
            "nobody".to_owned(), token("ann-revoked"), token("ann-expired"), long,
            mistyped.to_owned(), "two words".to_owned(),
        ];
        for path in [V1_ME, "/api/mcp/read/notes"] {
            for text in &texts {
                let request = anonymous(Method::GET, path).bearer_auth(text).add_header("x-request-id", "same", true);
                let answer = app.send(request).await;
                private_to_a_token(answer.is(401, "invalid_token"), Some(INVALID));
                bodies.push(answer.text());
            }
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1, "{bodies:?}");
    }

    async fn two_authorization_headers_are_invalid_token(app: App) {
        let request = bearer("ann-rw", Method::GET, V1_ME).add_header("authorization", "Bearer x", false);
        private_to_a_token(app.send(request).await.is(401, "invalid_token"), Some(INVALID));
    }

    async fn disabled_personal_api_blocks_v1_but_not_the_read_path(app: App) {
        for (method, path) in [(Method::GET, V1_ME), (Method::PATCH, V1_TASK), (Method::DELETE, "/api/v1/notes/x")] {
            let answer = app.with_token("bob-rw", method, path).await;
            private_to_a_token(answer.is(401, "api_disabled"), Some(INVALID));
        }
        app.with_token("bob-rw", Method::GET, "/api/mcp/read/notes").await.is_ok();
    }

    async fn user_without_a_family_has_no_token_access(app: App) {
        for path in [V1_ME, "/api/mcp/read/notes"] {
            let answer = app.with_token("cid-rw", Method::GET, path).await;
            private_to_a_token(answer.is(401, "no_family"), Some(INVALID));
        }
    }

    async fn challenge_names_the_missing_scope(app: App) {
        for (key, method, path, scope) in [
            ("ann-none", Method::GET, "/api/mcp/read/notes", "mcp.read"),
            ("ann-mcp", Method::GET, V1_ME, "v1.read"),
            ("ann-mcp", Method::GET, "/api/v1/read/notes", "v1.read"),
            ("ann-read", Method::PATCH, V1_TASK, "v1.tasks.write"),
            ("ann-tasks", Method::PATCH, "/api/v1/notes/note-berg", "v1.notes.write"),
            ("ann-tasks", Method::DELETE, "/api/v1/notes/note-berg", "v1.notes.write"),
        ] {
            let answer = app.with_token(key, method, path).await;
            let challenge = format!(r#"{REALM}, error="insufficient_scope", scope="{scope}""#);
            private_to_a_token(answer.is(401, "insufficient_scope"), Some(&challenge));
        }
    }

    async fn not_signed_in_has_no_challenge(app: App) {
        for (method, path) in [
            (Method::GET, "/api/users/me"), (Method::PATCH, "/api/users/me"), (Method::GET, KEYS),
            (Method::POST, KEYS), (Method::DELETE, "/api/users/me/mcp-tokens/ann-rw"),
            (Method::PATCH, "/api/tasks/task-berg"), (Method::PATCH, "/api/notes/note-berg"),
            (Method::DELETE, "/api/notes/note-berg"),
        ] {
            for request in [
                anonymous(method.clone(), path),
                bearer("ann-rw", method.clone(), path),
                session("nobody", method.clone(), path),
            ] {
                private_to_a_session(app.send(request).await.is(401, "not_signed_in"));
            }
        }
    }

    async fn invalid_query_is_refused(app: App) {
        for query in [
            "events?from=2026-02-30", "events?to=x", "events?from=2026-11-21&to=2026-11-20",
            "events?from=2026-11-20&from=2026-11-20", "events?to=2026-11-20T00:00:00Z", "events?from=",
            "tasks?completed=False", "tasks?completed=false&completed=false", "tasks?completed=true&completed=all", "tasks?completed",
        ] {
            for base in ["/api/v1/read", "/api/mcp/read"] {
                let answer = app.with_token("ann-read", Method::GET, &format!("{base}/{query}")).await;
                private_to_a_token(answer.is(400, "invalid_query"), None);
            }
        }
        app.with_token("ann-read", Method::GET, "/api/v1/read/notes?from=x&completed=x").await.is_ok();
    }

    async fn body_that_is_not_json_is_refused(app: App) {
        let answer = app.write_with_token("ann-rw", Method::PATCH, V1_TASK, "{").await;
        private_to_a_token(answer.is(400, "invalid_json"), None);
        private_to_a_session(app.write_in_session("ann", Method::POST, KEYS, "").await.is(400, "invalid_json"));
    }

    async fn personal_api_key_requires_the_personal_api(app: App) {
        for mode in ["v1_read", "v1_read_write"] {
            let body = format!(r#"{{"mode":"{mode}"}}"#);
            private_to_a_session(app.write_in_session("bob", Method::POST, KEYS, body).await.is(403, "api_disabled"));
        }
        let answer = app.write_in_session("bob", Method::POST, KEYS, r#"{"mode":"mcp_read"}"#).await;
        assert_eq!(answer.status, 201);
    }

    async fn cross_site_write_is_refused(app: App) {
        let request = session("ann", Method::DELETE, "/api/notes/note-berg");
        let answer = app.send(request.add_header("sec-fetch-site", "cross-site", true)).await;
        private_to_a_session(answer.is(403, "cross_site_request"));
    }

    async fn missing_and_foreign_records_get_the_same_response(app: App) {
        for (method, template) in [
            (Method::PATCH, "/api/v1/tasks/{}"), (Method::PATCH, "/api/v1/notes/{}"),
            (Method::DELETE, "/api/v1/notes/{}"),
        ] {
            let mut bodies = Vec::new();
            for id in ["task-tal", "note-tal", "nothing", "no%20id", "%FF", "%zz", "x%00", &"x".repeat(65)] {
                let request = bearer("ann-rw", method.clone(), &template.replace("{}", id));
                let request = if method == Method::DELETE { request } else { request.raw_json("{}") };
                let answer = app.send(request.add_header("x-request-id", "same", true)).await;
                private_to_a_token(answer.is(404, "not_found"), None);
                bodies.push(answer.text());
            }
            bodies.dedup();
            assert_eq!(bodies.len(), 1, "{bodies:?}");
        }
        app.with_token("ann-read", Method::GET, "/api/v1/read/recipes").await.is(404, "not_found");
        let answer = app.in_session("ann", Method::DELETE, "/api/users/me/mcp-tokens/eve-rw").await;
        private_to_a_session(answer.is(404, "not_found"));
    }

    async fn missing_record_in_a_body_is_not_found(app: App) {
        for id in ["column-tal", "nothing", "no id", ""] {
            let body = format!(r#"{{"columnId":"{id}"}}"#);
            app.write_with_token("ann-rw", Method::PATCH, V1_TASK, body).await.is(404, "not_found");
        }
        let body = r#"{"categoryId":"category-tal"}"#;
        app.write_with_token("ann-rw", Method::PATCH, "/api/v1/notes/note-berg", body).await.is(404, "not_found");
    }

    async fn unsupported_method_gets_allow(app: App) {
        for (path, allow) in [
            (V1_ME, "GET, HEAD"), ("/api/v1/read/notes", "GET, HEAD"), (V1_TASK, "PATCH"),
            ("/api/v1/notes/note-berg", "PATCH, DELETE"), ("/api/mcp/read/notes", "GET, HEAD"),
        ] {
            let answer = app.with_token("ann-rw", Method::PUT, path).await;
            private_to_a_token(answer.is(405, "method_not_allowed"), None);
            assert_eq!(answer.header("allow"), Some(allow), "{path}");
        }
        for (path, allow) in [
            ("/api/users/me", "GET, HEAD, PATCH"), (KEYS, "POST, GET, HEAD"),
            ("/api/users/me/mcp-tokens/x", "DELETE"), ("/api/tasks/x", "PATCH"), ("/api/notes/x", "PATCH, DELETE"),
        ] {
            let answer = app.in_session("ann", Method::PUT, path).await;
            private_to_a_session(answer.is(405, "method_not_allowed"));
            assert_eq!(answer.header("allow"), Some(allow), "{path}");
        }
    }

    async fn key_above_the_limit_is_a_conflict(app: App) {
        let create = || app.write_in_session("eve", Method::POST, KEYS, r#"{"mode":"mcp_read"}"#);
        for _ in 1..12 {
            assert_eq!(create().await.status, 201);
        }
        private_to_a_session(create().await.is(409, "key_limit_reached"));
    }

    async fn body_above_the_limit_is_too_large(app: App) {
        let body = format!(r#"{{"title":"{}"}}"#, "x".repeat(256 * 1024));
        let answer = app.write_with_token("ann-rw", Method::PATCH, V1_TASK, body).await;
        private_to_a_token(answer.is(413, "payload_too_large"), None);
    }

    async fn other_media_type_is_unsupported(app: App) {
        let request = bearer("ann-rw", Method::PATCH, V1_TASK).text("{}");
        private_to_a_token(app.send(request).await.is(415, "unsupported_media_type"), None);
    }

    async fn body_with_many_errors_gets_a_small_response(app: App) {
        let ones = format!(r#"{{"labels":[{}]}}"#, vec!["1"; 131_000].join(","));
        let answer = app.write_with_token("ann-rw", Method::PATCH, V1_TASK, ones).await;
        assert_eq!(answer.pointers(), ["/labels"]);
        let members: Vec<String> = (0..20_000).map(|number| format!(r#""{number}":0"#)).collect();
        let unknown = format!("{{{}}}", members.join(","));
        for (method, path) in [
            (Method::PATCH, "/api/tasks/task-berg"), (Method::PATCH, "/api/notes/note-berg"),
            (Method::PATCH, "/api/users/me"), (Method::POST, KEYS),
        ] {
            let answer = app.write_in_session("ann", method.clone(), path, unknown.clone()).await;
            assert_eq!(answer.pointers().len(), 50, "{path}");
            assert_eq!(answer.json()["errorCount"], 20_000 + u32::from(method == Method::POST), "{path}");
        }
    }

    async fn all_errors_of_a_body_are_listed(app: App) {
        let body = r#"{"title":" ","priority":"ASAP","labels":["a","",7],"a/b~c":1,"completed":null}"#;
        let answer = app.write_with_token("ann-rw", Method::PATCH, V1_TASK, body).await;
        private_to_a_token(answer.is(422, "invalid_field"), None);
        let mut pointers = answer.pointers();
        pointers.sort();
        assert_eq!(pointers, ["/a~1b~0c", "/completed", "/labels/1", "/labels/2", "/priority", "/title"]);
        assert_eq!(answer.json()["detail"], "The request body has 6 invalid fields.");
        assert_eq!(answer.json()["errorCount"], 6);
        let answer = app.write_in_session("ann", Method::POST, KEYS, "{}").await;
        private_to_a_session(&answer);
        assert_eq!(answer.pointers(), ["/mode"]);
        assert_eq!(app.write_in_session("ann", Method::POST, KEYS, "[]").await.pointers(), [""]);
    }

    async fn rules_on_the_record_are_field_errors_too(app: App) {
        let body = r#"{"isPrivate":true,"assigneeId":"bob"}"#;
        let answer = app.write_with_token("ann-rw", Method::PATCH, V1_TASK, body).await;
        assert_eq!(answer.pointers(), ["/assigneeId"]);
    }
}
