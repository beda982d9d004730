//! One request ends all access that a user has given.

use serde_json::json;

use crate::backend::{Backend, on_each_backend};
use crate::client::{in_session, with_token};
use crate::sandbox::Sandbox;
use crate::session::{KEYS, create_key, session_cookie};

on_each_backend! {
    one_request_ends_every_key_but_no_environment_token,
}

async fn one_request_ends_every_key_but_no_environment_token(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve_with(&["--log", "json"], &[("SERVICE_MCP_READ_TOKENS", "ana|env-secret")]);
    let cookie = session_cookie(&server, "ana").await;
    let full = create_key(&server, &cookie).await.token;
    let reading = in_session(&server, &cookie, "POST", KEYS, Some(json!({ "mode": "mcp_read" }))).await.json();
    let reading = reading["token"].as_str().unwrap().to_owned();
    let uses = [
        (&full, "GET", "/api/v1/me", None),
        (&full, "GET", "/api/mcp/read/notes", None),
        (&full, "PATCH", "/api/v1/notes/wifi", Some(json!({ "title": "changed" }))),
        (&reading, "GET", "/api/mcp/read/tasks", None),
    ];
    for (token, method, path, body) in uses.clone() {
        assert_eq!(with_token(&server, token, method, path, body).await.status, 200, "{method} {path}");
    }

    let keys = in_session(&server, &cookie, "GET", KEYS, None).await.json()["tokens"].as_array().unwrap().len();
    let ended = in_session(&server, &cookie, "DELETE", "/api/users/me/access", None).await;
    assert_eq!((ended.status, ended.json()), (200, json!({ "keys": keys, "connections": 0 })));
    for (token, method, path, body) in uses {
        let refused = with_token(&server, token, method, path, body).await;
        assert_eq!(refused.problem(), (401, "invalid_token".to_owned()), "{method} {path}");
    }
    let profile = in_session(&server, &cookie, "GET", "/api/users/me", None).await;
    assert_eq!(profile.json()["personalApiEnabled"], false);
    let read = with_token(&server, "env-secret", "GET", "/api/mcp/read/notes", None).await;
    assert_eq!(read.status, 200);

    assert!(server.stop().success());
    let log = sandbox.log();
    let line = log.lines().find(|line| line.contains("access_revoked")).unwrap();
    for field in [r#""user":"ana""#.to_owned(), format!(r#""keys":{keys}"#), r#""connections":0"#.to_owned()] {
        assert!(line.contains(&field), "{field}: {line}");
    }
}
