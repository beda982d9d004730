//! The changes since a state (HTTP reference, "Changes").

use std::sync::Arc;

use family_api_core::resource::ResourceKind;
use family_api_core::storage::Capabilities;
use family_api_testing::line;
use salvo::http::Method;
use serde_json::{Value, json};

use crate::fault_sweep::{Fault, FaultInjection, assert_cause_is_hidden};
use crate::openapi::{assert_each_component_is_used, assert_references_resolve, document, operations};
use crate::storages::{OnStorage, StorageKind, load, on_every_storage};
use crate::support::{App, TestResponse, bearer, fixture, session};

const CHANGES: &str = "/api/v1/changes";

async fn get(app: &App, key: &str, query: &str) -> TestResponse {
    app.send_with_token(key, Method::GET, &format!("{CHANGES}{query}")).await
}

/// Returns the state that a read of a resource names.
async fn state(app: &App, key: &str) -> String {
    let read = app.send_with_token(key, Method::GET, "/api/v1/read/notes").await;
    read.assert_ok().header("family-state").unwrap().to_owned()
}

/// Returns the changes of a user since a state.
async fn since(app: &App, key: &str, state: &str) -> Value {
    let changes = get(app, key, &format!("?since={state}")).await.assert_ok().json();
    assert_eq!(changes["oldState"], state);
    changes
}

/// Returns the kind and the id of each entry.
fn entries(list: &Value) -> Vec<(&str, &str)> {
    let entries = list.as_array().unwrap().iter();
    entries.map(|entry| (entry["kind"].as_str().unwrap(), entry["id"].as_str().unwrap())).collect()
}

/// Writes in the session of a user.
async fn write(app: &App, user: &str, method: Method, path: &str, body: &Value) -> Value {
    let response = app.send(session(user, method, path).raw_json(body.to_string())).await;
    assert!(response.status < 300, "{path}: {response:?}");
    response.json()
}

async fn delete(app: &App, user: &str, path: &str) {
    app.send_in_session(user, Method::DELETE, path).await.assert_ok();
}

