//! rmcp's client lists and calls every tool, with the calls that `.ci/mcp` also makes with other clients.

use std::collections::BTreeSet;

use rmcp::ClientServiceExt;
use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::ClientLifecycleMode;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

use crate::backend::{Backend, on_each_backend};
use crate::client::client;
use crate::sandbox::{Sandbox, Server};

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
        assert_eq!(run(&server, "/api/v1/mcp", lifecycle.clone(), &calls).await, 22);
        assert_eq!(run(&server, "/api/mcp", lifecycle, &reads).await, 7);
    }
}

/// Makes the calls. Returns the number of tools.
async fn run(server: &Server, path: &str, lifecycle: ClientLifecycleMode, calls: &[Value]) -> usize {
    let key = server.printed.split_whitespace().find(|word| word.starts_with("fam_")).unwrap();
    let config = StreamableHttpClientTransportConfig::with_uri(format!("{}{path}", server.url)).auth_header(key);
    let transport = StreamableHttpClientTransport::with_client(client(), config);
    let session = ().serve_with_lifecycle(transport, lifecycle).await.unwrap();
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
