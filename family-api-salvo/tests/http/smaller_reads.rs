//! Members, boards, lists, single records, and pages of tasks and items (HTTP reference, "Single records and lists").

use std::sync::Arc;

use family_api_core::resource::ResourceKind;
use family_api_core::storage::Capabilities;
use family_api_testing::line;
use salvo::http::Method;
use serde_json::{Value, json};

use crate::fault_sweep::FaultInjection;
use crate::storages::{OnStorage, StorageKind, load, on_every_storage};
use crate::support::{App, TestResponse, bearer, fixture};

const RECORDS: [&str; 4] = ["tasks/task", "events/event", "shopping-items/item", "notes/note"];

async fn get(app: &App, key: &str, path: &str) -> TestResponse {
    app.send_with_token(key, Method::GET, &format!("/api/v1/{path}")).await
}

fn ids(page: &Value) -> Vec<&str> {
    page["records"].as_array().unwrap().iter().map(|record| record["id"].as_str().unwrap()).collect()
}

/// Returns the records of a resource: tasks and items without what contains them.
async fn listed(app: &App, resource: &str) -> Vec<Value> {
    let document = app.read(resource).await;
    let contents = |records: &Value, content: &str| -> Vec<Value> {
        records.as_array().unwrap().iter().flat_map(|record| record[content].as_array().unwrap().clone()).collect()
    };
    match resource {
        "tasks" => contents(&contents(&document, "columns").into(), "tasks"),
        "shopping" => contents(&document, "items"),
        _ => document.as_array().unwrap().clone(),
    }
}

