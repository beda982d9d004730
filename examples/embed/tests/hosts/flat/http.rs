//! The app over HTTP: sessions, keys, pages, OAuth and MCP.

use std::sync::Arc;

use family_api_core::FamilyApi;
use family_api_salvo::{FamilyRoutes, OAuth, Pages};
use salvo::http::{Method, StatusCode};
use salvo::test::{RequestBuilder, ResponseExt};
use salvo::{Router, Service};
use serde_json::{Value, json};

use super::suite::Installed;

const ORIGIN: &str = "http://127.0.0.1:8080";
const ROWS: &str = "
    INSERT INTO household VALUES (10, 'Ana and Ida'), (20, 'Ben');
    INSERT INTO person VALUES (1, 10, 'Ana', 'ana@example.org', '#00aa00', TRUE),
        (2, 10, 'Ida', 'ida@example.org', NULL, FALSE), (3, 20, 'Ben', 'ben@example.org', NULL, TRUE);
    INSERT INTO login VALUES ('s3cret', 1);
    INSERT INTO todo VALUES (7, 10, 'Water the plants', NULL, NULL, NULL, 2, 1763640000000, 1763640000000),
        (8, 20, 'of another household', NULL, NULL, NULL, NULL, 1763640000000, 1763640000000);
    INSERT INTO buy VALUES (4, 20, 'of another household', NULL, FALSE, 1763640000000)";

/// Who sends a request.
#[derive(Clone, Copy)]
enum As<'a> {
    Visitor,
    Ana,
    Key(&'a str),
}

struct Site {
    service: Service,
    _installed: Installed,
}

impl Site {
    async fn new() -> Self {
        let installed = Installed::new(None).await;
        sqlx::raw_sql(ROWS).execute(&installed.app.writer).await.unwrap();
        let api = FamilyApi::builder(Arc::new(installed.storage.clone()));
        let api = api.grants(Arc::new(installed.keys.clone())).full_access(true).build();
        let routes = FamilyRoutes::new(api)
            .session(installed.app.clone())
            .pages(Pages::at("/keys").sign_in_at("/login?next={return}"))
            .oauth(OAuth::new(ORIGIN.parse().unwrap()));
        assert_eq!(routes.unused_options().len(), 0);
        Self { service: Service::new(Router::new().push(routes.into_router())), _installed: installed }
    }

    /// Sends a request. Returns the status and the body.
    async fn send(&self, who: As<'_>, method: Method, path: &str, body: Option<Value>) -> (u16, String) {
        let mut request = RequestBuilder::new(format!("{ORIGIN}{path}"), method);
        request = match who {
            As::Visitor => request,
            As::Ana => request.add_header("cookie", "login=s3cret", true).add_header("origin", ORIGIN, true),
            As::Key(token) => request.bearer_auth(token),
        };
        if let Some(body) = body {
            request = request.json(&body);
        }
        let mut response = request.send(&self.service).await;
        let status = response.status_code.unwrap_or(StatusCode::OK).as_u16();
        (status, response.take_string().await.unwrap_or_default())
    }

    async fn json(&self, who: As<'_>, method: Method, path: &str, body: Option<Value>, status: u16) -> Value {
        let (got, text) = self.send(who, method, path, body).await;
        assert_eq!(got, status, "{path}: {text}");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}: {text}"))
    }

    async fn tool(&self, key: As<'_>, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let answer = self.json(key, Method::POST, "/api/v1/mcp", Some(message), 200).await;
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }
}

