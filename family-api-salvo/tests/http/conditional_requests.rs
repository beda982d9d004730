//! `If-None-Match` gets 304 for unchanged documents, and `If-Match` prevents lost updates (HTTP reference,
//! "Conditional requests").

use salvo::http::Method;
use salvo::test::RequestBuilder;

use crate::storages::on_every_storage;
use crate::support::{App, TestResponse, bearer};

const RESOURCES: [&str; 8] = [
    "tasks",
    "tasks?completed=all",
    "events",
    "events?from=2026-11-20",
    "events?from=2026-11-20&to=2026-11-20&expand=true",
    "shopping",
    "notes",
    "task_stats",
];

fn read(resource: &str) -> RequestBuilder {
    bearer("ann-read", Method::GET, &format!("/api/v1/read/{resource}"))
}

fn etag(response: &TestResponse) -> String {
    response.header("etag").unwrap_or_else(|| panic!("no ETag: {response:?}")).to_owned()
}

fn patch(path: &str, condition: &str, body: &'static str) -> RequestBuilder {
    bearer("ann-rw", Method::PATCH, path).add_header("if-match", condition, true).raw_json(body)
}

on_every_storage! {
    async fn every_read_has_its_own_strong_etag(app: App) {
        let mut seen = std::collections::BTreeSet::new();
        for resource in RESOURCES {
            let response = app.send(read(resource)).await;
            let tag = etag(&response);
            assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 20, "{tag}");
            assert!(seen.insert(tag.clone()), "{resource}");
            assert_eq!(response.assert_ok().header("cache-control"), Some("private, no-cache"));
            for path in [format!("/api/v1/read/{resource}"), format!("/api/mcp/read/{resource}")] {
                let again = app.send(bearer("ann-read", Method::GET, &path)).await;
                assert_eq!((again.header("etag"), &again.body), (Some(tag.as_str()), &response.body), "{path}");
            }
        }
    }

    async fn current_etag_gets_304_without_a_body(app: App) {
        for resource in RESOURCES {
            let first = app.send(read(resource)).await;
            let tag = etag(&first);
            for condition in [tag.clone(), format!("\"a\", W/{tag}"), "*".to_owned()] {
                for method in [Method::GET, Method::HEAD] {
                    let path = format!("/api/mcp/read/{resource}");
                    let request = bearer("ann-read", method, &path).add_header("if-none-match", &condition, true);
                    let response = app.send(request).await;
                    assert_eq!((response.status, response.body.len()), (304, 0), "{resource} {condition}");
                    assert_eq!(response.header("etag"), Some(tag.as_str()));
                    for name in ["cache-control", "x-request-id", "ratelimit"] {
                        assert!(response.header(name).is_some(), "{name}");
                    }
                    assert_eq!(response.vary_headers(), ["Authorization", "Accept-Encoding"]);
                    for name in ["content-type", "content-length"] {
                        assert_eq!(response.header(name), None, "{name}");
                    }
                }
            }
            for condition in ["\"a\"", "a", ""] {
                let response = app.send(read(resource).add_header("if-none-match", condition, true)).await;
                assert_eq!((response.status, &response.body), (200, &first.body), "{resource} {condition}");
            }
        }
    }

    async fn visible_change_changes_the_etag(app: App) {
        let notes = app.send(read("notes")).await;
        app.send(patch("/api/v1/notes/note-berg", "*", r#"{"title":"other"}"#)).await;
        let known = etag(&notes);
        let response = app.send(read("notes").add_header("if-none-match", &known, true)).await;
        assert_eq!(response.status, 200);
        assert_ne!((etag(&response), &response.body), (known, &notes.body));
    }

    async fn scope_and_query_are_checked_before_the_etag(app: App) {
        for (key, path, status) in [
            ("ann-none", "/api/v1/read/notes", 401),
            ("ann-read", "/api/v1/read/recipes", 404),
            ("ann-read", "/api/v1/read/events?from=x", 400),
        ] {
            let request = bearer(key, Method::GET, path).add_header("if-none-match", "*", true);
            assert_eq!(app.send(request).await.status, status, "{path}");
        }
    }

    async fn write_checks_if_match_and_returns_the_new_etag(app: App) {
        for (path, body, other) in [
            ("/api/v1/tasks/task-berg", r#"{"title":"one"}"#, r#"{"title":"two"}"#),
            ("/api/v1/notes/note-berg", r#"{"title":"one"}"#, r#"{"title":"two"}"#),
        ] {
            let first = app.send(patch(path, "*", body)).await;
            assert_eq!(first.status, 200);
            let current = etag(&first);
            for no_new_value in ["{}", body] {
                let unchanged = app.send(patch(path, &current, no_new_value)).await;
                assert_eq!((unchanged.status, &unchanged.body, etag(&unchanged)), (200, &first.body, current.clone()));
            }

            let second = app.send(patch(path, &format!("\"a\" , {current}"), other)).await;
            assert_eq!(second.status, 200);
            assert_ne!(etag(&second), current);
            for stale in [current.as_str(), "\"a\"", &format!("W/{}", etag(&second)), "", "x"] {
                for body in [body, other, "{}"] {
                    app.send(patch(path, stale, body)).await.assert_problem(412, "precondition_failed");
                }
            }
            for no_new_value in ["{}", other] {
                let kept = app.send(patch(path, &etag(&second), no_new_value)).await;
                assert_eq!(kept.body, second.body, "{path}");
            }
        }
    }

    async fn repeated_if_match_headers_are_one_list(app: App) {
        let path = "/api/v1/notes/note-berg";
        let current = etag(&app.send(patch(path, "*", "{}")).await);
        let request = bearer("ann-rw", Method::PATCH, path).add_header("if-match", "\"a\"", false);
        let request = request.add_header("if-match", &current, false).raw_json("{}");
        assert_eq!(app.send(request).await.status, 200);
    }
}