on_every_storage! {
    async fn a_single_record_equals_the_listed_one_and_has_the_tag_of_a_write(app: App) {
        for (record, resource) in RECORDS.into_iter().zip(["tasks", "events", "shopping", "notes"]) {
            let path = format!("{record}-berg");
            let found = get(&app, "ann-read", &path).await;
            assert_eq!(found.assert_ok().json(), listed(&app, resource).await[0], "{path}");
            let tag = found.header("etag").unwrap().to_owned();
            let request = bearer("ann-read", Method::GET, &format!("/api/v1/{path}"));
            let unchanged = app.send(request.add_header("if-none-match", &tag, true)).await;
            assert_eq!((unchanged.status, unchanged.text().as_str()), (304, ""));

            let delete = bearer("ann-full", Method::DELETE, &format!("/api/v1/{path}"));
            app.send(delete.add_header("if-match", &tag, true)).await.assert_ok();
            get(&app, "ann-read", &path).await.assert_problem(404, "not_found");
        }
    }

    async fn a_record_of_another_family_or_member_does_not_exist(kind: StorageKind) {
        let (storage, _location) = fixture::seeded(kind).await;
        let private = |kind: &str, id: &str, fields: Value| {
            let mut line = line!(kind, id, { "familyId": "berg", "isPrivate": true });
            line.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            line
        };
        let records = [
            private("task", "bobs", json!({ "title": "T", "columnId": "column-berg", "creatorId": "bob" })),
            private("shoppingItem", "bobs", json!({ "name": "I", "listId": "list-berg", "addedById": "bob" })),
            private("shoppingList", "bobs-list", json!({ "name": "L", "ownerUserId": "bob" })),
            line!("shoppingItem", "in-bobs-list", { "familyId": "berg", "listId": "bobs-list", "name": "I", "addedById": "ann" }),
            private("board", "bobs-board", json!({ "name": "B", "ownerUserId": "bob" })),
            line!("column", "bobs-column", { "familyId": "berg", "boardId": "bobs-board", "name": "C" }),
            line!("task", "on-bobs-board", { "familyId": "berg", "columnId": "bobs-column", "title": "T", "creatorId": "ann" }),
        ];
        load(&*storage, records).await;
        let app = App::with_storage(storage);
        for path in [
            "tasks/task-tal", "events/event-tal", "shopping-items/item-tal", "notes/note-tal", "tasks/bobs",
            "tasks/on-bobs-board", "shopping-items/bobs", "shopping-items/in-bobs-list", "tasks/none", "notes/%20",
        ] {
            get(&app, "ann-read", path).await.assert_problem(404, "not_found");
        }
        assert_eq!(ids(&get(&app, "ann-read", "tasks?completed=all").await.json()), ["task-berg"]);
        assert_eq!(ids(&get(&app, "ann-read", "shopping-items?checked=all").await.json()), ["item-berg"]);
        assert_eq!(get(&app, "ann-read", "boards").await.json().as_array().unwrap().len(), 1);
        assert_eq!(get(&app, "ann-read", "shopping-lists").await.json().as_array().unwrap().len(), 1);
        for hidden in ["tasks?board=bobs-board", "tasks?column=bobs-column", "shopping-items?list=bobs-list"] {
            get(&app, "ann-read", hidden).await.assert_problem(400, "invalid_query");
        }
    }

    async fn boards_and_lists_are_those_of_the_resources_without_content(app: App) {
        let mut boards = app.read("tasks").await;
        for column in boards[0]["columns"].as_array_mut().unwrap() {
            column.as_object_mut().unwrap().remove("tasks");
        }
        assert_eq!(get(&app, "ann-read", "boards").await.json(), boards);
        let mut lists = app.read("shopping").await;
        lists[0].as_object_mut().unwrap().remove("items");
        assert_eq!(get(&app, "ann-read", "shopping-lists").await.json(), lists);
    }

    async fn members_are_people_ordered_by_id(app: App) {
        let members = get(&app, "ann-read", "members").await;
        let person = |id: &str| json!({ "id": id, "name": id, "image": null, "color": null, "emoji": null });
        assert_eq!(members.assert_ok().json(), json!([person("ann"), person("bob")]));
        assert_eq!(get(&app, "eve-rw", "members").await.json(), json!([person("eve")]));
        let request = bearer("ann-read", Method::GET, "/api/v1/members");
        let unchanged = app.send(request.add_header("if-none-match", members.header("etag").unwrap(), true)).await;
        assert_eq!(unchanged.status, 304);
    }

    async fn tasks_are_filtered_and_paged(kind: StorageKind) {
        let (storage, _location) = fixture::seeded(kind).await;
        let task = |id: &str, assignee: Option<&str>, due: Option<&str>, completed: bool| {
            line!("task", id, {
                "familyId": "berg", "columnId": "column-berg", "title": id, "creatorId": "ann", "assigneeId": assignee,
                "dueDate": due, "completedAt": completed.then_some("2026-11-01T00:00:00.000Z"),
            })
        };
        let records = [
            task("anns", Some("ann"), Some("2026-11-18T23:00:00.000Z"), false),
            task("bobs", Some("bob"), Some("2026-11-24T22:59:59.999Z"), false),
            task("closed", Some("bob"), None, true),
        ];
        load(&*storage, records).await;
        let app = App::with_storage(storage);
        for (query, found) in [
            ("", &["anns", "bobs", "task-berg"][..]),
            ("?completed=all", &["anns", "bobs", "closed", "task-berg"]),
            ("?completed=true", &["closed"]),
            ("?assignee=me", &["anns"]),
            ("?assignee=bob&completed=all", &["bobs", "closed"]),
            ("?assignee=unassigned", &["task-berg"]),
            ("?dueTo=2026-11-24", &["anns", "bobs"]),
            ("?dueFrom=2026-11-24", &["bobs"]),
            ("?dueFrom=2026-11-25", &[]),
            ("?overdue=true", &["anns"]),
            ("?text=SWE%45P", &["task-berg"]),
            ("?board=board-berg&column=column-berg&text=bob", &["bobs"]),
        ] {
            let page = get(&app, "ann-read", &format!("tasks{query}")).await;
            let page = page.assert_ok().json();
            assert_eq!((ids(&page), page["total"].as_u64()), (found.to_vec(), Some(found.len() as u64)), "{query}");
            assert_eq!(page["nextCursor"], Value::Null);
        }
        let first = get(&app, "ann-read", "tasks?limit=2").await.json();
        assert_eq!((ids(&first), &first["total"]), (vec!["anns", "bobs"], &json!(3)));
        let cursor = first["nextCursor"].as_str().unwrap();
        let last = get(&app, "ann-read", &format!("tasks?limit=2&cursor={cursor}")).await.json();
        assert_eq!((ids(&last), &last["nextCursor"]), (vec!["task-berg"], &Value::Null));
        get(&app, "ann-read", &format!("tasks?completed=all&cursor={cursor}")).await.assert_problem(400, "invalid_query");
        get(&app, "eve-rw", &format!("tasks?limit=2&cursor={cursor}")).await.assert_problem(400, "invalid_query");
    }

    async fn items_are_filtered_and_paged(kind: StorageKind) {
        let (storage, _location) = fixture::seeded(kind).await;
        let item = |id: &str, list: &str| line!("shoppingItem", id, { "familyId": "berg", "listId": list, "name": id });
        let tools = line!("shoppingList", "tools", { "familyId": "berg", "name": "Tools" });
        load(&*storage, [tools, item("bread", "list-berg"), item("saw", "tools")]).await;
        let app = App::with_storage(storage);
        for (query, found) in [
            ("", &["bread", "saw"][..]),
            ("?checked=true", &["item-berg"]),
            ("?checked=all", &["bread", "saw", "item-berg"]),
            ("?list=tools&checked=all", &["saw"]),
        ] {
            let page = get(&app, "ann-read", &format!("shopping-items{query}")).await;
            assert_eq!(ids(&page.assert_ok().json()), found, "{query}");
        }
        let first = get(&app, "ann-read", "shopping-items?limit=1").await.json();
        let cursor = first["nextCursor"].as_str().unwrap();
        let last = get(&app, "ann-read", &format!("shopping-items?limit=1&cursor={cursor}")).await.json();
        assert_eq!((ids(&first), ids(&last)), (vec!["bread"], vec!["saw"]));
    }
}