#[tokio::test]
async fn a_key_of_a_session_reads_and_writes_over_every_door() {
    let site = Site::new().await;
    let (status, _) = site.send(As::Visitor, Method::GET, "/api/users/me/mcp-tokens", None).await;
    assert_eq!(status, 401);
    let body = Some(json!({ "mode": "v1_full", "name": "kitchen" }));
    let created = site.json(As::Ana, Method::POST, "/api/users/me/mcp-tokens", body, 201).await;
    let key = As::Key(created["token"].as_str().unwrap());

    let new = json!({ "title": "Buy stamps", "description": "ten", "dueDate": "2026-11-27T08:00:00Z",
        "assigneeId": "2" });
    let task = site.json(key, Method::POST, "/api/v1/tasks", Some(new), 201).await;
    assert_eq!((&task["id"], &task["assignee"]["name"]), (&json!("9"), &json!("Ida")));
    let list = site.json(key, Method::GET, "/api/v1/shopping-lists", None, 200).await;
    let list = list.as_array().or_else(|| list["items"].as_array()).unwrap()[0]["id"].as_str().unwrap().to_owned();
    let new = Some(json!({ "name": "Milk", "quantity": "2 l" }));
    let item = site.json(key, Method::POST, &format!("/api/v1/shopping-lists/{list}/items"), new, 201).await;
    assert_eq!(item["id"], "5");
    let boards = site.json(key, Method::GET, "/api/v1/read/tasks", None, 200).await;
    let tasks = boards[0]["columns"][0]["tasks"].as_array().unwrap();
    let titles: Vec<_> = tasks.iter().map(|task| task["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Water the plants", "Buy stamps"]);

    // What the app does not keep is 422. A record of another household, and another text of an id, is 404.
    for (path, body, status) in [
        ("tasks/9", json!({ "completed": true, "dueDate": null }), 200),
        ("tasks/9", json!({ "priority": "HIGH" }), 422),
        ("tasks/9", json!({ "labels": ["errand"] }), 422),
        ("tasks/9", json!({ "columnId": "tasks" }), 422),
        ("tasks/9", json!({ "isPrivate": true }), 422),
        ("tasks/8", json!({ "completed": true }), 404),
        ("tasks/09", json!({ "completed": true }), 404),
        ("tasks/nine", json!({ "completed": true }), 404),
        ("shopping-items/5", json!({ "checked": true }), 200),
        ("shopping-items/5", json!({ "category": "dairy" }), 422),
        ("shopping-items/4", json!({ "checked": true }), 404),
    ] {
        let (got, text) = site.send(key, Method::PATCH, &format!("/api/v1/{path}"), Some(body.clone())).await;
        assert_eq!(got, status, "{path} {body}: {text}");
    }
    for (path, status) in [("read/notes", 404), ("read/events", 404), ("notes/1", 404), ("tasks/8", 404)] {
        let (got, text) = site.send(key, Method::GET, &format!("/api/v1/{path}"), None).await;
        assert_eq!(got, status, "{path}: {text}");
    }

    let tools = site.tool(key, "tools/list", json!({})).await;
    let tools: Vec<_> = tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let expected = [
        "get_overview",
        "list_tasks",
        "get_task",
        "list_shopping",
        "add_tasks",
        "update_tasks",
        "complete_tasks",
        "delete_tasks",
        "add_shopping_items",
        "update_shopping_items",
        "check_shopping_items",
        "delete_shopping_items",
    ];
    assert_eq!(tools, expected);
    let call = json!({ "name": "add_shopping_items", "arguments": { "items": [{ "name": "Bread" }] } });
    let added = site.tool(key, "tools/call", call).await;
    assert_eq!(added["isError"], json!(false), "{added}");
    let lists = site.json(key, Method::GET, "/api/v1/read/shopping", None, 200).await;
    let names: Vec<_> = lists[0]["items"].as_array().unwrap().iter().map(|item| item["name"].clone()).collect();
    assert_eq!(names, ["Bread", "Milk"]);

    let (status, page) = site.send(As::Ana, Method::GET, "/keys", None).await;
    assert!(status == 200 && page.contains("kitchen"), "{status}: {page}");
}

#[tokio::test]
async fn the_documents_describe_only_what_the_app_has() {
    let site = Site::new().await;
    let metadata = "/.well-known/oauth-authorization-server";
    let metadata = site.json(As::Visitor, Method::GET, metadata, None, 200).await;
    assert_eq!(metadata["issuer"], ORIGIN);
    let resource = "/.well-known/oauth-protected-resource/api/v1/mcp";
    let resource = site.json(As::Visitor, Method::GET, resource, None, 200).await;
    assert_eq!(resource["resource"], format!("{ORIGIN}/api/v1/mcp"));

    let document = site.json(As::Visitor, Method::GET, "/openapi.json", None, 200).await;
    let paths: Vec<_> = document["paths"].as_object().unwrap().keys().collect();
    assert!(paths.iter().any(|path| path.ends_with("/api/v1/tasks/{id}")), "{paths:?}");
    for missing in ["note", "event", "boards/", "columns", "restore"] {
        assert!(!paths.iter().any(|path| path.contains(missing)), "{missing}: {paths:?}");
    }
    // A record in an answer has all fields of the API. A change has only those that the app keeps.
    for (path, expected) in [
        ("/api/v1/tasks/{id}", vec!["assigneeId", "completed", "description", "dueDate", "title"]),
        ("/api/v1/shopping-items/{id}", vec!["checked", "name", "quantity"]),
    ] {
        let body = &document["paths"][path]["patch"]["requestBody"]["content"]["application/json"]["schema"];
        let name = body["$ref"].as_str().map(|name| name.trim_start_matches('#'));
        let body = name.map_or(body, |name| document.pointer(name).unwrap());
        let body = body["oneOf"].get(0).unwrap_or(body);
        let mut fields: Vec<_> = body["properties"].as_object().unwrap().keys().collect();
        fields.sort();
        assert_eq!(fields, expected, "{path}");
    }
}
