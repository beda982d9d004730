//! A thief who disconnects before each answer cannot hide that a refresh token was stolen. A client that repeats a
//! refresh keeps its connection.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::assistant::{Connected, connect, form, text};
use crate::audit::audit_lines;
use crate::backend::{Backend, on_each_backend};
use crate::client::{Response, in_session, send, with_token};
use crate::sandbox::{Sandbox, Server};

on_each_backend! {
    a_stolen_refresh_token_ends_the_connection,
    a_client_that_repeats_a_refresh_keeps_its_connection,
}

/// The time for which the thief waits for an answer.
const PATIENCE: Duration = Duration::from_millis(200);

/// As if the tokens had been replaced long ago.
const A_MINUTE_LATER: &str = "UPDATE grants SET rotated_at = '2026-01-01T00:00:00.000Z'";

async fn refresh(server: &Server, client: &str, tokens: &Value) -> Response {
    let token = text(tokens, "refresh_token");
    let fields = [("grant_type", "refresh_token"), ("client_id", client), ("refresh_token", &token)];
    send(form(server, "/oauth/token", &fields)).await
}

/// Uses an access token, and returns the status of the answer.
async fn list_tools(server: &Server, tokens: &Value) -> u16 {
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    with_token(server, &text(tokens, "access_token"), "POST", "/api/v1/mcp", Some(call)).await.status
}

async fn a_stolen_refresh_token_ends_the_connection(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve_with(&["--log", "json"], &[]);
    let Connected { client, cookie, tokens: old, .. } = connect(&server).await;
    assert_eq!(list_tools(&server, &old).await, 200);
    let mut stolen = Value::Null;
    for _ in 0..5 {
        if let Ok(answer) = timeout(PATIENCE, refresh(&server, &client, &old)).await {
            stolen = answer.json();
        }
    }
    assert_eq!(list_tools(&server, &old).await, 401, "the thief has left no trace that the owner notices");
    assert_eq!(list_tools(&server, &stolen).await, 200);

    sandbox.execute(A_MINUTE_LATER).await;
    let refused = refresh(&server, &client, &old).await;
    assert_eq!((refused.status, &refused.json()["error"]), (400, &json!("invalid_grant")));
    assert_eq!(list_tools(&server, &stolen).await, 401);
    assert_eq!(refresh(&server, &client, &stolen).await.status, 400);
    let listed = in_session(&server, &cookie, "GET", "/api/users/me/connections", None).await.json();
    assert_eq!(listed["connections"], json!([]));
    assert_eq!(listed["misused"][0]["misuse"], "refresh_token_reused", "{listed}");
    assert!(server.stop().success());
    let ended: Vec<Value> = audit_lines(&sandbox.log()).filter(|line| line["event"] == "connection_ended").collect();
    assert_eq!((ended.len(), &ended[0]["reason"]), (1, &json!("refresh_token_reused")), "{ended:?}");
}

async fn a_client_that_repeats_a_refresh_keeps_its_connection(backend: Backend) {
    let sandbox = Sandbox::with_families(backend).await;
    let server = sandbox.serve();
    let Connected { client, cookie, tokens: old, .. } = connect(&server).await;
    let new = refresh(&server, &client, &old).await.json();
    // A second call of the client finds the stored token, or the first answer was lost.
    for tokens in [&old, &new, &old] {
        let again = refresh(&server, &client, tokens).await;
        assert_eq!(again.status, 200, "{again:?}");
        for name in ["access_token", "refresh_token"] {
            assert_eq!(text(&again.json(), name), text(&new, name));
        }
    }
    assert_eq!(list_tools(&server, &new).await, 200);
    let listed = in_session(&server, &cookie, "GET", "/api/users/me/connections", None).await.json();
    assert_eq!(listed["connections"].as_array().unwrap().len(), 1, "{listed}");
}
