//! Audit lines in the log, and the field `lastUsedAt` of keys.

use serde_json::{Value, json};

use crate::backend::{Backend, on_each_backend};
use crate::client::{Response, in_session, request, send, with_token};
use crate::sandbox::{Sandbox, Server};
use crate::session::{KEYS, Key, create_key, session_cookie};

const TITLE: &str = "canary-of-a-title";

on_each_backend! {
    events_of_keys_are_logged_with_ids_only,
    every_write_with_a_key_is_logged_once,
    an_audit_line_contains_the_id_of_its_request,
    an_audit_line_of_a_tool_contains_the_id_of_its_request,
    sessions_keys_uses_and_writes_survive_a_restart,
}

async fn set_personal_api(server: &Server, cookie: &str, on: bool) -> Response {
    in_session(server, cookie, "PATCH", "/api/users/me", Some(json!({ "personalApiEnabled": on }))).await
}

pub(crate) fn audit_lines(log: &str) -> impl Iterator<Item = Value> {
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["target"] == "family_api_server::audit")
}

/// Returns the events of the log, without their times.
fn events(log: &str) -> Vec<Value> {
    let names = [
        "event",
        "user",
        "key",
        "scopes",
        "reason",
        "surface",
        "family",
        "kind",
        "record",
        "list",
        "items",
        "keys",
        "connections",
        "feeds",
    ];
    audit_lines(log)
        .map(|line| names.iter().filter_map(|name| Some((*name, line.get(name)?.clone()))).collect())
        .collect()
}

async fn events_of_keys_are_logged_with_ids_only(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve_with(&["--log", "json"], &[]);
    let cookie = session_cookie(&server, "ana").await;
    let body = json!({ "mode": "v1_full", "name": TITLE });
    let created = in_session(&server, &cookie, "POST", KEYS, Some(body)).await.json();
    let Key { id: key, token } = Key::from_json(&created);
    let rename = || Some(json!({ "title": TITLE }));
    assert_eq!(with_token(&server, &token, "PATCH", "/api/v1/tasks/dentist", rename()).await.status, 200);
    assert_eq!(with_token(&server, &token, "PATCH", "/api/v1/notes/wifi", rename()).await.status, 200);
    assert_eq!(with_token(&server, &token, "PATCH", "/api/v1/notes/wifi", Some(json!({}))).await.status, 200);
    assert_eq!(with_token(&server, &token, "PATCH", "/api/v1/notes/cabin", rename()).await.status, 404);
    assert_eq!(with_token(&server, &token, "DELETE", "/api/v1/notes/wifi", None).await.status, 200);
    assert_eq!(in_session(&server, &cookie, "PATCH", "/api/tasks/dentist", rename()).await.status, 200);
    assert_eq!(set_personal_api(&server, &cookie, false).await.status, 200);
    assert_eq!(with_token(&server, &token, "GET", "/api/v1/me", None).await.status, 401);
    assert_eq!(set_personal_api(&server, &cookie, true).await.status, 200);
    assert_eq!(set_personal_api(&server, &cookie, true).await.status, 200);
    assert_eq!(in_session(&server, &cookie, "DELETE", &format!("{KEYS}/{key}"), None).await.status, 200);
    assert_eq!(with_token(&server, &token, "GET", "/api/mcp/read/notes", None).await.status, 401);
    assert_eq!(with_token(&server, "unknown-token", "GET", "/api/v1/me", None).await.status, 401);
    let last = create_key(&server, &cookie).await.id;
    let ended = in_session(&server, &cookie, "DELETE", "/api/users/me/access", None).await;
    assert_eq!((ended.status, ended.json()), (200, json!({ "keys": 1, "connections": 0, "feeds": 0 })));
    assert!(server.stop().success());

    let log = sandbox.log();
    assert!(!log.contains(TITLE) && !log.contains(&token), "{log}");
    let scopes = "mcp.read v1.read v1.tasks.write v1.notes.write v1.tasks.manage v1.notes.manage v1.events.write \
                  v1.shopping.write v1.boards.manage";
    let record = |event: &str, kind: &str, id: &str| json!({ "event": event, "user": "ana", "key": key, "family": "rivera", "kind": kind, "record": id });
    assert_eq!(
        events(&log),
        [
            json!({ "event": "signed_in", "user": "ana" }),
            json!({ "event": "key_created", "user": "ana", "key": key, "scopes": scopes }),
            json!({ "event": "key_first_used", "user": "ana", "key": key }),
            record("record_updated", "task", "dentist"),
            record("record_updated", "note", "wifi"),
            record("record_deleted", "note", "wifi"),
            json!({ "event": "personal_api_disabled", "user": "ana" }),
            json!({ "event": "token_refused", "user": "ana", "key": key, "reason": "api_disabled", "surface": "V1" }),
            json!({ "event": "personal_api_enabled", "user": "ana" }),
            json!({ "event": "personal_api_enabled", "user": "ana" }),
            json!({ "event": "key_revoked", "user": "ana", "key": key }),
            json!({ "event": "token_refused", "user": "ana", "key": key, "reason": "revoked", "surface": "ReadPath" }),
            json!({ "event": "token_refused", "reason": "unknown", "surface": "V1" }),
            json!({ "event": "key_created", "user": "ana", "key": last, "scopes": scopes }),
            json!({ "event": "access_revoked", "user": "ana", "keys": 1, "connections": 0, "feeds": 0 }),
        ]
    );
}

