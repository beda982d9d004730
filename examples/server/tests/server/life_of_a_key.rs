//! The whole workflow: import, sign-in, creation of a key, reads and writes.

use serde_json::{Value, json};

use crate::backend::{Backend, on_each_backend};
use crate::client::{call, in_session, sign_in, with_token};
use crate::family::PASSWORD;
use crate::sandbox::{Sandbox, Server};

const KEYS: &str = "/api/users/me/mcp-tokens";

async fn cookie(server: &Server, user: &str) -> String {
    let answer = sign_in(server, &format!("{user}@family.example"), PASSWORD).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.cookie()
}

async fn create_key(server: &Server, cookie: &str, mode: &str) -> (String, String) {
    let answer = in_session(server, cookie, "POST", KEYS, Some(json!({ "mode": mode }))).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let key = answer.json();
    let text = |name: &str| key[name].as_str().unwrap().to_owned();
    assert_eq!(answer.header("location"), Some(format!("{KEYS}/{}", text("id")).as_str()));
    (text("id"), text("token"))
}

on_each_backend! {
    a_key_reads_and_writes_until_it_is_revoked,
    sessions_keys_and_writes_survive_a_restart,
    keys_work_only_while_the_personal_api_is_on,
    an_environment_token_grants_only_the_read_path,
    a_user_without_a_family_has_keys_but_no_records,
}

async fn a_key_reads_and_writes_until_it_is_revoked(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve();
    let cookie = cookie(&server, "ana").await;
    let (id, token) = create_key(&server, &cookie, "v1_read_write").await;

    for (resource, expected) in [
        ("tasks", "/0/columns/0/tasks/0/id"),
        ("events", "/0/id"),
        ("shopping", "/0/items/0/id"),
        ("notes", "/0/id"),
        ("task_stats", "/myOpen"),
    ] {
        let v1 = with_token(&server, &token, "GET", &format!("/api/v1/read/{resource}"), None).await;
        let read_path = with_token(&server, &token, "GET", &format!("/api/mcp/read/{resource}"), None).await;
        assert_eq!((v1.status, &v1.text), (200, &read_path.text));
        assert!(v1.json().pointer(expected).is_some(), "{}", v1.text);
    }
    let me = with_token(&server, &token, "GET", "/api/v1/me", None).await.json();
    assert_eq!((me["id"].as_str(), me["familyId"].as_str()), (Some("ana"), Some("rivera")));

    let done = json!({ "completed": true });
    let task = with_token(&server, &token, "PATCH", "/api/v1/tasks/dentist", Some(done)).await;
    assert_eq!((task.status, &task.json()["completed"]), (200, &Value::Bool(true)));
    let pinned = json!({ "pinned": true });
    let note = with_token(&server, &token, "PATCH", "/api/v1/notes/wifi", Some(pinned.clone())).await;
    assert_eq!((note.status, &note.json()["pinned"]), (200, &Value::Bool(true)));
    let foreign = with_token(&server, &token, "PATCH", "/api/v1/notes/cabin", Some(pinned)).await;
    assert_eq!(foreign.problem(), (404, "not_found".to_owned()));
    let deleted = with_token(&server, &token, "DELETE", "/api/v1/notes/wifi", None).await;
    assert_eq!(deleted.json(), json!({ "success": true, "id": "wifi" }));

    assert_eq!(in_session(&server, &cookie, "DELETE", &format!("{KEYS}/{id}"), None).await.status, 200);
    let revoked = with_token(&server, &token, "GET", "/api/v1/me", None).await;
    assert_eq!(revoked.problem(), (401, "invalid_token".to_owned()));
    assert!(server.stop().success());
}

async fn sessions_keys_and_writes_survive_a_restart(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve();
    let cookie = cookie(&server, "ana").await;
    let (_, token) = create_key(&server, &cookie, "v1_read_write").await;
    let title = json!({ "title": "Written before the restart" });
    assert_eq!(with_token(&server, &token, "PATCH", "/api/v1/notes/wifi", Some(title)).await.status, 200);
    assert!(server.stop().success());

    let server = sandbox.serve();
    assert_eq!(in_session(&server, &cookie, "GET", "/api/users/me", None).await.json()["id"], "ana");
    let notes = with_token(&server, &token, "GET", "/api/v1/read/notes", None).await.json();
    assert_eq!(notes[0]["title"], "Written before the restart");
}

async fn keys_work_only_while_the_personal_api_is_on(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve();
    let cookie = cookie(&server, "ana").await;
    let (_, token) = create_key(&server, &cookie, "v1_read").await;
    let switch =
        |on: bool| in_session(&server, &cookie, "PATCH", "/api/users/me", Some(json!({ "personalApiEnabled": on })));

    assert_eq!(switch(false).await.json()["personalApiEnabled"], false);
    for path in ["/api/v1/me", "/api/v1/read/tasks", "/api/v1/nonsense"] {
        let refused = with_token(&server, &token, "GET", path, None).await;
        assert_eq!(refused.problem(), (401, "api_disabled".to_owned()), "{path}");
    }
    assert_eq!(with_token(&server, &token, "GET", "/api/mcp/read/tasks", None).await.status, 200);
    let refused = in_session(&server, &cookie, "POST", KEYS, Some(json!({ "mode": "v1_read" }))).await;
    assert_eq!(refused.problem(), (403, "api_disabled".to_owned()));
    create_key(&server, &cookie, "mcp_read").await;

    assert_eq!(switch(true).await.status, 200);
    assert_eq!(with_token(&server, &token, "GET", "/api/v1/me", None).await.status, 200);
}

async fn an_environment_token_grants_only_the_read_path(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve_with(&[], &[("SERVICE_MCP_READ_TOKENS", " ana | env-secret , nobody|other-secret")]);
    let read = with_token(&server, "env-secret", "GET", "/api/mcp/read/notes", None).await;
    assert_eq!((read.status, read.json()[0]["id"].as_str()), (200, Some("wifi")));
    for (token, path) in [
        ("env-secret", "/api/v1/read/notes"),
        ("other-secret", "/api/mcp/read/notes"),
        ("env-secre", "/api/mcp/read/notes"),
    ] {
        let refused = with_token(&server, token, "GET", path, None).await;
        assert_eq!(refused.problem(), (401, "invalid_token".to_owned()), "{token} {path}");
    }
    assert_eq!(call(&server, "GET", "/api/mcp/read/notes").await.problem(), (401, "missing_token".to_owned()));
}

async fn a_user_without_a_family_has_keys_but_no_records(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve();
    let cookie = cookie(&server, "dora").await;
    let (_, token) = create_key(&server, &cookie, "mcp_read").await;
    assert_eq!(in_session(&server, &cookie, "GET", "/api/users/me", None).await.json()["familyId"], Value::Null);
    let refused = with_token(&server, &token, "GET", "/api/mcp/read/notes", None).await;
    assert_eq!(refused.problem(), (401, "no_family".to_owned()));
    let missing = in_session(&server, &cookie, "DELETE", "/api/notes/wifi", None).await;
    assert_eq!(missing.problem(), (404, "not_found".to_owned()));
}