on_every_storage! {
    async fn each_read_names_the_state_from_which_its_reader_continues(app: App) {
        let current = get(&app, "ann-read", "").await;
        let current = current.assert_ok().json();
        let text = current["newState"].as_str().unwrap();
        let expected = json!({ "oldState": null, "newState": text, "hasMore": false, "changed": [], "deleted": [] });
        assert_eq!(current, expected);
        for base in ["/api/v1/read", "/api/mcp/read"] {
            for resource in ["tasks", "events?from=2026-11-20&to=2026-11-20&expand=true", "shopping", "notes", "task_stats"] {
                for method in [Method::GET, Method::HEAD] {
                    let path = format!("{base}/{resource}");
                    let read = app.send_with_token("ann-read", method.clone(), &path).await;
                    assert_eq!((read.status, read.header("family-state")), (200, Some(text)), "{path}");
                    let tag = read.header("etag").unwrap();
                    let again = bearer("ann-read", method, &path).add_header("if-none-match", tag, true);
                    let again = app.send(again).await;
                    assert_eq!((again.status, again.header("family-state")), (304, Some(text)), "{path}");
                }
            }
        }
        let unchanged = since(&app, "ann-read", text).await;
        assert_eq!(unchanged, json!({ "oldState": text, "newState": text, "hasMore": false, "changed": [], "deleted": [] }));
        let head = app.send_with_token("ann-read", Method::HEAD, CHANGES).await;
        assert_eq!((head.status, head.text().as_str()), (200, ""));
        for (key, path) in [("ann-read", CHANGES), ("ann-read", "/api/v1/tasks"), ("ann-read", "/api/v1/read/overview")] {
            assert_eq!(app.send_with_token(key, Method::GET, path).await.assert_ok().header("family-state"), None, "{path}");
        }
    }

    async fn a_follower_gets_each_change_once_with_the_present_record(app: App) {
        let first = state(&app, "ann-read").await;
        // The third write changes nothing.
        for title in ["Mop", "Polish", "Polish"] {
            write(&app, "ann", Method::PATCH, "/api/tasks/task-berg", &json!({ "title": title })).await;
        }
        delete(&app, "ann", "/api/notes/note-berg").await;
        let list = write(&app, "ann", Method::POST, "/api/shopping-lists", &json!({ "name": "Market" })).await;
        let gone = write(&app, "ann", Method::POST, "/api/notes", &json!({ "title": "Gone" })).await;
        let gone = gone["id"].as_str().unwrap();
        delete(&app, "ann", &format!("/api/notes/{gone}")).await;

        let changes = since(&app, "ann-read", &first).await;
        let list = list["id"].as_str().unwrap();
        assert_eq!(entries(&changes["changed"]), [("shopping_list", list), ("task", "task-berg")], "{changes}");
        let mut deleted = [("note", "note-berg"), ("note", gone)];
        deleted.sort_unstable();
        assert_eq!(entries(&changes["deleted"]), deleted, "{changes}");
        let task = app.send_with_token("ann-read", Method::GET, "/api/v1/tasks/task-berg").await.json();
        assert_eq!(changes["changed"][1]["record"], task);
        assert_eq!((&changes["changed"][0]["record"]["items"], &changes["hasMore"]), (&json!([]), &json!(false)));

        let second = changes["newState"].as_str().unwrap();
        assert_eq!(since(&app, "ann-rw", second).await["changed"], json!([]));
        app.send_in_session("ann", Method::POST, "/api/notes/note-berg/restore").await.assert_ok();
        let restored = since(&app, "ann-rw", second).await;
        assert_eq!((entries(&restored["changed"]), &restored["deleted"]), (vec![("note", "note-berg")], &json!([])));
        assert_eq!(restored["newState"], *state(&app, "ann-full").await);
        assert_eq!(entries(&since(&app, "ann-read", &first).await["deleted"]), [("note", gone)]);
    }

    async fn a_limit_ends_with_a_whole_write_and_kinds_select_records(app: App) {
        let first = state(&app, "ann-read").await;
        for title in ["a", "b", "c"] {
            write(&app, "ann", Method::PATCH, "/api/tasks/task-berg", &json!({ "title": title })).await;
            write(&app, "ann", Method::PATCH, "/api/notes/note-berg", &json!({ "title": title })).await;
        }
        let mut state = first.clone();
        let mut kinds = Vec::new();
        loop {
            let page = get(&app, "ann-read", &format!("?limit=1&since={state}")).await.assert_ok().json();
            kinds.extend(entries(&page["changed"]).into_iter().map(|(kind, _)| kind.to_owned()));
            page["newState"].as_str().unwrap().clone_into(&mut state);
            if page["hasMore"] == false {
                break;
            }
        }
        assert_eq!(kinds, ["task", "note", "task", "note", "task", "note"]);
        for (selected, found) in [
            ("note", vec![("note", "note-berg")]),
            ("event,board", vec![]),
            ("task,note", vec![("task", "task-berg"), ("note", "note-berg")]),
        ] {
            let query = format!("?since={first}&kinds={selected}");
            let changes = get(&app, "ann-read", &query).await.assert_ok().json();
            assert_eq!(entries(&changes["changed"]), found, "{selected}");
            // The next state has these kinds, and no others.
            let narrow = changes["newState"].as_str().unwrap();
            write(&app, "ann", Method::PATCH, "/api/tasks/task-berg", &json!({ "title": selected })).await;
            let next = since(&app, "ann-read", narrow).await;
            assert_eq!(entries(&next["changed"]).len(), usize::from(selected.contains("task")), "{selected}");
            let wider = get(&app, "ann-read", &format!("?since={narrow}&kinds=shopping_item")).await;
            wider.assert_problem(410, "sync_expired");
        }
        let narrow = get(&app, "ann-read", "?kinds=note").await.json()["newState"].as_str().unwrap().to_owned();
        get(&app, "ann-read", &format!("?since={narrow}&kinds=task")).await.assert_problem(410, "sync_expired");
        get(&app, "ann-read", &format!("?since={narrow}&kinds=note")).await.assert_ok();
    }

    async fn a_response_ends_before_a_write_with_which_it_would_be_too_large(app: App) {
        let first = state(&app, "ann-read").await;
        // Each character of the content is escaped with six bytes.
        let note = json!({ "title": "Long", "content": "\u{1}".repeat(200_000) });
        for _ in 0..5 {
            write(&app, "ann", Method::POST, "/api/notes", &note).await;
        }
        let (mut state, mut notes) = (first, Vec::new());
        loop {
            let page = get(&app, "ann-read", &format!("?since={state}")).await;
            assert!(page.body.len() < 4 * 1024 * 1024 + 1_000, "{}", page.body.len());
            let page = page.assert_ok().json();
            notes.push(entries(&page["changed"]).len());
            page["newState"].as_str().unwrap().clone_into(&mut state);
            if page["hasMore"] == false {
                break;
            }
        }
        assert!(notes.len() > 1 && notes.iter().sum::<usize>() == 5, "{notes:?}");
    }

    async fn a_private_record_of_another_member_never_appears(kind: StorageKind) {
        let (storage, _location) = fixture::seeded(kind).await;
        // Only an import makes an item private.
        let item = line!("shoppingItem", "hidden", {
            "familyId": "berg", "listId": "list-berg", "name": "secret of bob", "isPrivate": true, "addedById": "bob",
        });
        load(&*storage, [item]).await;
        let app = App::with_storage(storage);
        let first = state(&app, "ann-read").await;
        let as_bob = async |method, path: &str, body: Value| {
            write(&app, "bob", method, path, &body).await["id"].as_str().unwrap().to_owned()
        };
        let private = |name: &str| json!({ name: "secret of bob", "isPrivate": true });
        let board = as_bob(Method::POST, "/api/boards", private("name")).await;
        let column = as_bob(Method::POST, &format!("/api/boards/{board}/columns"), json!({ "name": "secret of bob" })).await;
        let task = json!({ "title": "secret of bob", "columnId": column });
        let on_board = as_bob(Method::POST, "/api/tasks", task).await;
        let task = as_bob(Method::POST, "/api/tasks", private("title")).await;
        let list = as_bob(Method::POST, "/api/shopping-lists", private("name")).await;
        let items = format!("/api/shopping-lists/{list}/items");
        let in_list = as_bob(Method::POST, &items, json!({ "name": "secret of bob", "checked": true })).await;
        as_bob(Method::PATCH, "/api/shopping-items/hidden", json!({ "checked": true })).await;
        as_bob(Method::PATCH, &format!("/api/tasks/{task}"), json!({ "title": "secret of bob, too" })).await;
        as_bob(Method::PATCH, &format!("/api/tasks/{on_board}"), json!({ "priority": "HIGH" })).await;
        delete(&app, "bob", &format!("{items}?checked=true")).await;
        delete(&app, "bob", &format!("/api/tasks/{task}")).await;
        delete(&app, "bob", "/api/shopping-items/hidden").await;
        app.send_in_session("bob", Method::POST, &format!("/api/tasks/{task}/restore")).await.assert_ok();
        // Ann sees this task until it moves to the private board.
        let moved = as_bob(Method::POST, "/api/tasks", json!({ "title": "shared", "columnId": "column-berg" })).await;
        let second = since(&app, "ann-read", &first).await;
        assert_eq!(entries(&second["changed"]), [("task", moved.as_str())], "{second}");
        assert_eq!(second["deleted"], json!([]));
        as_bob(Method::PATCH, &format!("/api/tasks/{moved}"), json!({ "columnId": column })).await;
        as_bob(Method::PATCH, &format!("/api/tasks/{moved}"), json!({ "title": "secret of bob" })).await;

        let third = since(&app, "ann-read", second["newState"].as_str().unwrap()).await;
        assert_eq!((&third["changed"], entries(&third["deleted"])), (&json!([]), vec![("task", moved.as_str())]));
        delete(&app, "bob", &format!("/api/tasks/{moved}")).await;
        let fourth = get(&app, "ann-read", &format!("?since={}", third["newState"].as_str().unwrap())).await;
        let all = get(&app, "ann-read", &format!("?since={first}")).await;
        for (changes, deleted) in [(&fourth, vec![]), (&all, vec![("task", moved.as_str())])] {
            let json = changes.assert_ok().json();
            assert_eq!((&json["changed"], entries(&json["deleted"])), (&json!([]), deleted), "{json}");
            assert_eq!(json["hasMore"], false);
            let hidden = ["secret of bob", &board, &column, &on_board, &task, &list, &in_list, "hidden"];
            assert!(hidden.iter().all(|hidden| !changes.text().contains(*hidden)), "{json}");
        }
    }

    async fn a_state_of_another_user_or_without_all_its_changes_is_expired(kind: StorageKind) {
        let (storage, _location) = fixture::seeded(kind).await;
        let app = App::with_storage(storage.clone());
        write(&app, "bob", Method::PATCH, "/api/users/me", &json!({ "personalApiEnabled": true })).await;
        let state = state(&app, "ann-read").await;
        let mut bodies = Vec::new();
        let cut = &state[1..];
        for (key, state) in [("bob-rw", state.as_str()), ("eve-rw", &state), ("ann-read", "x"), ("ann-read", cut)] {
            let request = bearer(key, Method::GET, &format!("{CHANGES}?since={state}"));
            let expired = app.send(request.add_header("x-request-id", "same", true)).await;
            expired.assert_problem(410, "sync_expired");
            for (name, value) in [("retry-after", None), ("cache-control", Some("private, no-cache"))] {
                assert_eq!(expired.header(name), value, "{name}");
            }
            bodies.push(expired.text());
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1, "{bodies:?}");
        since(&app, "ann-read", &state).await;

        // An import is no write of the API, also if a write follows it.
        load(&*storage, [line!("note", "imported", { "familyId": "berg", "title": "N" })]).await;
        get(&app, "ann-read", &format!("?since={state}")).await.assert_problem(410, "sync_expired");
        write(&app, "ann", Method::PATCH, "/api/notes/note-berg", &json!({ "title": "other" })).await;
        get(&app, "ann-read", &format!("?since={state}")).await.assert_problem(410, "sync_expired");
        let current = get(&app, "ann-read", "").await.json();
        write(&app, "ann", Method::PATCH, "/api/notes/note-berg", &json!({ "title": "again" })).await;
        let changes = since(&app, "ann-read", current["newState"].as_str().unwrap()).await;
        assert_eq!(entries(&changes["changed"]), [("note", "note-berg")]);
    }

    async fn changes_need_one_storage_call_and_none_if_there_are_none(kind: StorageKind) {
        let (inner, _location) = fixture::seeded(kind).await;
        let storage = Arc::new(FaultInjection::new(inner));
        let app = App::with_storage(storage.clone());
        let state = state(&app, "ann-read").await;
        let path = format!("{CHANGES}?since={state}");
        storage.set_fault(None);
        get(&app, "ann-read", &format!("?since={state}")).await.assert_ok();
        get(&app, "ann-read", "").await.assert_ok();
        // One call each finds the key.
        assert_eq!(storage.calls(), 2);
        write(&app, "ann", Method::PATCH, "/api/notes/note-berg", &json!({ "title": "other" })).await;
        for (fault, status, code) in [
            (Fault::Unavailable, 503, "unavailable"),
            (Fault::Corrupt, 500, "internal"),
            (Fault::Backend, 500, "internal"),
            (Fault::Panic, 500, "internal"),
        ] {
            storage.set_fault(Some((2, fault)));
            let refused = app.send_with_token("ann-read", Method::GET, &path).await;
            assert_cause_is_hidden(refused.assert_problem(status, code));
        }
        storage.set_fault(None);
        assert_eq!(entries(&since(&app, "ann-read", &state).await["changed"]), [("note", "note-berg")]);
        assert_eq!(storage.calls(), 2);
    }
}

