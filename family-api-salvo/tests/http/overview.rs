//! The overview: one short document for panels and devices with little memory (HTTP reference, "Overview").

use std::sync::Arc;

use family_api_core::ManualClock;
use family_api_core::jiff::SignedDuration;
use family_api_core::resource::ResourceKind;
use family_api_core::storage::Capabilities;
use family_api_testing::line;
use salvo::http::Method;
use serde_json::{Value, json};

use crate::fault_sweep::FaultInjection;
use crate::storages::{OnStorage, StorageKind, load, on_every_storage};
use crate::support::{App, NOW, TestResponse, bearer, fixture};

const V1: &str = "/api/v1/read/overview";
const READ_PATH: &str = "/api/mcp/read/overview";

async fn get(app: &App, key: &str, query: &str) -> TestResponse {
    app.send_with_token(key, Method::GET, &format!("{V1}{query}")).await
}

/// Sends a read with `If-None-Match`.
async fn get_if_changed(app: &App, tag: &str) -> TestResponse {
    app.send(bearer("ann-read", Method::GET, V1).add_header("if-none-match", tag, true)).await
}

fn tag(response: &TestResponse) -> String {
    response.assert_ok().header("etag").unwrap().to_owned()
}

fn ids(overview: &Value, list: &str) -> Vec<String> {
    let items = overview[list]["items"].as_array().unwrap();
    items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

on_every_storage! {
    async fn the_overview_has_a_summary_of_each_kind(app: App) {
        let overview = get(&app, "ann-read", "").await;
        let zone = &app.read("events").await[0]["timeZone"];
        let excerpt = |items: Value| json!({ "total": items.as_array().unwrap().len(), "items": items });
        let expected = json!({
            "me": "ann", "today": "2026-11-20", "lastDay": "2026-11-27", "timeZone": "Europe/Oslo",
            "openTasks": excerpt(json!([{
                "id": "task-berg", "title": "Sweep", "priority": "MEDIUM", "dueDate": null, "localDueDate": null,
                "isOverdue": false, "isPrivate": false, "assignee": null, "columnId": "column-berg",
                "boardName": "Fixture", "columnName": "To do",
            }])),
            "overdueCount": 0,
            "events": excerpt(json!([{
                "id": "event-berg", "occurrenceOf": "event-berg", "title": "Dentist",
                "startDate": "2026-11-24T09:00:00.000Z", "endDate": "2026-11-24T10:00:00.000Z", "allDay": false,
                "timeZone": zone, "localStart": "2026-11-24T10:00:00", "localEnd": "2026-11-24T11:00:00",
                "location": null, "assignee": { "id": "ann", "name": "ann" }, "participants": excerpt(json!([])),
            }])),
            "eventsCut": false,
            "boards": excerpt(json!([{ "id": "board-berg", "name": "Fixture", "isPrivate": false,
                "columns": excerpt(json!([{ "id": "column-berg", "name": "To do", "openCount": 1 }])) }])),
            "shoppingLists": excerpt(json!([{ "id": "list-berg", "name": "Market", "isPrivate": false, "openCount": 0 }])),
            "members": excerpt(json!([{ "id": "ann", "name": "ann" }, { "id": "bob", "name": "bob" }])),
        });
        assert_eq!(overview.assert_ok().json(), expected);
        assert_eq!(overview.header("cache-control"), Some("private, no-cache"));
        assert_eq!(overview.header("vary"), Some("Authorization"));
        let on_read_path = app.send_with_token("ann-mcp", Method::GET, READ_PATH).await;
        assert_eq!(on_read_path.assert_ok().body, overview.body);
        assert_eq!(ids(&get(&app, "eve-rw", "").await.json(), "openTasks"), ["task-tal"]);
    }

    async fn tasks_and_events_are_selected_by_person_and_days(kind: StorageKind) {
        let (storage, _location) = fixture::seeded(kind).await;
        let task = |id: &str, assignee: &str, due: &str| {
            line!("task", id, { "familyId": "berg", "columnId": "column-berg", "title": id, "assigneeId": assignee, "dueDate": due })
        };
        let event = |id: &str, day: &str, assignee: Option<&str>, participants: &[&str]| {
            let (start, end) = (format!("{day}T09:00:00.000Z"), format!("{day}T10:00:00.000Z"));
            line!("event", id, {
                "familyId": "berg", "title": id, "startDate": start, "endDate": end, "assigneeId": assignee,
                "participantIds": participants,
            })
        };
        let records = [
            task("anns", "ann", "2026-11-18T23:00:00.000Z"),
            task("bobs", "bob", "2026-11-24T12:00:00.000Z"),
            event("of-bob", "2026-11-21", Some("bob"), &[]),
            event("of-both", "2026-11-22", None, &["ann", "bob"]),
            event("of-all", "2026-11-23", None, &[]),
            event("later", "2026-12-21", None, &[]),
        ];
        load(&*storage, records).await;
        let app = App::with_storage(storage);
        for (query, tasks, events) in [
            ("", &["anns", "bobs", "task-berg"][..], &["of-bob", "of-both", "of-all", "event-berg"][..]),
            ("?assignee=me", &["anns"], &["of-both", "of-all", "event-berg"]),
            ("?assignee=ann&days=2", &["anns"], &["of-both"]),
            ("?assignee=bob", &["bobs"], &["of-bob", "of-both", "of-all"]),
            ("?assignee=unassigned&days=31", &["task-berg"], &["of-all", "later"]),
            ("?days=0", &["anns", "bobs", "task-berg"], &[]),
            ("?days=1", &["anns", "bobs", "task-berg"], &["of-bob"]),
        ] {
            let overview = get(&app, "ann-read", query).await.assert_ok().json();
            assert_eq!((ids(&overview, "openTasks"), ids(&overview, "events")), (
                tasks.iter().map(ToString::to_string).collect(),
                events.iter().map(ToString::to_string).collect(),
            ), "{query}");
            assert_eq!(overview["boards"]["items"][0]["columns"]["items"][0]["openCount"], 3, "{query}");
            assert_eq!(overview["overdueCount"], u64::from(tasks.contains(&"anns")), "{query}");
        }
    }

    async fn private_records_of_another_member_are_neither_shown_nor_counted(kind: StorageKind) {
        let (storage, _location) = fixture::seeded(kind).await;
        let before = get(&App::with_storage(storage.clone()), "ann-read", "?days=31").await.assert_ok().json();
        let bobs = |kind: &str, id: &str, fields: Value| {
            let mut line = line!(kind, id, { "familyId": "berg", "isPrivate": true });
            line.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            line
        };
        let records = [
            bobs("task", "t", json!({ "title": "secret", "columnId": "column-berg", "creatorId": "bob", "assigneeId": "ann" })),
            bobs("board", "b", json!({ "name": "secret", "ownerUserId": "bob" })),
            line!("column", "c", { "familyId": "berg", "boardId": "b", "name": "secret" }),
            line!("task", "u", { "familyId": "berg", "columnId": "c", "title": "secret", "assigneeId": "ann", "dueDate": NOW }),
            bobs("shoppingItem", "i", json!({ "name": "secret", "listId": "list-berg", "addedById": "bob" })),
            bobs("shoppingList", "l", json!({ "name": "secret", "ownerUserId": "bob" })),
        ];
        load(&*storage, records).await;
        let app = App::with_storage(storage);
        assert_eq!(get(&app, "ann-read", "?days=31").await.assert_ok().json(), before);
        let of_bob = app.send_with_token("bob-rw", Method::GET, READ_PATH).await;
        assert_eq!(of_bob.assert_ok().json()["boards"]["total"], 2);
    }

    async fn an_unchanged_overview_gets_304_until_a_due_date_or_midnight_passes(kind: StorageKind) {
        let clock = ManualClock::new(NOW.parse().unwrap());
        let app = App::with_api(kind, |api| api.clock(clock.clone())).await;
        let due = r#"{"dueDate":"2026-11-20T12:00:00Z","assigneeId":"ann"}"#;
        app.send_json_with_token("ann-rw", Method::PATCH, "/api/v1/tasks/task-berg", due).await.assert_ok();
        let morning = get(&app, "ann-read", "").await;
        let morning_tag = tag(&morning);
        assert_eq!((&morning.json()["today"], &morning.json()["overdueCount"]), (&json!("2026-11-20"), &json!(0)));
        clock.advance(SignedDuration::from_hours(1));
        let unchanged = get_if_changed(&app, &morning_tag).await;
        assert_eq!((unchanged.status, unchanged.text().as_str()), (304, ""));
        assert_eq!(unchanged.header("etag"), Some(morning_tag.as_str()));

        clock.set("2026-11-20T12:00:00.001Z".parse().unwrap());
        let overdue = get_if_changed(&app, &morning_tag).await;
        assert_eq!(overdue.assert_ok().json()["overdueCount"], 1);
        let overdue_tag = tag(&overdue);

        // Midnight in Oslo.
        clock.set("2026-11-20T22:59:59.999Z".parse().unwrap());
        assert_eq!(get_if_changed(&app, &overdue_tag).await.status, 304);
        clock.set("2026-11-20T23:00:00Z".parse().unwrap());
        let tomorrow = get_if_changed(&app, &overdue_tag).await;
        assert_eq!(tomorrow.assert_ok().json()["today"], "2026-11-21");

        let tomorrow_tag = tag(&tomorrow);
        assert_eq!(get_if_changed(&app, &tomorrow_tag).await.status, 304);
        let rename = r#"{"title":"Mop"}"#;
        app.send_json_with_token("ann-rw", Method::PATCH, "/api/v1/tasks/task-berg", rename).await.assert_ok();
        let renamed = get_if_changed(&app, &tomorrow_tag).await;
        assert_eq!(renamed.assert_ok().json()["openTasks"]["items"][0]["title"], "Mop");
    }
}

#[tokio::test]
async fn head_has_the_headers_of_get() {
    let app = App::on(StorageKind::Memory).await;
    let whole = get(&app, "ann-read", "").await;
    let head = app.send_with_token("ann-mcp", Method::HEAD, READ_PATH).await;
    assert_eq!((head.status, head.text().as_str()), (200, ""));
    assert_eq!(head.header("etag"), whole.header("etag"));
}

#[tokio::test]
async fn an_invalid_parameter_is_named() {
    let app = App::on(StorageKind::Memory).await;
    for (query, parameter) in [
        ("?person=me", "person"),
        ("?completed=all", "completed"),
        ("?days=32", "days"),
        ("?days=-1", "days"),
        ("?days=", "days"),
        ("?days=1&days=1", "days"),
        ("?assignee=me&assignee=me", "assignee"),
        ("?assignee=%20", "assignee"),
        ("?assignee=eve", "assignee"),
        ("?assignee=none", "assignee"),
    ] {
        let refused = get(&app, "ann-read", query).await;
        let detail = refused.assert_problem(400, "invalid_query").json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(&format!("`{parameter}`")), "{query}: {detail}");
    }
    let unknown = get(&app, "ann-read", "?x").await.json();
    assert!(unknown["detail"].as_str().unwrap().contains("assignee, days"), "{unknown}");
}

