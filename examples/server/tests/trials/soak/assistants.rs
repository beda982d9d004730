//! Assistants: calls of tools with a key, and connections without a key.

use std::time::Duration;

use reqwest::RequestBuilder;
use reqwest::header::COOKIE;
use serde_json::{Value, json};

use crate::assistant::{authorization, code, consent, form, redemption, registration, signed_request, text};
use crate::client::{request, sign_in_request, with_body};
use crate::family::PASSWORD;
use crate::session::{create_key, session_cookie};
use crate::soak::load::{Actor, Load};

/// The main MCP endpoint.
const MCP: &str = "/api/v1/mcp";

const CALL_PAUSE: Duration = Duration::from_millis(500);
const CONNECTION_PAUSE: Duration = Duration::from_secs(5);

pub(super) async fn actors(load: &Load) -> Vec<Actor<'_>> {
    let mut actors: Vec<Actor<'_>> = vec![Box::pin(connect_and_disconnect(load))];
    for (user, endpoint) in [("ana", MCP), ("chidi", "/api/mcp")] {
        let cookie = session_cookie(&load.server, user).await;
        let token = create_key(&load.server, &cookie).await.token;
        actors.push(Box::pin(call_tools(load, endpoint, token)));
    }
    actors
}

/// Returns the calls of tools that read, and of one that writes.
fn calls() -> Vec<Value> {
    vec![
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }),
        tool("get_overview", &json!({})),
        tool("list_tasks", &json!({ "status": "all", "limit": 5 })),
        tool("list_events", &json!({ "text": "piano" })),
        tool("list_shopping", &json!({ "includeChecked": true })),
        tool("search_notes", &json!({ "text": "text" })),
        tool("update_tasks", &json!({ "ids": ["dentist"], "title": "dentist" })),
    ]
}

fn tool(name: &str, arguments: &Value) -> Value {
    let params = json!({ "name": name, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

async fn call_tools(load: &Load, endpoint: &str, token: String) {
    let mut calls = calls();
    if endpoint != MCP {
        calls.pop();
    }
    let mut calls = calls.iter().cycle();
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    load.repeat(CALL_PAUSE, async || {
        call(load, endpoint, &token, calls.next().unwrap()).await;
        load.send(message(load, endpoint, &token, &notification), &[202]).await;
    })
    .await;
}

fn message(load: &Load, endpoint: &str, token: &str, message: &Value) -> RequestBuilder {
    with_body(request(&load.server, "POST", endpoint).bearer_auth(token), Some(message.clone()))
}

async fn call(load: &Load, endpoint: &str, token: &str, call: &Value) {
    if let Some(answer) = load.send(message(load, endpoint, token, call), &[200]).await
        && (answer.json()["result"].is_null() || answer.json()["result"]["isError"] == true)
    {
        load.report(format_args!("{call}: {answer:?}"));
    }
}

async fn connect_and_disconnect(load: &Load) {
    load.repeat(CONNECTION_PAUSE, async || {
        connect_once(load).await;
    })
    .await;
}

/// Connects an assistant, which calls a tool, refreshes its tokens, calls it again, and disconnects.
async fn connect_once(load: &Load) -> Option<()> {
    let server = &load.server;
    let overview = tool("get_overview", &json!({}));
    load.add_rows("sessions", 1);
    let cookie = load.send(sign_in_request(server, "ana@family.example", PASSWORD), &[200]).await?.cookie();
    let client = text(&load.send(registration(server), &[201]).await?.json(), "client_id");
    load.send(authorization(server, &client), &[303]).await?;
    let page = load.send(authorization(server, &client).header(COOKIE, &cookie), &[200]).await?;
    load.add_rows("grants", 1);
    let consent = consent(server, &signed_request(&page)).header(COOKIE, &cookie);
    let code = code(&load.send(consent, &[303]).await?);
    let issued = load.send(form(server, "/oauth/token", &redemption(&client, &code)), &[200]).await?.json();
    call(load, MCP, &text(&issued, "access_token"), &overview).await;
    let refresh_token = text(&issued, "refresh_token");
    let refresh = [("grant_type", "refresh_token"), ("client_id", &client), ("refresh_token", &refresh_token)];
    let access = text(&load.send(form(server, "/oauth/token", &refresh), &[200]).await?.json(), "access_token");
    call(load, MCP, &access, &overview).await;
    load.send(form(server, "/oauth/revoke", &[("token", &access)]), &[200]).await?;
    load.send(message(load, MCP, &access, &overview), &[401]).await?;
    // Otherwise the surplus of sessions would end the sessions of the other actors.
    load.send(request(server, "POST", "/logout").header(COOKIE, &cookie), &[200]).await?;
    Some(())
}
