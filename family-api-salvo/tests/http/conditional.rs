//! Unchanged documents are not sent again, and `If-Match` prevents lost updates (HTTP reference, "Conditional
//! requests").

use salvo::http::Method;
use salvo::test::RequestBuilder;

use crate::storages::on_every_storage;
use crate::support::{Answer, App, bearer, session};

const RESOURCES: [&str; 7] =
    ["tasks", "tasks?completed=all", "events", "events?from=2026-11-20", "shopping", "notes", "task_stats"];

fn read(resource: &str) -> RequestBuilder {
    bearer("ann-read", Method::GET, &format!("/api/v1/read/{resource}"))
}

fn tag(answer: &Answer) -> String {
    answer.header("etag").unwrap_or_else(|| panic!("no tag: {answer:?}")).to_owned()
}

fn patch(path: &str, condition: &str, body: &'static str) -> RequestBuilder {
    bearer("ann-rw", Method::PATCH, path).add_header("if-match", condition, true).raw_json(body)
}

on_every_storage! {
    async fn every_read_has_its_own_strong_etag(app: App) {
        let mut seen = std::collections::BTreeSet::new();
        for resource in RESOURCES {
            let answer = app.send(read(resource)).await;
            let tag = tag(&answer);
            assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 20, "{tag}");
            assert!(seen.insert(tag.clone()), "{resource}");
            for path in [format!("/api/v1/read/{resource}"), format!("/api/mcp/read/{resource}")] {
                let again = app.send(bearer("ann-read", Method::GET, &path)).await;
                assert_eq!((again.header("etag"), &again.body), (Some(tag.as_str()), &answer.body), "{path}");
            }
        }
    }

    async fn default_task_filter_returns_the_same_document(app: App) {
        let answers = [app.send(read("tasks")).await, app.send(read("tasks?completed=false")).await];
        assert_eq!((answers[0].is_ok().header("etag"), &answers[0].body), (answers[1].header("etag"), &answers[1].body));
    }

    async fn current_copy_gets_304_without_a_body(app: App) {
        for resource in RESOURCES {
            let first = app.send(read(resource)).await;
            let tag = tag(&first);
            for condition in [tag.clone(), format!("\"a\", W/{tag}"), "*".to_owned()] {
                for method in [Method::GET, Method::HEAD] {
                    let path = format!("/api/mcp/read/{resource}");
                    let request = bearer("ann-read", method, &path).add_header("if-none-match", &condition, true);
                    let answer = app.send(request).await;
                    assert_eq!((answer.status, answer.body.len()), (304, 0), "{resource} {condition}");
                    assert_eq!(answer.header("etag"), Some(tag.as_str()));
                    for name in ["cache-control", "x-request-id", "ratelimit"] {
                        assert!(answer.header(name).is_some(), "{name}");
                    }
                    assert_eq!(answer.varies(), ["Authorization", "Accept-Encoding"]);
                    for name in ["content-type", "content-length"] {
                        assert_eq!(answer.header(name), None, "{name}");
                    }
                }
            }
            for condition in ["\"a\"", "a", ""] {
                let answer = app.send(read(resource).add_header("if-none-match", condition, true)).await;
                assert_eq!((answer.status, &answer.body), (200, &first.body), "{resource} {condition}");
            }
        }
    }

    async fn visible_change_changes_the_etag(app: App) {
        let notes = app.send(read("notes")).await;
        app.send(patch("/api/v1/notes/note-berg", "*", r#"{"title":"other"}"#)).await;
        let known = tag(&notes);
        let answer = app.send(read("notes").add_header("if-none-match", &known, true)).await;
        assert_eq!(answer.status, 200);
        assert_ne!((tag(&answer), &answer.body), (known, &notes.body));
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
            let current = tag(&first);
            let unchanged = app.send(patch(path, &current, "{}")).await;
            assert_eq!((unchanged.status, tag(&unchanged)), (200, current.clone()));

            let second = app.send(patch(path, &format!("\"a\" , {current}"), other)).await;
            assert_eq!(second.status, 200);
            assert_ne!(tag(&second), current);
            for stale in [current.as_str(), "\"a\"", &format!("W/{}", tag(&second)), "", "x"] {
                for body in [body, "{}"] {
                    app.send(patch(path, stale, body)).await.is(412, "precondition_failed");
                }
            }
            let kept = app.send(patch(path, &tag(&second), "{}")).await;
            assert_eq!(kept.body, second.body, "{path}");
        }
    }

    async fn repeated_if_match_headers_are_one_list(app: App) {
        let path = "/api/v1/notes/note-berg";
        let current = tag(&app.send(patch(path, "*", "{}")).await);
        let request = bearer("ann-rw", Method::PATCH, path).add_header("if-match", "\"a\"", false);
        let request = request.add_header("if-match", &current, false).raw_json("{}");
        assert_eq!(app.send(request).await.status, 200);
    }

    async fn delete_checks_if_match(app: App) {
        let path = "/api/v1/notes/note-berg";
        let current = tag(&app.send(patch(path, "*", r#"{"title":"x"}"#)).await);
        let delete = |condition: &str| {
            bearer("ann-rw", Method::DELETE, path).add_header("if-match", condition, true)
        };
        app.send(delete("\"a\"")).await.is(412, "precondition_failed");
        assert_eq!(app.send(delete(&current)).await.status, 200);
        for condition in [current.as_str(), "*", "\"a\""] {
            app.send(delete(condition)).await.is(404, "not_found");
        }
    }

    async fn if_match_is_checked_after_the_record_and_before_references(app: App) {
        let path = "/api/v1/tasks/task-berg";
        let stale = "\"a\"";
        app.send(patch("/api/v1/tasks/none", stale, "{}")).await.is(404, "not_found");
        app.send(patch(path, stale, r#"{"title":7}"#)).await.is(422, "invalid_field");
        app.send(patch(path, stale, r#"{"assigneeId":"nobody"}"#)).await.is(412, "precondition_failed");
        app.send(patch(path, "*", r#"{"assigneeId":"nobody"}"#)).await.is(404, "not_found");
    }

    async fn session_writes_check_if_match(app: App) {
        let path = "/api/tasks/task-berg";
        let ask = |condition: &str, body: &'static str| {
            session("ann", Method::PATCH, path).add_header("if-match", condition, true).raw_json(body)
        };
        let current = tag(&app.send(ask("*", r#"{"title":"mine"}"#)).await);
        app.send(ask("\"a\"", r#"{"title":"yours"}"#)).await.is(412, "precondition_failed");
        let by_token = app.send(patch("/api/v1/tasks/task-berg", &current, "{}")).await;
        assert_eq!((by_token.status, tag(&by_token)), (200, current));
    }
}
