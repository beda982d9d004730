//! `key`, `session`, `connection` and `feed`.

use family_api_testing::with;
use serde_json::json;

use crate::administration::{error, field, json, output};
use crate::assistant::connect;
use crate::backend::{Backend, on_each_backend};
use crate::client::{call, in_session, with_token};
use crate::family;
use crate::sandbox::{Sandbox, Server};
use crate::session::{create_key, session_cookie};

on_each_backend! {
    a_revoked_key_is_refused_at_once,
    an_ended_session_is_refused_at_once,
    a_revoked_connection_is_refused_at_once,
    a_revoked_feed_is_no_longer_listed,
    credentials_of_all_users_are_not_ended_without_a_confirmation,
}

async fn status(server: &Server, token: &str) -> u16 {
    with_token(server, token, "GET", "/api/v1/me", None).await.status
}

async fn a_revoked_feed_is_no_longer_listed(backend: Backend) {
    let expired = json!({ "expiresAt": "2020-01-01T00:00:00Z" });
    let feeds = [("f1", "ana", "11"), ("f2", "ana", "22"), ("f3", "chidi", "33"), ("old", "ana", "44")]
        .map(|(id, user, digit)| family::feed(id, user, &digit.repeat(32)));
    let [first, second, third, old] = feeds;
    let sandbox = Sandbox::with_families(backend).await.import_lines([first, second, third, with(old, expired)]);
    let listed = json(&sandbox, &["feed", "list"]);
    assert_eq!(field(&listed, "id"), ["f1", "f2", "f3"]);
    assert_eq!((&listed[2]["userId"], &listed[2]["name"]), (&json!("chidi"), &json!("f3")));
    assert_eq!(field(&json(&sandbox, &["feed", "list", "--user", "ana@family.example"]), "id"), ["f1", "f2"]);
    let table = output(&sandbox, &["feed", "list"]);
    for cell in ["Shows", "ana@family.example", "events", "never"] {
        assert!(table.contains(cell), "{cell}: {table}");
    }
    assert_eq!(json(&sandbox, &["feed", "revoke", "--id", "f1"]), [json!({ "revoked": 1 })]);
    let unknown = "no active feed has the id f1";
    assert_eq!(error(&sandbox, &["feed", "revoke", "--id", "f1"]), unknown);
    assert_eq!(json(&sandbox, &["feed", "revoke", "--user", "ana@family.example"]), [json!({ "revoked": 1 })]);
    assert_eq!(field(&json(&sandbox, &["feed", "list"]), "id"), ["f3"]);
    assert_eq!(output(&sandbox, &["feed", "revoke", "--all", "--yes"]), "revoked feeds: 1\n");
    assert_eq!(json(&sandbox, &["feed", "list"]), [json!(null); 0]);
}

