//! boards over HTTP: its sign-in, and the API with sessions, pages, OAuth and MCP.

use std::sync::Arc;

use async_trait::async_trait;
use family_api_core::id::UserId;
use family_api_core::storage::SignedIn;
use family_api_core::{Error, FamilyApi};
use family_api_salvo::{FamilyRoutes, OAuth, Pages, SessionAuthenticator};
use family_api_sql::sqlite::fault;
use salvo::http::Method;
use salvo::http::cookie::Cookie;
use salvo::test::{RequestBuilder, ResponseExt, TestClient};
use salvo::{Depot, Request, Response, Router, Service, handler};
use serde_json::{Value, json};

use super::Boards;
use super::subject::Installed;

const PEOPLE: &str = "
    INSERT INTO team (id, name) VALUES ('red', 'Red'), ('blue', 'Blue');
    INSERT INTO person VALUES ('p-ana', 'red', 'Ana', 'ana@example.org', NULL, NULL, 'Europe/Oslo', TRUE),
        ('p-ben', 'blue', 'Ben', 'ben@example.org', NULL, NULL, 'Europe/Oslo', TRUE);
    INSERT INTO board VALUES ('red', 'b-1', 'Sprint', NULL, NULL, 0, 'p-ana', '2026-11-20T12:00:00.000Z',
        '2026-11-20T12:00:00.000Z');
    INSERT INTO lane VALUES ('red', 'l-1', 'b-1', 'To do', NULL, 0, '2026-11-20T12:00:00.000Z');
    INSERT INTO note VALUES ('blue', 'n-blue', 'Secret', '', NULL, FALSE, '[]', 'p-ben', '2026-11-20T12:00:00.000Z',
        '2026-11-20T12:00:00.000Z');";

/// Signs a person in with their address alone: an app for trials.
struct SignIn(Boards);

#[handler]
impl SignIn {
    async fn handle(&self, req: &mut Request, res: &mut Response) {
        let mail: String = req.query("mail").unwrap();
        let secret = format!("secret-of-{mail}");
        let insert = sqlx::query("INSERT INTO login SELECT ?1, id FROM person WHERE mail = ?2");
        insert.bind(&secret).bind(mail).execute(&self.0.writer).await.unwrap();
        res.add_cookie(Cookie::new("boards", secret));
    }
}

#[async_trait]
impl SessionAuthenticator for Boards {
    async fn user(&self, req: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        let secret = req.cookie("boards").map(Cookie::value);
        let query = sqlx::query_scalar("SELECT person FROM login WHERE secret = ?").bind(secret);
        let person: Option<String> = query.fetch_optional(&self.readers).await.map_err(fault)?;
        Ok(person.and_then(|id| id.parse().ok()).map(|user: UserId| user.into()))
    }
}

fn service(installed: &Installed) -> Service {
    let api = FamilyApi::builder(Arc::new(installed.storage.clone())).full_access(true);
    let api = api.grants(Arc::new(installed.keys.clone())).build();
    let routes = FamilyRoutes::new(api)
        .session(installed.app.clone())
        .pages(Pages::at("/keys").deleted_at("/deleted").sign_in_at("/sign-in?next={return}"))
        .oauth(OAuth::new("https://boards.example".parse().unwrap()).sign_in_at("/sign-in?next={return}"));
    assert!(routes.unused_options().is_empty());
    let sign_in = Router::with_path("sign-in").post(SignIn(installed.app.clone()));
    Service::new(Router::new().push(sign_in).push(routes.into_router()))
}

struct Client<'a> {
    service: &'a Service,
    header: (&'static str, String),
}

impl Client<'_> {
    fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let request = RequestBuilder::new(format!("http://127.0.0.1{path}"), method);
        request.add_header(self.header.0, &self.header.1, true)
    }

    async fn send(&self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let request = self.request(method, path);
        let request = if body.is_null() { request } else { request.json(&body) };
        let mut response = request.send(self.service).await;
        (response.status_code.unwrap().as_u16(), response.take_json().await.unwrap_or_default())
    }

    async fn call(&self, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let (status, answer) = self.send("POST", "/api/v1/mcp", message).await;
        assert_eq!(status, 200, "{answer}");
        answer["result"].clone()
    }
}