#[tokio::test]
async fn a_wrong_parameter_is_named() {
    let app = App::on(StorageKind::Memory).await;
    for (query, parameter) in [
        ("since=", "since"),
        ("since=a&since=a", "since"),
        ("kinds=", "kinds"),
        ("kinds=tasks", "kinds"),
        ("kinds=task,", "kinds"),
        ("kinds=task&kinds=note", "kinds"),
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("limit=x", "limit"),
        ("cursor=x", "cursor"),
        ("completed=all", "completed"),
    ] {
        let refused = get(&app, "ann-read", &format!("?{query}")).await;
        let detail = refused.assert_problem(400, "invalid_query").json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(&format!("`{parameter}`")), "{query}: {detail}");
    }
    let too_long = "x".repeat(201);
    get(&app, "ann-read", &format!("?since={too_long}")).await.assert_problem(400, "invalid_query");
}

#[tokio::test]
async fn an_app_without_changes_has_neither_the_route_nor_the_states() {
    let storage = FaultInjection::in_memory().await.with_capabilities(Capabilities::all());
    let app = App::with_storage(Arc::new(storage));
    get(&app, "ann-read", "").await.assert_problem(404, "not_found");
    let read = app.send_with_token("ann-read", Method::GET, "/api/v1/read/notes").await;
    assert_eq!(read.assert_ok().header("family-state"), None);
    let document = document(&app).await;
    assert!(operations(&document).iter().all(|(_, path, _)| path != CHANGES));
    for absent in ["Family-State", "sync_expired", "ChangedRecord"] {
        assert!(!document.to_string().contains(absent), "{absent}");
    }
}