#[tokio::test]
async fn each_path_needs_its_read_scope_and_only_v1_the_personal_api() {
    let app = App::on(StorageKind::Memory).await;
    get(&app, "ann-mcp", "").await.assert_problem(401, "insufficient_scope");
    get(&app, "ann-tasks", "").await.assert_problem(401, "insufficient_scope");
    get(&app, "bob-rw", "").await.assert_problem(401, "api_disabled");
    get(&app, "cid-rw", "").await.assert_problem(401, "no_family");
    let on_read_path = async |key| app.send_with_token(key, Method::GET, READ_PATH).await;
    on_read_path("ann-tasks").await.assert_problem(401, "insufficient_scope");
    on_read_path("bob-rw").await.assert_ok();
}

#[tokio::test]
async fn a_resource_that_the_storage_does_not_keep_is_empty() {
    let app = async |capabilities| {
        App::with_storage(Arc::new(FaultInjection::in_memory().await.with_capabilities(capabilities)))
    };
    let calendar = app(Capabilities::all().without_resource(ResourceKind::Tasks)).await;
    let overview = get(&calendar, "ann-read", "").await.assert_ok().json();
    assert_eq!((&overview["openTasks"]["total"], &overview["boards"]["total"]), (&json!(0), &json!(0)));
    assert_eq!(ids(&overview, "events"), ["event-berg"]);
    let nothing = ResourceKind::ALL.into_iter().fold(Capabilities::reads(), Capabilities::without_resource);
    get(&app(nothing).await, "ann-read", "").await.assert_problem(404, "not_found");
}