async fn a_revoked_key_is_refused_at_once(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let ana = session_cookie(&server, "ana").await;
    let chidi = session_cookie(&server, "chidi").await;
    let keys = [create_key(&server, &ana).await, create_key(&server, &ana).await, create_key(&server, &chidi).await];
    let statuses = async || {
        let [first, second, third] = &keys;
        [status(&server, &first.token).await, status(&server, &second.token).await, status(&server, &third.token).await]
    };
    assert_eq!(statuses().await, [200, 200, 200]);

    let listed = json(&sandbox, &["key", "list"]);
    let mut ids: Vec<&str> = keys.iter().map(|key| key.id.as_str()).collect();
    ids.sort_unstable();
    assert_eq!(field(&listed, "id"), ids);
    let of_chidi = json(&sandbox, &["key", "list", "--user", "chidi@family.example"]);
    let expected = [("id", keys[2].id.as_str()), ("userId", "chidi"), ("email", "chidi@family.example")];
    for (name, value) in expected.into_iter().chain([("mode", "v1_full")]) {
        assert_eq!(field(&of_chidi, name), [value]);
    }
    let table = output(&sandbox, &["key", "list"]);
    assert!(table.contains("chidi@family.example") && table.contains(&keys[2].id), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");

    let revoked = json(&sandbox, &["key", "revoke", "--id", &keys[0].id]);
    assert_eq!(revoked, [json!({ "revoked": 1 })]);
    assert_eq!(statuses().await, [401, 200, 200]);
    let unknown = format!("no active key has the id {}", keys[0].id);
    assert_eq!(error(&sandbox, &["key", "revoke", "--id", &keys[0].id]), unknown);
    assert_eq!(error(&sandbox, &["key", "revoke", "--id", "no id"]), "no active key has the id no id");
    let revoked = json(&sandbox, &["key", "revoke", "--user", "ana@family.example"]);
    assert_eq!(revoked, [json!({ "revoked": 1 })]);
    assert_eq!(statuses().await, [401, 401, 200]);
    assert_eq!(output(&sandbox, &["key", "revoke", "--all", "--yes"]), "revoked keys: 1\n");
    assert_eq!(statuses().await, [401, 401, 401]);
    assert_eq!(json(&sandbox, &["key", "list"]), [json!(null); 0]);
}

async fn an_ended_session_is_refused_at_once(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let ana = [session_cookie(&server, "ana").await, session_cookie(&server, "ana").await];
    let chidi = session_cookie(&server, "chidi").await;
    let status = async |cookie: &str| in_session(&server, cookie, "GET", "/api/users/me", None).await.status;
    let ended = json(&sandbox, &["session", "end", "--user", "ana@family.example"]);
    assert_eq!(ended, [json!({ "ended": 2 })]);
    assert_eq!([status(&ana[0]).await, status(&ana[1]).await, status(&chidi).await], [401, 401, 200]);
    assert_eq!(output(&sandbox, &["session", "end", "--all", "--yes"]), "ended sessions: 1\n");
    assert_eq!(status(&chidi).await, 401);
    let unknown = error(&sandbox, &["session", "end", "--user", "nobody@family.example"]);
    assert_eq!(unknown, "no user has the e-mail address nobody@family.example");
}

async fn a_revoked_connection_is_refused_at_once(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let request = || Some(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));
    for by in ["--id", "--user", "--all"] {
        let token = connect(&server).await.access_token();
        assert_eq!(with_token(&server, &token, "POST", "/api/v1/mcp", request()).await.status, 200);
        let listed = json(&sandbox, &["connection", "list", "--user", "ana@family.example"]);
        assert_eq!(field(&listed, "client"), ["Assistant"]);
        assert_eq!(field(&listed, "mode"), ["v1_read"]);
        assert_eq!(field(&json(&sandbox, &["connection", "list"]), "id"), field(&listed, "id"));
        assert_eq!(json(&sandbox, &["connection", "list", "--user", "chidi@family.example"]).len(), 0);
        let id = listed[0]["id"].as_str().unwrap();
        let revoke = match by {
            "--id" => vec!["connection", "revoke", "--id", id],
            "--user" => vec!["connection", "revoke", "--user", "ana@family.example"],
            _ => vec!["connection", "revoke", "--all", "--yes"],
        };
        assert_eq!(json(&sandbox, &revoke), [json!({ "revoked": 1 })]);
        assert_eq!(with_token(&server, &token, "POST", "/api/v1/mcp", request()).await.status, 401);
        assert_eq!(
            error(&sandbox, &["connection", "revoke", "--id", id]),
            format!("no active connection has the id {id}")
        );
    }
    assert_eq!(call(&server, "GET", "/readyz").await.status, 200);
}

async fn credentials_of_all_users_are_not_ended_without_a_confirmation(backend: Backend) {
    let (sandbox, server) = Sandbox::with_families(backend).await.served();
    let cookie = session_cookie(&server, "ana").await;
    let token = create_key(&server, &cookie).await.token;
    for (command, what) in [
        (["key", "revoke"], "revokes every key"),
        (["connection", "revoke"], "revokes every connection"),
        (["session", "end"], "ends the sessions"),
    ] {
        let message = error(&sandbox, &[command[0], command[1], "--all"]);
        let expected = format!("This {what} of all users; add --yes to do it without a terminal");
        assert_eq!(message, expected);
        assert_eq!(sandbox.run(&command, "").status.code(), Some(2), "{command:?} without a selection");
        let both = [command[0], command[1], "--all", "--user", "ana@family.example"];
        assert_eq!(sandbox.run(&both, "").status.code(), Some(2), "{both:?}");
    }
    assert_eq!(status(&server, &token).await, 200);
    assert_eq!(in_session(&server, &cookie, "GET", "/api/users/me", None).await.status, 200);
}
