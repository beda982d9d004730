//! rmcp's client lists and calls every tool, with the calls that `.ci/mcp` also makes with other clients.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs::File;
use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::{InsufficientScopeError, StreamableHttpClientTransportConfig};
use rmcp::{ClientServiceExt, RoleClient};
use serde_json::{Value, json};
use tracing::Level;

use crate::backend::{Backend, on_each_backend};
use crate::client::{client, in_session, sign_in};
use crate::sandbox::{Sandbox, Server};
use crate::session::{KEYS, Key};

on_each_backend! {
    rmcp_lists_and_calls_every_tool,
}

const CALLS: &str = include_str!("../../../../.ci/mcp/calls.json");
const NOTE: &str = include_str!("../../../../.ci/mcp/note.json");

/// The lifecycles of the versions 2025-11-25 and 2026-07-28, with a name for the note that each of them deletes.
fn lifecycles() -> [(&'static str, ClientLifecycleMode); 2] {
    let stateless = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    [("rmcp-initialize", ClientLifecycleMode::Initialize), ("rmcp-discover", stateless)]
}

async fn rmcp_lists_and_calls_every_tool(backend: Backend) {
    let sandbox = Sandbox::new(backend).await;
    let demo = ["demo", "--listen", "127.0.0.1:0", "--database", sandbox.database_url()];
    let server = sandbox.start(&demo, &[], "Press Ctrl-C");
    for (name, lifecycle) in lifecycles() {
        assert!(sandbox.import(&NOTE.replace("CLIENT", name)).status.success());
        let calls = CALLS.replace("{note}", &format!("note-of-{name}")).replace("{client}", name);
        let calls: Vec<Value> = serde_json::from_str(&calls).unwrap();
        let reads: Vec<Value> = calls.iter().filter(|call| call["writes"] != true).cloned().collect();
        assert_eq!(run(&server, "/api/v1/mcp", lifecycle.clone(), &calls).await, 27);
        assert_eq!(run(&server, "/api/mcp", lifecycle, &reads).await, 9);
    }
}

/// A client gets the scopes to ask for, and can call other tools. Neither the client nor the server logs an error.
#[tokio::test]
async fn rmcp_is_told_the_missing_scope_without_an_error_in_a_log() {
    let sandbox = Sandbox::new(Backend::Sqlite).await;
    let server = sandbox.start(&["demo", "--listen", "127.0.0.1:0"], &[], "Press Ctrl-C");
    let cookie = sign_in(&server, "olena@kovalenko.example", "correct-horse").await.cookie();
    let created = in_session(&server, &cookie, "POST", KEYS, Some(json!({ "mode": "v1_read" }))).await;
    let key = Key::from_json(&created.json()).token;
    let log = sandbox.path("client.log");
    let file = File::create(&log).unwrap();
    let subscriber = tracing_subscriber::fmt().with_max_level(Level::ERROR).with_writer(Arc::new(file));
    let _logging = tracing::subscriber::set_default(subscriber.finish());
    for (_, lifecycle) in lifecycles() {
        let session = connect(&server, "/api/v1/mcp", lifecycle, &key).await;
        let tools = session.list_all_tools().await.unwrap();
        assert!(!tools.iter().any(|tool| tool.name == "update_tasks"), "{tools:?}");
        let refused = session.call_tool(CallToolRequestParams::new("update_tasks")).await.unwrap_err();
        let wanted = insufficient_scope(&refused).and_then(|refused| refused.get_required_scope());
        assert_eq!(wanted, Some("v1.read v1.tasks.write"), "{refused:?}");
        session.call_tool(CallToolRequestParams::new("get_overview")).await.unwrap();
        session.cancel().await.unwrap();
    }
    assert_eq!(std::fs::read_to_string(log).unwrap(), "");
    assert!(!sandbox.log().contains("ERROR"), "{}", sandbox.log());
}

/// Returns the cause of an error if it is a missing scope.
fn insufficient_scope<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a InsufficientScopeError> {
    error.downcast_ref().or_else(|| insufficient_scope(error.source()?))
}

async fn connect(
    server: &Server,
    path: &str,
    lifecycle: ClientLifecycleMode,
    key: &str,
) -> RunningService<RoleClient, ()> {
    let config = StreamableHttpClientTransportConfig::with_uri(format!("{}{path}", server.url)).auth_header(key);
    let transport = StreamableHttpClientTransport::with_client(client(), config);
    ().serve_with_lifecycle(transport, lifecycle).await.unwrap()
}

/// Makes the calls. Returns the number of tools.
async fn run(server: &Server, path: &str, lifecycle: ClientLifecycleMode, calls: &[Value]) -> usize {
    let key = server.printed.split_whitespace().find(|word| word.starts_with("fam_")).unwrap();
    let session = connect(server, path, lifecycle, key).await;
    let tools = session.list_all_tools().await.unwrap();
    let listed: BTreeSet<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(listed, calls.iter().map(|call| call["tool"].as_str().unwrap()).collect());
    for call in calls {
        let request: CallToolRequestParams =
            serde_json::from_value(json!({ "name": call["tool"], "arguments": call["arguments"] })).unwrap();
        let answer = session.call_tool(request).await.unwrap();
        assert_eq!(answer.is_error == Some(true), call["fails"] == true, "{call}: {answer:?}");
        assert_eq!(answer.structured_content.is_some(), call["fails"] != true, "{call}: {answer:?}");
        assert!(!answer.content.is_empty(), "{call}: {answer:?}");
    }
    session.cancel().await.unwrap();
    tools.len()
}
