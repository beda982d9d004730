//! Creates, changes, deletes and restores records of every kind, with a token and in a session.

use family_api_salvo::FamilyRoutes;
use salvo::Router;
use salvo::http::Method;
use salvo::test::RequestBuilder;
use serde_json::{Value, json};

use crate::storages::on_every_storage;
use crate::support::{App, CookieAuthenticator, NOW, TestResponse, bearer, session};

/// The path of a collection below `/api/v1`, the path of a record, a new record and a change.
const RECORDS: [(&str, &str, &str, &str); 4] = [
    ("/tasks", "/tasks/", r#"{"title":"Mop"}"#, r#"{"title":"Dust"}"#),
    ("/notes", "/notes/", r#"{"title":"Bins"}"#, r#"{"title":"Keys"}"#),
    (
        "/events",
        "/events/",
        r#"{"title":"Choir","startDate":"2026-12-01T18:00:00Z","endDate":"2026-12-01T19:00:00Z"}"#,
        r#"{"location":"Hall"}"#,
    ),
    ("/shopping-lists/list-berg/items", "/shopping-items/", r#"{"name":"Bread"}"#, r#"{"checked":true}"#),
];

/// The same for the records that contain others. The change is another name.
const CONTAINERS: [(&str, &str, &str); 4] = [
    ("/boards", "/boards/", r#"{"name":"Trips"}"#),
    ("/boards/board-berg/columns", "/columns/", r#"{"name":"Later"}"#),
    ("/shopping-lists", "/shopping-lists/", r#"{"name":"Pharmacy"}"#),
    ("/note-categories", "/note-categories/", r#"{"name":"Recipes"}"#),
];

/// A request with the key `ann-full` below `/api/v1`, or in the session of Ann below `/api`.
fn request(base: &str, method: Method, path: &str) -> RequestBuilder {
    let path = format!("{base}{path}");
    if base == "/api/v1" { bearer("ann-full", method, &path) } else { session("ann", method, &path) }
}

fn create(base: &str, collection: &str, body: &str, key: Option<&str>) -> RequestBuilder {
    let request = request(base, Method::POST, collection).raw_json(body);
    if let Some(key) = key { request.add_header("idempotency-key", key, true) } else { request }
}

/// Asserts a 201, and returns the record.
#[track_caller]
fn assert_created(response: &TestResponse, record_path: &str) -> Value {
    assert_eq!((response.status, response.header("cache-control")), (201, Some("no-store")), "{response:?}");
    let record = response.json();
    let path = format!("{record_path}{}", record["id"].as_str().unwrap());
    assert_eq!(response.header("location"), Some(path.as_str()));
    assert!(response.header("etag").is_some(), "{response:?}");
    record
}

on_every_storage! {
    async fn a_record_is_created_changed_deleted_and_restored(app: App) {
        for base in ["/api/v1", "/api"] {
            for (collection, path, new, change) in RECORDS {
                let created = app.send(create(base, collection, new, None)).await;
                let record = assert_created(&created, &format!("{base}{path}"));
                let location = format!("{path}{}", record["id"].as_str().unwrap());
                assert_eq!(record["createdAt"], NOW, "{base}{location}");

                let tag = created.header("etag").unwrap();
                let patch = request(base, Method::PATCH, &location).add_header("if-match", tag, true);
                let changed = app.send(patch.raw_json(change)).await;
                assert_ne!(changed.assert_ok().json(), record, "{base}{location}");
                let patch = request(base, Method::PATCH, &location).raw_json(r#"{"sequence":9}"#);
                assert_eq!(app.send(patch).await.error_pointers(), ["/sequence"], "{base}{location}");

                let delete = || request(base, Method::DELETE, &location);
                app.send(delete().add_header("if-match", tag, true)).await.assert_problem(412, "precondition_failed");
                let deleted = app.send(delete()).await;
                assert_eq!(deleted.assert_ok().json(), json!({ "success": true, "id": record["id"] }));
                app.send(delete()).await.assert_problem(404, "not_found");
                let patch = request(base, Method::PATCH, &location).raw_json(change);
                app.send(patch).await.assert_problem(404, "not_found");

                let mut expected = changed.json();
                if let Some(sequence) = expected.get_mut("sequence") {
                    assert_eq!((&record["sequence"], &*sequence), (&json!(0), &json!(1)), "{base}{location}");
                    *sequence = json!(2);
                }
                for _ in 0..2 {
                    let restored = app.send(request(base, Method::POST, &format!("{location}/restore"))).await;
                    assert_eq!(restored.assert_ok().json(), expected, "{base}{location}");
                    let is_unchanged = expected == changed.json();
                    assert_eq!(restored.header("etag") == changed.header("etag"), is_unchanged);
                    let patch = request(base, Method::PATCH, &location).raw_json("{}");
                    let patch = patch.add_header("if-match", restored.header("etag").unwrap(), true);
                    assert_eq!(app.send(patch).await.assert_ok().json(), restored.json(), "{base}{location}");
                }
            }
        }
    }

    async fn a_write_says_what_is_special_about_its_times(app: App) {
        // The clock skips and repeats these times in Oslo, the zone of Ann.
        let skipped = r#""startDate":"2026-03-29T02:30""#;
        let foreign = r#""endDate":"2026-12-24T18:00:00+02:00""#;
        let new = format!(r#"{{"title":"T",{skipped},{foreign}}}"#);
        for base in ["/api/v1", "/api"] {
            let notice = |response: &TestResponse| response.header("family-api-notice").map(str::to_owned);
            let created = app.send(create(base, "/events", &new, None)).await;
            assert_eq!(notice(&created).as_deref(), Some("startDate=skipped, endDate=foreign_offset"), "{created:?}");
            let event = created.json();
            assert_eq!(event["startDate"], "2026-03-29T01:30:00.000Z");
            assert_eq!(event["endDate"], "2026-12-24T16:00:00.000Z");
            let location = format!("/events/{}", event["id"].as_str().unwrap());
            for (body, expected) in [
                (r#"{"endDate":"2026-12-24T18:00+01:00"}"#, None),
                (r#"{"startDate":"2026-10-25T02:30"}"#, Some("startDate=repeated")),
                (r#"{"title":"U"}"#, None),
            ] {
                let changed = app.send(request(base, Method::PATCH, &location).raw_json(body)).await;
                assert_eq!(notice(changed.assert_ok()).as_deref(), expected, "{body}");
            }
            let task = app.send(create(base, "/tasks", r#"{"title":"T","dueDate":"2026-03-29T02:30"}"#, None)).await;
            assert_eq!(notice(&task).as_deref(), Some("dueDate=skipped"), "{task:?}");
            assert_eq!(task.json()["dueDate"], "2026-03-29T01:30:00.000Z");
        }
    }

    async fn location_is_below_the_prefix_of_the_host(app: App) {
        let app = app.with_routes(|api| {
            let family = FamilyRoutes::new(api).session(CookieAuthenticator).into_router();
            Router::new().push(Router::with_path("home/{name}").push(family))
        });
        for prefix in ["/home/x", "/home/x%20y", "/home/%C3%B1", "/h%6fme/tasks"] {
            for (collection, path, new, change) in RECORDS {
                // Percent-encoding is allowed in the id of the list.
                let collection = collection.replace("list-berg", "list%2Dberg");
                let post = bearer("ann-full", Method::POST, &format!("{prefix}/api/v1{collection}")).raw_json(new);
                let created = app.send(post).await;
                assert_created(&created, &format!("{prefix}/api/v1{path}"));
                let location = created.header("location").unwrap();
                app.send(bearer("ann-full", Method::PATCH, location).raw_json(change)).await.assert_ok();
            }
        }
    }

    async fn a_container_is_created_changed_and_deleted(app: App) {
        for base in ["/api/v1", "/api"] {
            for (collection, path, new) in CONTAINERS {
                let created = app.send(create(base, collection, new, None)).await;
                let record = assert_created(&created, &format!("{base}{path}"));
                for nested in ["columns", "tasks", "items"] {
                    assert!(record.get(nested).is_none_or(|list| *list == json!([])), "{record}");
                }
                let location = format!("{path}{}", record["id"].as_str().unwrap());
                let patch = request(base, Method::PATCH, &location).raw_json(r#"{"name":"Other"}"#);
                let patch = patch.add_header("if-match", created.header("etag").unwrap(), true);
                let changed = app.send(patch).await;
                assert_eq!(changed.assert_ok().json()["name"], "Other");
                let delete = |of: &TestResponse| {
                    request(base, Method::DELETE, &location).add_header("if-match", of.header("etag").unwrap(), true)
                };
                app.send(delete(&created)).await.assert_problem(412, "precondition_failed");
                app.send(delete(&changed)).await.assert_ok();
                app.send(request(base, Method::DELETE, &location)).await.assert_problem(404, "not_found");
                let restore = request(base, Method::POST, &format!("{location}/restore"));
                assert_eq!(app.send(restore).await.status, 404);
            }
        }
    }

    async fn checked_items_are_deleted_together_and_restored(app: App) {
        let items = "/shopping-lists/list-berg/items";
        let bread = app.send(create("/api/v1", items, r#"{"name":"Bread"}"#, None)).await.json();
        for query in ["", "?checked=false", "?checked", "?checked=true&checked=true"] {
            let request = request("/api/v1", Method::DELETE, &format!("{items}{query}"));
            app.send(request).await.assert_problem(400, "invalid_query");
        }
        for expected in [json!(["item-berg"]), json!([])] {
            let deleted = app.send(request("/api/v1", Method::DELETE, &format!("{items}?checked=true"))).await;
            assert_eq!(deleted.assert_ok().json(), json!({ "success": true, "ids": expected }));
        }
        let rest = app.read("shopping").await[0]["items"].clone();
        assert_eq!(rest, json!([bread]));
        app.send(request("/api", Method::POST, "/shopping-items/item-berg/restore")).await.assert_ok();
        for list in ["list-tal", "none", "no%20id"] {
            let path = format!("/shopping-lists/{list}/items?checked=true");
            app.send(request("/api/v1", Method::DELETE, &path)).await.assert_problem(404, "not_found");
        }
    }

    async fn a_repeated_creation_answers_as_the_first(app: App) {
        for base in ["/api/v1", "/api"] {
            for (collection, path, new, change) in RECORDS {
                let key = format!("{base}{collection}");
                let first = app.send(create(base, collection, new, Some(&key))).await;
                let record = assert_created(&first, &format!("{base}{path}"));
                let again = app.send(create(base, collection, &format!(" {new} "), Some(&key))).await;
                assert_eq!(assert_created(&again, &format!("{base}{path}")), record);
                assert_eq!(again.header("etag"), first.header("etag"));

                let path = format!("{path}{}", record["id"].as_str().unwrap());
                let changed = app.send(request(base, Method::PATCH, &path).raw_json(change)).await.assert_ok().json();
                assert_eq!(app.send(create(base, collection, new, Some(&key))).await.json(), changed);
                app.send(request(base, Method::DELETE, &path)).await.assert_ok();
                app.send(create(base, collection, new, Some(&key))).await.assert_problem(404, "not_found");
            }
        }
    }

    async fn a_key_of_another_creation_is_a_mismatch(app: App) {
        let first = app.send(create("/api/v1", "/tasks", r#"{"title":"one"}"#, Some("k"))).await;
        assert_eq!(first.status, 201);
        let before = app.snapshot().await;
        for (collection, body) in [
            ("/tasks", r#"{"title":"two"}"#),
            // A field that is left out is not the same as its default.
            ("/tasks", r#"{"title":"one","completed":false}"#),
            ("/notes", r#"{"title":"one"}"#),
            ("/shopping-lists/list-berg/items", r#"{"name":"one"}"#),
        ] {
            app.send(create("/api/v1", collection, body, Some("k"))).await.assert_problem(422, "idempotency_mismatch");
        }
        assert_eq!(app.snapshot().await, before);
        // Keys belong to a user.
        let other = session("bob", Method::POST, "/api/tasks").raw_json(r#"{"title":"two"}"#);
        assert_eq!(app.send(other.add_header("idempotency-key", "k", true)).await.status, 201);
    }

    async fn an_invalid_idempotency_key_is_refused_before_the_body(app: App) {
        let before = app.snapshot().await;
        for key in ["", " ", "a b", &"x".repeat(256), "é"] {
            for body in ["{", r#"{"title":"x"}"#] {
                let request = create("/api/v1", "/tasks", body, Some(key));
                app.send(request).await.assert_problem(400, "invalid_idempotency_key");
            }
        }
        let twice = create("/api/v1", "/tasks", r#"{"title":"x"}"#, Some("a"));
        let twice = twice.add_header("idempotency-key", "a", false);
        app.send(twice).await.assert_problem(400, "invalid_idempotency_key");
        assert_eq!(app.snapshot().await, before);
        assert_eq!(app.send(create("/api/v1", "/tasks", r#"{"title":"x"}"#, Some(&"~".repeat(255)))).await.status, 201);
    }
}
