//! Every error code over HTTP: status, headers and body.
//!
//! 500 and 503 are tested in `fault_sweep` and `log.rs`, 412 in `conditional_requests.rs`, and 429 in
//! `rate_limit.rs`.

use salvo::http::Method;

use crate::storages::on_every_storage;
use crate::support::{App, TestResponse, anonymous, bearer, session, token};

const V1_ME: &str = "/api/v1/me";
const V1_TASK: &str = "/api/v1/tasks/task-berg";
const KEYS: &str = "/api/users/me/mcp-tokens";

/// Asserts the headers of every response on bearer routes.
#[track_caller]
fn assert_bearer_headers(response: &TestResponse, challenge: Option<&str>) {
    assert_eq!(response.header("cache-control"), Some("private, no-cache"));
    assert_eq!(response.header("vary"), Some("Authorization"));
    assert_eq!(response.header("www-authenticate"), challenge);
    assert_eq!(response.header("set-cookie"), None);
}

/// Asserts the headers of every response on session routes.
#[track_caller]
pub(crate) fn assert_session_headers(response: &TestResponse) {
    assert_eq!(response.header("cache-control"), Some("private, no-cache"));
    assert_eq!(response.header("vary"), Some("Cookie"));
    assert_eq!(response.header("www-authenticate"), None);
}

const REALM: &str = r#"Bearer realm="family-api""#;
const INVALID: &str = r#"Bearer realm="family-api", error="invalid_token""#;