#[tokio::test]
async fn a_person_signs_in_and_a_key_reads_and_writes() {
    let installed = Installed::new(None).await;
    sqlx::raw_sql(PEOPLE).execute(&installed.app.writer).await.unwrap();
    let service = &service(&installed);
    let response = TestClient::post("http://127.0.0.1/sign-in?mail=ana@example.org").send(service).await;
    let session = response.cookies().get("boards").unwrap().value().to_owned();
    let session = Client { service, header: ("cookie", format!("boards={session}")) };
    let body = json!({ "mode": "v1_full", "name": "Wall display" });
    let (status, created) = session.send("POST", "/api/users/me/mcp-tokens", body).await;
    assert_eq!(status, 201, "{created}");
    let key = Client { service, header: ("authorization", format!("Bearer {}", created["token"].as_str().unwrap())) };

    let new = json!({ "title": "Paint the fence", "columnId": "l-1", "labels": ["garden"] });
    let (status, task) = key.send("POST", "/api/v1/tasks", new).await;
    assert_eq!((status, &task["creator"]["name"]), (201, &json!("Ana")), "{task}");
    let path = format!("/api/v1/tasks/{}", task["id"].as_str().unwrap());
    for (method, path, body, expected) in [
        ("PATCH", path.as_str(), json!({ "type": "move-task", "columnId": "l-1", "order": 4 }), 200),
        ("PATCH", &path, json!({ "isPrivate": true }), 422),
        ("DELETE", &path, Value::Null, 200),
        ("POST", &format!("{path}/restore"), Value::Null, 200),
        ("POST", "/api/v1/boards", json!({ "name": "Retro" }), 201),
        ("PATCH", "/api/v1/boards/b-1", json!({ "emoji": "x" }), 422),
        ("DELETE", "/api/v1/boards/b-1", Value::Null, 405),
        ("POST", "/api/v1/notes", json!({ "title": "Paint", "categoryId": "c" }), 422),
        ("PATCH", "/api/v1/notes/n-blue", json!({ "pinned": true }), 404),
        ("GET", "/api/v1/notes/n-blue", Value::Null, 404),
        ("GET", "/api/v1/read/events", Value::Null, 404),
    ] {
        let (status, answer) = key.send(method, path, body).await;
        assert_eq!(status, expected, "{method} {path}: {answer}");
    }

    let response = key.request("GET", "/api/v1/read/tasks").send(service).await;
    let tag = response.headers()["etag"].to_str().unwrap().to_owned();
    let again = key.request("GET", "/api/v1/read/tasks").add_header("if-none-match", tag, true).send(service).await;
    assert_eq!(again.status_code.unwrap().as_u16(), 304);
    let (_, boards) = key.send("GET", "/api/v1/read/tasks", Value::Null).await;
    assert_eq!(boards[0]["columns"][0]["tasks"][0]["order"], 4, "{boards}");

    let tools = key.call("tools/list", json!({})).await.to_string();
    assert!(tools.contains(r#""update_tasks""#) && !tools.contains(r#""add_events""#), "{tools}");
    let found = key.call("tools/call", json!({ "name": "list_tasks" })).await;
    assert!(found.to_string().contains("Paint the fence"), "{found}");

    for (path, text) in [("/keys", r#"data-keys="api/users/me/mcp-tokens""#), ("/deleted", "<html")] {
        let mut response = session.request("GET", path).send(service).await;
        let page = response.take_string().await.unwrap();
        assert!(response.status_code.unwrap().as_u16() == 200 && page.contains(text), "{path}: {page}");
    }
    let (status, keys) = session.send("GET", "/api/users/me/mcp-tokens", Value::Null).await;
    assert!(status == 200 && keys.to_string().contains("Wall display"), "{keys}");
    let (status, metadata) = session.send("GET", "/.well-known/oauth-authorization-server", Value::Null).await;
    assert_eq!((status, &metadata["issuer"]), (200, &json!("https://boards.example")), "{metadata}");
    let (_, document) = session.send("GET", "/openapi.json", Value::Null).await;
    let paths = document["paths"].to_string();
    for (text, expected) in [("/api/v1/boards", true), ("shopping", false), ("read/events", false)] {
        assert_eq!(paths.contains(text), expected, "{text}");
    }
    let fields = &document["components"]["schemas"]["TaskUpdate"]["oneOf"][0]["properties"];
    assert!(fields.get("title").is_some() && fields.get("isPrivate").is_none(), "{fields}");
}