async fn every_write_with_a_key_is_logged_once(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve_with(&["--log", "json"], &[]);
    let cookie = session_cookie(&server, "ana").await;
    let Key { id: key, token } = create_key(&server, &cookie).await;
    let call = async |method, path: &str, body| with_token(&server, &token, method, path, body).await;
    let mut expected = Vec::new();
    for (kind, collection, records, body) in [
        ("task", "tasks", "tasks", json!({ "title": TITLE })),
        ("note", "notes", "notes", json!({ "title": TITLE })),
        ("event", "events", "events", json!({ "title": TITLE, "startDate": "2026-12-24", "endDate": "2026-12-25" })),
        ("shopping_item", "shopping-lists/groceries/items", "shopping-items", json!({ "name": TITLE })),
    ] {
        let repeatable = request(&server, "POST", &format!("/api/v1/{collection}")).bearer_auth(&token);
        let repeatable = repeatable.header("content-type", "application/json").header("idempotency-key", kind);
        let create = async || send(repeatable.try_clone().unwrap().body(body.to_string())).await.json();
        let created = create().await;
        assert_eq!(create().await, created);
        let id = created["id"].as_str().unwrap();
        let path = format!("/api/v1/{records}/{id}");
        let title = if kind == "shopping_item" { "name" } else { "title" };
        // The second one changes nothing.
        for _ in 0..2 {
            let body = json!({ title: format!("{TITLE} again") });
            assert_eq!(call("PATCH", &path, Some(body)).await.status, 200, "{path}");
        }
        assert_eq!(call("DELETE", &path, None).await.status, 200, "{path}");
        assert_eq!(call("DELETE", &path, None).await.status, 404, "{path}");
        assert_eq!(call("POST", &format!("{path}/restore"), None).await.status, 200, "{path}");
        for event in ["record_created", "record_updated", "record_deleted", "record_restored"] {
            expected.push(json!({
                "event": event, "user": "ana", "key": key, "family": "rivera", "kind": kind, "record": id
            }));
        }
    }
    let check = Some(json!({ "checked": true }));
    assert_eq!(in_session(&server, &cookie, "PATCH", "/api/shopping-items/milk", check).await.status, 200);
    for _ in 0..2 {
        let deleted = call("DELETE", "/api/v1/shopping-lists/groceries/items?checked=true", None).await;
        assert_eq!(deleted.status, 200, "{deleted:?}");
    }
    let deletion = json!({
        "event": "checked_items_deleted", "user": "ana", "key": key, "family": "rivera", "list": "groceries", "items": 1
    });
    expected.push(deletion);
    assert!(server.stop().success());
    let log = sandbox.log();
    assert!(!log.contains(TITLE), "{log}");
    let lines: Vec<Value> = events(&log).into_iter().filter(|line| line.get("family").is_some()).collect();
    assert_eq!(lines, expected);
}

async fn an_audit_line_contains_the_id_of_its_request(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let filter = ("FAMILY_API_LOG", "warn, family_api_server::audit=info,");
    let server = sandbox.serve_with(&["--log", "json"], &[filter]);
    for id in ["first", "second"] {
        let refused =
            send(request(&server, "GET", "/api/v1/me").bearer_auth("unknown-token").header("x-request-id", id)).await;
        assert_eq!(refused.status, 401);
    }
    assert!(server.stop().success());
    let ids: Vec<Value> = audit_lines(&sandbox.log()).map(|mut line| line["request_id"].take()).collect();
    assert_eq!(ids, ["first", "second"]);
}

async fn an_audit_line_of_a_tool_contains_the_id_of_its_request(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve_with(&["--log", "json"], &[]);
    let cookie = session_cookie(&server, "ana").await;
    let key = create_key(&server, &cookie).await;
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "update_notes", "arguments": { "ids": ["wifi"], "title": TITLE },
    } });
    let request = request(&server, "POST", "/api/v1/mcp").bearer_auth(&key.token).header("x-request-id", "tool");
    let called = send(request.header("content-type", "application/json").body(message.to_string())).await;
    assert_eq!((called.status, &called.json()["result"]["isError"]), (200, &json!(false)), "{called:?}");
    assert!(server.stop().success());
    let log = sandbox.log();
    let lines = audit_lines(&log).filter(|line| line["event"] == "record_updated");
    let lines: Vec<Value> = lines.map(|line| json!([line["record"], line["request_id"]])).collect();
    assert_eq!(lines, [json!(["wifi", "tool"])]);
}

async fn sessions_keys_uses_and_writes_survive_a_restart(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let cookie = session_cookie(&server, "ana").await;
    let key = create_key(&server, &cookie).await;
    let title = Some(json!({ "title": "Written before the restart" }));
    assert_eq!(with_token(&server, &key.token, "PATCH", "/api/v1/notes/wifi", title).await.status, 200);
    assert!(server.stop().success());

    let server = sandbox.serve();
    let keys = in_session(&server, &cookie, "GET", KEYS, None).await.json();
    let listed = &keys["tokens"][0];
    assert_eq!(listed["id"], key.id.as_str());
    let minute = |at: &Value| at.as_str().unwrap()[..16].to_owned();
    assert!(minute(&listed["lastUsedAt"]) >= minute(&listed["createdAt"]), "{listed}");
    assert!(listed["lastUsedAt"].as_str().unwrap().ends_with(":00.000Z"), "{listed}");
    let notes = with_token(&server, &key.token, "GET", "/api/v1/read/notes", None).await.json();
    assert_eq!(notes[0]["title"], "Written before the restart");
}