#[tokio::test]
async fn a_parameter_that_the_route_does_not_have_is_named() {
    let app = App::on(StorageKind::Memory).await;
    let routes = ["members", "boards", "shopping-lists", "tasks", "shopping-items"];
    let records = RECORDS.map(|record| format!("{record}-berg"));
    for path in routes.into_iter().chain(records.iter().map(String::as_str)) {
        let refused = get(&app, "ann-read", &format!("{path}?asignee=me")).await;
        let detail = refused.assert_problem(400, "invalid_query").json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("`asignee`"), "{path}: {detail}");
        assert_eq!(detail.contains("limit, cursor"), ["tasks", "shopping-items"].contains(&path), "{detail}");
    }
}

#[tokio::test]
async fn an_invalid_value_names_the_parameter_of_the_query() {
    let app = App::on(StorageKind::Memory).await;
    for (query, parameter) in [
        ("tasks?board=none", "board"),
        ("tasks?column=none", "column"),
        ("tasks?assignee=none", "assignee"),
        ("tasks?assignee=eve", "assignee"),
        ("tasks?dueFrom=2026-11-25&dueTo=2026-11-24", "dueFrom"),
        ("tasks?dueTo=tomorrow", "dueTo"),
        ("tasks?completed=true&overdue=true", "overdue"),
        ("tasks?limit=101", "limit"),
        ("tasks?limit=1&limit=1", "limit"),
        ("tasks?cursor=x", "cursor"),
        ("shopping-items?list=none", "list"),
        ("shopping-items?checked=maybe", "checked"),
    ] {
        let refused = get(&app, "ann-read", query).await;
        let detail = refused.assert_problem(400, "invalid_query").json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(&format!("`{parameter}`")) && !detail.contains('_'), "{query}: {detail}");
    }
}

#[tokio::test]
async fn smaller_reads_need_the_read_scope_and_the_personal_api() {
    let app = App::on(StorageKind::Memory).await;
    for path in ["members", "boards", "shopping-lists", "tasks", "shopping-items", "tasks/task-berg", "changes"] {
        get(&app, "ann-mcp", path).await.assert_problem(401, "insufficient_scope");
        get(&app, "ann-tasks", path).await.assert_problem(401, "insufficient_scope");
        get(&app, "bob-rw", path).await.assert_problem(401, "api_disabled");
    }
}

#[tokio::test]
async fn a_resource_that_the_storage_does_not_keep_has_no_smaller_reads() {
    let capabilities = Capabilities::all().without_resource(ResourceKind::Shopping);
    let app = App::with_storage(Arc::new(FaultInjection::in_memory().await.with_capabilities(capabilities)));
    for path in ["shopping-lists", "shopping-items", "shopping-items/item-berg"] {
        get(&app, "ann-read", path).await.assert_problem(404, "not_found");
    }
    get(&app, "ann-read", "tasks").await.assert_ok();
    get(&app, "ann-read", "members").await.assert_ok();
}