#[tokio::test]
async fn changes_have_only_the_kinds_of_records_that_the_app_keeps() {
    let capabilities = Capabilities::all().without_resource(ResourceKind::Shopping).with_changes();
    let app = App::with_storage(Arc::new(FaultInjection::in_memory().await.with_capabilities(capabilities)));
    get(&app, "ann-read", "?kinds=task,shopping_item").await.assert_problem(400, "invalid_query");
    let first = state(&app, "ann-read").await;
    get(&app, "ann-read", &format!("?since={first}&kinds=shopping_list")).await.assert_problem(400, "invalid_query");
    get(&app, "ann-read", &format!("?since={first}&kinds=task,note,event,board,column,note_category"))
        .await
        .assert_ok();
    let document = document(&app).await;
    assert_references_resolve(&document, &document);
    assert_each_component_is_used(&document);
    let schemas = document["components"]["schemas"].as_object().unwrap();
    assert!(schemas.keys().all(|name| !name.contains("Shopping")), "{:?}", schemas.keys());
    let kept = json!(["task", "note", "event", "board", "column", "note_category"]);
    for schema in ["ChangedRecord", "DeletedRecordId"] {
        assert_eq!(schemas[schema]["properties"]["kind"]["examples"], kept, "{schema}");
    }
    let records = schemas["ChangedRecord"]["properties"]["record"]["anyOf"].as_array().unwrap();
    assert_eq!(records.len(), 6, "{records:?}");
}