on_every_storage! {
    async fn request_without_a_token_gets_missing_token(app: App) {
        let in_the_query = format!("{V1_ME}?access_token={}", token("ann-rw"));
        for path in [V1_ME, "/api/mcp/read/notes", &in_the_query] {
            for header in [None, Some("Basic YTpi"), Some("Bearer"), Some("Bearer "), Some("")] {
                let request = anonymous(Method::GET, path);
                let request = match header {
                    Some(header) => request.add_header("authorization", header, true),
                    None => request,
                };
                let response = app.send(request).await;
                assert_bearer_headers(response.assert_problem(401, "missing_token"), Some(REALM));
            }
        }
    }

    async fn all_invalid_tokens_get_the_same_response(app: App) {
        let mut bodies = Vec::new();
        let long = "x".repeat(513);
        let mistyped = "fam_3yZe7d4vUv9mEHJ1tQXsvAcKQ5CC7CFTGjFjJzYrc1qGXEdbvWh";
        let texts = [
            "nobody".to_owned(),
            token("ann-revoked"),
            token("ann-expired"),
            long,
            mistyped.to_owned(),
            "two words".to_owned(),
        ];
        for path in [V1_ME, "/api/mcp/read/notes"] {
            for text in &texts {
                // A cookie does not make an invalid token valid.
                let request = session("ann", Method::GET, path).bearer_auth(text);
                let request = request.add_header("x-request-id", "same", true);
                let response = app.send(request).await;
                assert_bearer_headers(response.assert_problem(401, "invalid_token"), Some(INVALID));
                bodies.push(response.text());
            }
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1, "{bodies:?}");
    }

    async fn keys_without_api_or_family_get_invalid_token_challenge(app: App) {
        for (key, method, path, code) in [
            ("bob-rw", Method::GET, V1_ME, "api_disabled"),
            ("bob-rw", Method::PATCH, V1_TASK, "api_disabled"),
            ("cid-rw", Method::GET, V1_ME, "no_family"),
            ("cid-rw", Method::GET, "/api/mcp/read/notes", "no_family"),
        ] {
            let response = app.send_with_token(key, method, path).await;
            assert_bearer_headers(response.assert_problem(401, code), Some(INVALID));
        }
    }

    async fn refused_requests_have_all_headers(app: App) {
        let large = format!(r#"{{"title":"{}"}}"#, "x".repeat(1_280 * 1024));
        for (request, status, code) in [
            (bearer("ann-rw", Method::PATCH, V1_TASK).raw_json("{"), 400, "invalid_json"),
            (bearer("ann-rw", Method::PATCH, V1_TASK).raw_json(large), 413, "payload_too_large"),
            (bearer("ann-rw", Method::PATCH, V1_TASK).text("{}"), 415, "unsupported_media_type"),
            (bearer("ann-rw", Method::PATCH, V1_TASK).raw_json(r#"{"columnId":""}"#), 404, "not_found"),
            (bearer("ann-rw", Method::PATCH, V1_TASK).raw_json(r#"{"columnId":"no id"}"#), 404, "not_found"),
            (bearer("ann-rw", Method::PUT, V1_ME), 405, "method_not_allowed"),
        ] {
            assert_bearer_headers(app.send(request).await.assert_problem(status, code), None);
        }
        let foreign = session("ann", Method::DELETE, "/api/notes/note-berg");
        for (request, status, code) in [
            (session("ann", Method::POST, KEYS).raw_json(""), 400, "invalid_json"),
            (foreign.add_header("sec-fetch-site", "cross-site", true), 403, "cross_site_request"),
            (session("ann", Method::PUT, "/api/users/me"), 405, "method_not_allowed"),
        ] {
            assert_session_headers(app.send(request).await.assert_problem(status, code));
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
            let response = app.send_with_token(key, method, path).await;
            let challenge = format!(r#"{REALM}, error="insufficient_scope", scope="{scope}""#);
            assert_bearer_headers(response.assert_problem(401, "insufficient_scope"), Some(&challenge));
        }
    }

    async fn invalid_query_is_refused(app: App) {
        for query in ["events?from=2026-02-30", "events?expand=true", "tasks?completed=True", "tasks?completed"] {
            for base in ["/api/v1/read", "/api/mcp/read"] {
                let response = app.send_with_token("ann-read", Method::GET, &format!("{base}/{query}")).await;
                assert_bearer_headers(response.assert_problem(400, "invalid_query"), None);
            }
        }
        app.send_with_token("ann-read", Method::GET, "/api/v1/read/notes?from=x&completed=x").await.assert_ok();
        app.send_with_token("ann-read", Method::GET, "/api/v1/read/recipes?from=x").await.assert_problem(404, "not_found");
    }

    async fn missing_and_foreign_records_get_the_same_response(app: App) {
        for (method, template) in [
            (Method::PATCH, "/api/v1/tasks/{}"),
            (Method::PATCH, "/api/v1/notes/{}"),
            (Method::DELETE, "/api/v1/notes/{}"),
        ] {
            let mut bodies = Vec::new();
            let foreign = ["task-tal", "note-tal", "nothing", &"x".repeat(65), "no%20id", "..%2Ftask-berg"];
            let invalid = ["%", "%z", "%zz", "%FF", "%C3", "%00", "task-berg%", "task-berg%20", "task%2Fberg"];
            for id in foreign.into_iter().chain(invalid) {
                let request = bearer("ann-rw", method.clone(), &template.replace("{}", id));
                let request = if method == Method::DELETE { request } else { request.raw_json("{}") };
                let response = app.send(request.add_header("x-request-id", "same", true)).await;
                assert_bearer_headers(response.assert_problem(404, "not_found"), None);
                bodies.push(response.text());
            }
            bodies.dedup();
            assert_eq!(bodies.len(), 1, "{bodies:?}");
        }
        let response = app.send_in_session("ann", Method::DELETE, "/api/users/me/mcp-tokens/eve-rw").await;
        assert_session_headers(response.assert_problem(404, "not_found"));
    }

    async fn unknown_resource_gets_404_with_the_names_of_all(app: App) {
        let names = "tasks, events, shopping, notes, task_stats, overview";
        for path in ["/api/v1/read/recipes", "/api/mcp/read/task-berg", "/api/v1/read/Tasks"] {
            let response = app.send_with_token("ann-read", Method::GET, path).await;
            assert_bearer_headers(response.assert_problem(404, "not_found"), None);
            let detail = format!("No route has this path. The resources are: {names}.");
            assert_eq!(response.json()["detail"], detail.as_str(), "{path}");
        }
    }

    async fn key_above_the_limit_gets_409(app: App) {
        let create = || app.send_json_in_session("eve", Method::POST, KEYS, r#"{"mode":"mcp_read"}"#);
        // Eve has two keys already.
        for _ in 2..12 {
            assert_eq!(create().await.status, 201);
        }
        assert_session_headers(create().await.assert_problem(409, "key_limit_reached"));
    }

    async fn all_errors_of_a_body_are_listed(app: App) {
        let body = r#"{"title":" ","priority":"ASAP","labels":["a","",7],"a/b~c":1,"completed":null}"#;
        let response = app.send_json_with_token("ann-rw", Method::PATCH, V1_TASK, body).await;
        assert_bearer_headers(response.assert_problem(422, "invalid_field"), None);
        let mut pointers = response.error_pointers();
        pointers.sort();
        assert_eq!(pointers, ["/a~1b~0c", "/completed", "/labels/1", "/labels/2", "/priority", "/title"]);
        assert_eq!(response.json()["detail"], "The request body has 6 invalid fields.");
        assert_eq!(response.json()["errorCount"], 6);
        let response = app.send_json_in_session("ann", Method::POST, KEYS, "{}").await;
        assert_session_headers(&response);
        assert_eq!(response.error_pointers(), ["/mode"]);
        assert_eq!(app.send_json_in_session("ann", Method::POST, KEYS, "[]").await.error_pointers(), [""]);
    }
}
